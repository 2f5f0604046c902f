"""What it takes to play by the rules: the interface of the interpreter and of compiled games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Protocol, TypeAlias

from semisplit.core.errors import ManyMoves
from semisplit.rbg.interpret import Interpreter, Position, Steps
from semisplit.rbg.limits import MAX_LISTED_MOVES
from semisplit.rbg.simulate import Simulation, simulate

RandomPlay: TypeAlias = Callable[[int], tuple[int, int]]
"""Plays one game at random: from a seed to the score of a player, and the number of moves."""


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

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""

    def random_play(self, position: Position, player: int) -> RandomPlay:
        """Random play from a position, for the score of a player given by number."""

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

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""
        return sum(1 for _ in self._interpreter.moves(position))

    def random_play(self, position: Position, player: int) -> RandomPlay:
        """Random play from a position, for the score of a player given by number."""

        def play(seed: int) -> tuple[int, int]:
            statistics = Simulation()
            final = simulate(self._interpreter, position, Random(seed), statistics)
            return final.values[player - 1], statistics.moves

        return play

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""
        return next(self._interpreter.moves(position), None) is not None

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        return self._interpreter.follow(position, steps)
