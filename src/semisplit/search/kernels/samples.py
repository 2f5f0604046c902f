"""Samples: average scores and their weights."""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import samples


@kernel
def add_sample(known: Any, score: float, weight: float) -> None:
    """Add a score with a weight."""
    known.total += score * weight
    known.weight += weight
    known.score = known.total / known.weight


@kernel
def forget_samples(address: int, count: int) -> None:
    """Begin with samples of nothing: what has never been tried is as good as can be."""
    known = samples(address)
    for i in range(count):
        known[i].total = 0.0
        known[i].weight = 0.0
        known[i].score = 1.0


@kernel
def scale_samples(address: int, count: int, factor: float) -> None:
    """Change all weights by a factor."""
    known = samples(address)
    for i in range(count):
        known[i].total *= factor
        known[i].weight *= factor
