"""Positions with a forced win in up to seven moves, to judge searches by.

Run from the root of the repository:

    python -m benchmarks.forced_wins > benchmarks/results/forced_wins.jsonl

Plays games at random and goes back some moves from their ends. A position is kept if it is proven
that the player to move can force the highest score in three to seven moves of both, with at most
half of the legal moves; all of these are known, and of all others it is proven that they do not
force it. Each line is a JSON object: the game, the position as `str(state)` writes it, the player
to move, the moves that win, how many are legal, and how many moves the win takes at most. No more
than half of the wins take three moves.
"""

import argparse
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import semisplit
from semisplit.game import Game, State
from semisplit.search.proof import ProofSettings, Solver
from semisplit.search.proof.goal import Goal, Outcome

GAMES = (
    "breakthrough",
    "connect4",
    "gomoku_standard",
    "hex_9x9",
    "knightthrough",
    "yavalath",
    "breakthrough.kif",
    "connect4_8.kif",
)
SHORTEST, LONGEST = 3, 7
_NODES = 300_000
"""Positions that a proof may make; what takes more is not kept."""
_BACK = range(3, 12)
"""How far from the end of a random game positions are looked for."""


class Finder:
    """Finds positions of a game."""

    def __init__(self, name: str, seed: int):
        self.name, self._random = name, Random(seed)
        self.game: Game = semisplit.load(name)
        self._solvers = [Solver(self.game, ProofSettings(64), player=p) for p in (1, 2)]

    def find(self) -> Iterator[dict[str, Any]]:
        """Positions, no one twice."""
        seen: set[str] = set()
        while True:
            found = self.examine(self._draw())
            if found is not None and found["position"] not in seen:
                seen.add(found["position"])
                yield found

    def _draw(self) -> State:
        states = [self.game.initial_state()]
        while not states[-1].is_terminal:
            states.append(states[-1].apply(states[-1].random_move(self._random)))
        return states[-min(self._random.choice(_BACK), len(states))]

    def examine(self, state: State) -> dict[str, Any] | None:
        """What is kept of a position; None if it does not fit, or takes too long."""
        if state.is_terminal:
            return None
        solver = self._solvers[state.player - 1]
        highest = self.game.rules.players[state.player_name]
        goal = Goal(state.player, True, highest)
        solver.limit(float("inf"), _NODES, None)
        if solver.attempt(state, goal) != Outcome.PROVEN:
            return None
        moves = state.moves()
        winning, lengths = [], []
        for move in moves:
            after = state.apply(move)
            if after.is_terminal:
                if after.scores[state.player - 1] == highest:
                    return None
                continue
            solver.limit(float("inf"), _NODES, None)
            outcome = solver.attempt(after, goal)
            if outcome == Outcome.UNKNOWN:
                return None
            if outcome == Outcome.PROVEN:
                winning.append(str(move))
                lengths.append(1 + int(solver.memory.worker.distance))
        # A proof need not be the shortest, so that a position may be shorter than is known.
        if 2 * len(winning) > len(moves) or not SHORTEST <= min(lengths) <= LONGEST:
            return None
        return {
            "game": self.name,
            "position": str(state),
            "player": state.player_name,
            "moves": winning,
            "legal": len(moves),
            "depth": min(lengths),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=125, help="of each game")
    parser.add_argument("--seed", type=int, default=1, help="of random games")
    options = parser.parse_args()
    for name in GAMES:
        found, room = Finder(name, options.seed).find(), options.positions
        short_room = room // 2
        while room:
            one = next(found)
            is_short = one["depth"] == SHORTEST
            if short_room or not is_short:
                short_room -= is_short
                room -= 1
                print(json.dumps(one), flush=True)


if __name__ == "__main__":
    main()
