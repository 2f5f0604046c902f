"""What a search in several trees does, and what a game must offer for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from semisplit.search.settings import BadSettings


@dataclass(frozen=True)
class MultiTreeSettings:
    """A complete description of a search in several trees."""

    alpha: float = 0.5
    """The weight of the global score in the local policy; the rest is that of the potential one."""
    exploration: float = 0.4
    """The constant of UCT."""
    decomposed: bool = True
    """Whether there is a tree for each sub-game, and not one for the whole game."""
    overlapping: bool = False
    """Whether sub-games may have parts in common."""

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise BadSettings(f"alpha must be a number from 0 to 1, not {self.alpha:g}")
        if not 0 <= self.exploration < math.inf:
            raise BadSettings(
                f"the exploration constant must be a number at least 0, not {self.exploration:g}"
            )


def merge_masks(masks: Sequence[int], merged: frozenset[int]) -> tuple[int, ...]:
    """Sub-games as bits of a state, some of which, given by number, become one."""
    union = 0
    for number in merged:
        union |= masks[number]
    return (*(mask for number, mask in enumerate(masks) if number not in merged), union)
