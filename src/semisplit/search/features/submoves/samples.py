"""Samples: average scores and their weights."""

from __future__ import annotations

from semisplit.search.engine.toolkit.atomic import add_f8
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.record import Array, address_of, f4, offset_of
from semisplit.search.features.submoves.records import SamplesRecord
from semisplit.search.parallel.records import Sharing

_FREE = Sharing.FREE.value
_TOTAL, _WEIGHT = (offset_of(SamplesRecord, name) for name in ("total", "weight"))


@kernel
def add_sample(
    samples: Array[SamplesRecord],
    scores: Array[f4],
    number: int,
    score: float,
    weight: float,
    sharing: int,
) -> None:
    """Add a score with a weight to the samples with a number."""
    known = samples[number]
    if sharing == _FREE:
        scores[number] = _add_together(address_of(samples, number), score, weight)
        return
    known.total += score * weight
    known.weight += weight
    scores[number] = known.total / known.weight


@large_kernel
def _add_together(place: int, score: float, weight: float) -> float:
    """Add to samples at an address what others may add to as well; the average is then?"""
    total = add_f8(place + _TOTAL, score * weight) + score * weight
    weights = add_f8(place + _WEIGHT, weight) + weight
    # Others may have added a score and not yet its weight.
    return min(1.0, total / weights)


@kernel
def forget_samples(samples: Array[SamplesRecord], scores: Array[f4], count: int) -> None:
    """Begin with samples of nothing: what has never been tried is as good as can be."""
    for i in range(count):
        samples[i].total = 0.0
        samples[i].weight = 0.0
        scores[i] = 1.0


@kernel
def scale_samples(samples: Array[SamplesRecord], count: int, factor: float) -> None:
    """Change all weights by a factor."""
    for i in range(count):
        samples[i].total *= factor
        samples[i].weight *= factor
