"""What a search in several trees does, and what a game must offer for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from semisplit.core.settings.parameters import Component, parameter


@dataclass(frozen=True)
class MultiTreeSettings(Component):
    """A complete description of a search in several trees."""

    alpha: float = parameter(
        0.5,
        "the weight of the global score in the local policy; the rest is that of the potential one",
        "alpha",
        "alpha",
        high=1,
    )
    exploration: float = parameter(0.4, "the constant of UCT", "C", "exploration_constant")
    decomposed: bool = True
    """Whether there is a tree for each sub-game, and not one for the whole game."""
    overlapping: bool = parameter(
        False, "whether sub-games may have parts in common", "overlap", "overlapping"
    )
    threads: int = parameter(
        1,
        "the number of threads, each of which has trees of its own",
        "threads",
        "threads",
        low=1,
        high=256,
    )
    plans: bool = parameter(
        False,
        "whether a puzzle's sub-games are solved for themselves first; the search goes on if that"
        " does not solve the whole",
        "plans",
        "plans",
    )


def merge_masks(masks: Sequence[int], merged: frozenset[int]) -> tuple[int, ...]:
    """Sub-games as bits of a state, some of which, given by number, become one."""
    union = 0
    for number in merged:
        union |= masks[number]
    return (*(mask for number, mask in enumerate(masks) if number not in merged), union)
