"""Positions and steps as others than their language know them: to compare, keep and hand back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

NOBODY = 0
"""In place of a player: no player decides, and after the keeper's moves the game is over."""

Position: TypeAlias = Any
"""A state of a game in its language: immutable and hashable, with the `player` who is to move."""


class Step(Protocol):
    """An element of moves and semimoves: immutable, hashable, and ordered among its like."""

    @property
    def wire(self) -> str:
        """How other programs for the language write it."""

    @property
    def changes(self) -> bool:
        """Whether it changes something; a mark of where a move is split does not."""


Steps: TypeAlias = tuple[Any, ...]
"""The steps of a move, a semimove, or of several in a row."""
RandomPlay: TypeAlias = Callable[[int], tuple[int, int]]
"""Plays one game at random: from a seed to the score of a player, and the number of moves."""
