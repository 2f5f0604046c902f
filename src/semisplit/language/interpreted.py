"""The interpreter of any language behind the interface it shares with compiled games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from semisplit.core.errors import ManyMoves, PlayLimit
from semisplit.core.limits import MAX_LISTED_MOVES, MAX_MOVES
from semisplit.core.steps import NOBODY, Position, RandomPlay, Steps
from semisplit.language.rules import Rules


class InterpretedReasoner:
    """Plays by the interpreter."""

    def __init__(self, rules: Rules):
        self._rules = rules
        self._interpreter = rules.interpreter
        self._mod = rules.strategy is not None and rules.strategy.mod

    @property
    def start(self) -> Position:
        """The initial state, before the keeper's moves."""
        return self._interpreter.start

    def run_keeper(self, position: Position) -> Position:
        """Make the moves that no player chooses."""
        return self._interpreter.run_keeper(position)

    def list_moves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; inside a move, all ways to complete it. `ManyMoves` if there are too many."""
        return _listed(self._interpreter.list_moves(position), most)

    def list_semimoves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""
        found = self._interpreter.semimoves(position, mod=self._mod)
        return _listed((steps for steps, _ in found), most)

    def random_move(self, position: Position, random: Random) -> Steps:
        """One of the moves, each equally likely; one of the first if there are too many to list."""
        moves = self._interpreter.list_moves(position)
        return random.choice([*islice(moves, MAX_LISTED_MOVES)])

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""
        return self._interpreter.count_moves(position)

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""
        return next(self._interpreter.list_moves(position), None) is not None

    def random_play(self, position: Position, player: int) -> RandomPlay:
        """Random play from a position, for the score of a player given by number."""

        def play(seed: int) -> tuple[int, int]:
            random, here = Random(seed), self.run_keeper(position)
            for made in range(MAX_MOVES):
                moves = [] if here.player == NOBODY else [*self._interpreter.list_moves(here)]
                if not moves:
                    return self._rules.scores(here)[player - 1], made
                here = self.run_keeper(self._interpreter.follow(here, random.choice(moves)))
            raise PlayLimit(f"the game did not end after {MAX_MOVES} moves")

        return play

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        return self._interpreter.follow(position, steps)


def _listed(found: Iterator[Steps], most: int) -> list[Steps]:
    listed = [*islice(found, most + 1)]
    if len(listed) > most:
        raise ManyMoves(most)
    return listed
