"""What proofs are about, in plain Python on the interpreter: retrograde analysis.

All positions are listed that can come up. From those in which the game is over, it is worked out
backwards in which ones a player can force a score. Play that never ends forces nothing.
"""

from __future__ import annotations

from semisplit.core.errors import WorkLimit
from semisplit.core.steps import Position
from semisplit.game import State

MOST = 100_000
"""Positions that are listed at most, unless more are wanted."""


class Retrograde:
    """All positions that can come after one, and what players can force in them."""

    def __init__(self, state: State, player: int, most: int = MOST):
        """List all positions.

        Args:
            state: The first one, in which no move has been begun.
            player: Whose score counts, by number. The other one plays against it.
            most: `WorkLimit` if there are more.
        """
        self.game, self.player = state.game, player
        self.opponent = 3 - player
        self.after: dict[Position, list[Position]] = {}
        """The positions that moves lead to; none where the game is over."""
        interpreter = state.game.rules.interpreter
        work = [state.position]
        while work:
            position = work.pop()
            if position in self.after:
                continue
            if len(self.after) >= most:
                raise WorkLimit(f"there are more than {most:,} positions")
            moves = interpreter.moves(position) if position.player else ()
            found = {interpreter.run_keeper(after) for _, after in moves}
            self.after[position] = [*found]
            work += found
        self.scores = {p: self._score(p) for p, after in self.after.items() if not after}
        """The scores where the game is over."""

    def _score(self, position: Position) -> int:
        return self.game.rules.scores(position)[self.player - 1]

    def forced(self, attacker: int, goal: set[Position]) -> set[Position]:
        """The positions from which a player can force that the game ends in one of a set."""
        before: dict[Position, list[Position]] = {position: [] for position in self.after}
        open_moves = {}
        for position, after in self.after.items():
            # The defender has to be beaten by all moves, the attacker needs one.
            open_moves[position] = 1 if position.player == attacker else len(after)
            for one in after:
                before[one].append(position)
        won, work = set(goal), [*goal]
        while work:
            for position in before[work.pop()]:
                open_moves[position] -= 1
                if open_moves[position] == 0 and position not in won:
                    won.add(position)
                    work.append(position)
        return won

    def bounds(self) -> dict[Position, tuple[int, int]]:
        """For each position the score that the player can force, and that the other one can.

        If the player can force nothing, the first one is 0, and if the other one can force nothing,
        the second is the highest of all.
        """
        most = self.game.rules.players[self.game.player_name(self.player)]
        lowest, highest = dict.fromkeys(self.after, 0), dict.fromkeys(self.after, most)
        scores = sorted(set(self.scores.values()))
        for score in scores:
            goal = {p for p, s in self.scores.items() if s >= score}
            lowest.update(dict.fromkeys(self.forced(self.player, goal), score))
        for score in reversed(scores):
            goal = {p for p, s in self.scores.items() if s <= score}
            highest.update(dict.fromkeys(self.forced(self.opponent, goal), score))
        return {position: (lowest[position], highest[position]) for position in self.after}
