"""What it takes to play by the rules: the interface of the interpreter and of compiled games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from semisplit.core.errors import ManyMoves
from semisplit.rbg.interpret import Interpreter, Position, Steps
from semisplit.rbg.limits import MAX_LISTED_MOVES


class Engine(Protocol):
    """Plays a game, on positions that never change."""

    @property
    def start(self) -> Position:
        """The initial state, with the keeper in control."""

    def run_keeper(self, position: Position) -> Position:
        """Make the keeper's moves until a player is in control or the keeper is stuck."""

    def list_moves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; inside a move, all ways to complete it. `ManyMoves` if there are too many."""

    def list_semimoves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""


class InterpretedEngine:
    """The interpreter as an engine."""

    def __init__(self, interpreter: Interpreter, *, mod: bool):
        self._interpreter = interpreter
        self._mod = mod

    @property
    def start(self) -> Position:
        """The initial state, with the keeper in control."""
        return self._interpreter.start

    def run_keeper(self, position: Position) -> Position:
        """Make the keeper's moves until a player is in control or the keeper is stuck."""
        return self._interpreter.run_keeper(position)

    def list_moves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; inside a move, all ways to complete it. `ManyMoves` if there are too many."""
        return self._list(self._interpreter.moves(position), most)

    def list_semimoves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""
        return self._list(self._interpreter.semimoves(position, mod=self._mod), most)

    @staticmethod
    def _list(found: Iterator[tuple[Steps, Position]], most: int) -> list[Steps]:
        listed = [steps for steps, _ in islice(found, most + 1)]
        if len(listed) > most:
            raise ManyMoves(most)
        return listed

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""
        return next(self._interpreter.moves(position), None) is not None

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        return self._interpreter.follow(position, steps)
