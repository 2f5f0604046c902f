"""Samples: average scores and their weights."""

from __future__ import annotations

from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import samples, short_reals


@kernel
def add_sample(address: int, scores: int, number: int, score: float, weight: float) -> None:
    """Add a score with a weight to the samples with a number."""
    known = samples(address)[number]
    known.total += score * weight
    known.weight += weight
    short_reals(scores)[number] = known.total / known.weight


@kernel
def forget_samples(address: int, scores: int, count: int) -> None:
    """Begin with samples of nothing: what has never been tried is as good as can be."""
    known, averages = samples(address), short_reals(scores)
    for i in range(count):
        known[i].total = 0.0
        known[i].weight = 0.0
        averages[i] = 1.0


@kernel
def scale_samples(address: int, count: int, factor: float) -> None:
    """Change all weights by a factor."""
    known = samples(address)
    for i in range(count):
        known[i].total *= factor
        known[i].weight *= factor
