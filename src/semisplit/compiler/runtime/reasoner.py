"""Compiled games behind the interface they share with interpreters."""

from __future__ import annotations

from random import Random

from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.core.limits import MAX_LISTED_MOVES
from semisplit.core.steps import Position, RandomPlay, Steps


class CompiledReasoner:
    """Plays a compiled game, on positions like those of the interpreter."""

    def __init__(self, compiled: CompiledGame, start: Position):
        self.compiled = compiled
        self.start = start
        self._codec = compiled.codec

    def run_keeper(self, position: Position) -> Position:
        """Make the moves that no player chooses."""
        return self._codec.unpack(self.compiled.run_keeper(self._codec.pack(position)))

    def list_moves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; inside a move, all ways to complete it. `ManyMoves` if there are too many."""
        return [*map(self._codec.steps, self.compiled.moves(self._codec.pack(position), most))]

    def list_semimoves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""
        return [*map(self._codec.steps, self.compiled.semimoves(self._codec.pack(position), most))]

    def random_move(self, position: Position, random: Random) -> Steps:
        """One of the moves, each equally likely; one of the first if there are too many to list."""
        return self._codec.steps(self.compiled.random_move(self._codec.pack(position), random))

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""
        return self.compiled.count_moves(self._codec.pack(position))

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""
        return self.compiled.count_moves(self._codec.pack(position), enough=1) > 0

    def random_play(self, position: Position, player: int) -> RandomPlay:
        """Random play from a position, for the score of a player given by number."""
        state = self._codec.pack(position)

        def play(seed: int) -> tuple[int, int]:
            played = self.compiled.playouts(state, seed)
            return played.scores[player - 1], played.moves

        return play

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        codes = self._codec.codes(steps)
        if codes is None:
            return None
        state = self.compiled.play(self._codec.pack(position), codes)
        return None if state is None else self._codec.unpack(state)
