"""Which actions each of several searches tries: the intervals of Limited Root-Tree parallelization.

>>> [interval(10, Part(number, 5)) for number in (1, 2, 5)]
[[0, 1, 2, 3], [2, 3, 4, 5], [0, 1, 8, 9]]
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """The part of the actions that a search tries."""

    number: int
    """From 1."""
    parts: int
    """How many there are."""
    overlap: int = 1
    """How many parts before the end of this one, and after it, belong to it."""


def interval(count: int, part: Part) -> list[int]:
    """Which of so many actions belong to a part: of M the indices from ⌊M(ID-k)/N⌋ to ⌊M(ID+k)/N⌋.

    The last is left out. Behind the end they go on at the beginning. At least one is there.
    """
    low = count * (part.number - part.overlap) // part.parts
    high = count * (part.number + part.overlap) // part.parts
    size = min(count, max(1, high - low))
    return sorted((low + i) % count for i in range(size))
