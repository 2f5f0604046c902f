"""What it took to get somewhere: simulations, seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from semisplit.stats.records import Interval

_NORMAL = 1.959964
_FEW = (12.7062, 4.3027, 3.1824, 2.7764)
"""Student's t of up to four degrees of freedom, where the expansion is not good enough."""


class Effort(NamedTuple):
    """A mean of some measurements, with its 95 % interval and their standard deviation."""

    mean: float
    interval: Interval | None
    deviation: float | None

    def __str__(self) -> str:
        if self.interval is None:
            return _write(self.mean)
        low, high = map(_write, self.interval)
        return f"{_write(self.mean)} ({low} to {high})"


def _write(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def mean_effort(measured: Sequence[float]) -> Effort:
    """The mean of some measurements, at least one; of a single one nothing else is known."""
    mean, count = fmean(measured), len(measured)
    if count == 1:
        return Effort(mean, None, None)
    deviation = stdev(measured)
    margin = _student(count - 1) * deviation / math.sqrt(count)
    return Effort(mean, Interval(max(0.0, mean - margin), mean + margin), deviation)


def _student(freedom: int) -> float:
    """The quantile of Student's t that 2.5 % exceed (Cornish and Fisher's expansion)."""
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    z, n = _NORMAL, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / n**power for power, term in enumerate(terms, 1))
