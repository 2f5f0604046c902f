"""What it takes to play by the rules: the interface of the interpreter and of compiled games."""

from __future__ import annotations

from typing import Protocol

from semisplit.rbg.interpret import Interpreter, Position, Steps


class Engine(Protocol):
    """Plays a game, on positions that never change."""

    @property
    def start(self) -> Position:
        """The initial state, with the keeper in control."""

    def run_keeper(self, position: Position) -> Position:
        """Make the keeper's moves until a player is in control or the keeper is stuck."""

    def list_moves(self, position: Position) -> list[Steps]:
        """All moves; inside a move, all ways to complete it."""

    def list_semimoves(self, position: Position) -> list[Steps]:
        """All semimoves of the split strategy."""

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

    def list_moves(self, position: Position) -> list[Steps]:
        """All moves; inside a move, all ways to complete it."""
        return [steps for steps, _ in self._interpreter.moves(position)]

    def list_semimoves(self, position: Position) -> list[Steps]:
        """All semimoves of the split strategy."""
        return [steps for steps, _ in self._interpreter.semimoves(position, mod=self._mod)]

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""
        return next(self._interpreter.moves(position), None) is not None

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        return self._interpreter.follow(position, steps)
