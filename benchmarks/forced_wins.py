"""Positions with a forced win in up to seven moves, to judge searches by.

Run from the root of the repository:

    python -m benchmarks.forced_wins [--positions 125] [--seed 1] [GAME ...] > forced_wins.jsonl

Plays games at random and goes back some moves from their ends. A position is kept if it is proven
that the player to move can force the highest score in three to seven moves of both, the fastest way
with at most half of the legal moves. Each line is a JSON object: the game, the position as
`str(state)` writes it, the player to move, the moves that win fastest, how many are legal, and how
many moves of both the win takes. No more than two of three wins take three moves.
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
    "connect4",
    "connect4_8.kif",
    "breakthrough",
    "knightthrough",
    "yavalath",
    "breakthrough.kif",
    "gomoku_standard",
    "hex_9x9",
)
SHORTEST, LONGEST = 3, 7
_NODES = 20_000
"""Positions that a proof may make; what takes more is taken for no win."""
_BACK = (6, 8, 4)
"""How far from the end of a random game positions are looked for: there moves who makes the last
move. One is kept at most."""


class Finder:
    """Finds positions of a game."""

    def __init__(self, name: str, seed: int):
        self.name, self._random = name, Random(seed)
        self.game: Game = semisplit.load(name)
        self._solvers = [Solver(self.game, ProofSettings(1), player=player) for player in (1, 2)]

    def find(self) -> Iterator[dict[str, Any]]:
        """Positions, no one twice."""
        seen: set[str] = set()
        while True:
            for state in self._draw():
                found = self.examine(state)
                if found is not None and found["position"] not in seen:
                    seen.add(found["position"])
                    yield found
                    break

    def _draw(self) -> list[State]:
        """Positions of a random game."""
        states = [self.game.initial_state()]
        while not states[-1].is_terminal:
            states.append(states[-1].apply(states[-1].random_move(self._random)))
        return [states[-back] for back in _BACK if back <= len(states)]

    def examine(self, state: State) -> dict[str, Any] | None:
        """What is kept of a position; None if it does not fit, or takes too long."""
        highest = self.game.rules.players[state.player_name]
        goal = Goal(state.player, True, highest)
        depth = self._depth(state, goal)
        if depth is None:
            return None
        moves = state.moves()
        winning = [str(move) for move in moves if self._wins(state.apply(move), goal, depth - 1)]
        if 2 * len(winning) > len(moves):
            return None
        return {
            "game": self.name,
            "position": str(state),
            "player": state.player_name,
            "moves": winning,
            "legal": len(moves),
            "depth": depth,
        }

    def _depth(self, state: State, goal: Goal) -> int | None:
        """How many moves of both the shortest win takes; None if they are too few or too many."""
        for depth in range(1, LONGEST + 1, 2):
            if self._wins(state, goal, depth):
                return depth if depth >= SHORTEST else None
        return None

    def _wins(self, state: State, goal: Goal, depth: int) -> bool:
        """Whether a goal can be forced in so many moves of both; False if that takes too long."""
        solver = self._solvers[goal.attacker - 1]
        solver.memory.forget()
        solver.memory.game.most_levels = depth
        solver.limit(float("inf"), _NODES, None)
        is_proven = solver.attempt(state, goal) == Outcome.PROVEN
        return is_proven and int(solver.memory.worker.distance) <= depth


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, help="names; all eight if not given")
    parser.add_argument("--positions", type=int, default=125, help="of each game")
    parser.add_argument("--seed", type=int, default=1, help="of random games")
    options = parser.parse_args()
    for name in options.games:
        found, room = Finder(name, options.seed).find(), options.positions
        short_room = 2 * room // 3
        while room:
            one = next(found)
            is_short = one["depth"] == SHORTEST
            if short_room or not is_short:
                short_room -= is_short
                room -= 1
                print(json.dumps(one), flush=True)


if __name__ == "__main__":
    main()
