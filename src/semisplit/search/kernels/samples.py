"""Samples: average scores and their weights."""

from __future__ import annotations

from semisplit.search.kernels.atomic import add_f8
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import SamplesRecord, Sharing
from semisplit.search.kernels.record import Array, address_of, f4, offset_of

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
        place = address_of(samples, number)
        total = add_f8(place + _TOTAL, score * weight) + score * weight
        weights = add_f8(place + _WEIGHT, weight) + weight
        scores[number] = min(1.0, total / weights)
        return
    known.total += score * weight
    known.weight += weight
    scores[number] = known.total / known.weight


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
