"""Compiled games behind the same interface as the interpreter."""

from __future__ import annotations

from semisplit.rbg.engine import RandomPlay
from semisplit.rbg.interpret import Position, Steps
from semisplit.rbg.limits import MAX_LISTED_MOVES
from semisplit.runtime.compiled import CompiledGame


class NativeEngine:
    """Plays a compiled game, on positions like those of the interpreter."""

    def __init__(self, compiled: CompiledGame, start: Position):
        self.compiled = compiled
        self.start = start

    def run_keeper(self, position: Position) -> Position:
        """Make the keeper's moves until a player is in control or the keeper is stuck."""
        return self._unpack(self.compiled.run_keeper(self._pack(position)))

    def list_moves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; inside a move, all ways to complete it. `ManyMoves` if there are too many."""
        return self.compiled.moves(self._pack(position), most)

    def list_semimoves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""
        return self.compiled.semimoves(self._pack(position), most)

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""
        return self.compiled.count_moves(self._pack(position))

    def random_play(self, position: Position, player: int) -> RandomPlay:
        """Random play from a position, for the score of a player given by number."""
        state = self._pack(position)

        def play(seed: int) -> tuple[int, int]:
            played = self.compiled.playouts(state, seed)
            return played.scores[player - 1], played.moves

        return play

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""
        return self.compiled.count_moves(self._pack(position), enough=1) > 0

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        state = self.compiled.play(self._pack(position), steps)
        return None if state is None else self._unpack(state)

    def _pack(self, position: Position) -> bytes:
        return self.compiled.pack(position)

    def _unpack(self, state: bytes) -> Position:
        return self.compiled.unpack(state)
