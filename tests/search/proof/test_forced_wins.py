"""The kept positions with forced wins are what they are said to be."""

import json
from collections import Counter
from pathlib import Path

import pytest

import semisplit
from semisplit.search.proof import ProofSettings, Solver
from semisplit.search.proof.goal import Goal, Outcome

KEPT = Path(__file__).parents[3] / "benchmarks" / "results" / "forced_wins.jsonl"
POSITIONS = [json.loads(line) for line in KEPT.read_text().splitlines()]


def test_no_position_is_kept_twice() -> None:
    found = Counter((one["game"], one["position"]) for one in POSITIONS)
    assert max(found.values()) == 1
    assert {one["depth"] for one in POSITIONS} == {3, 5, 7}
    assert all(0 < 2 * len(one["moves"]) <= one["legal"] for one in POSITIONS)


@pytest.mark.parametrize("name", ["connect4", "breakthrough", "connect4_8.kif"])
def test_their_moves_win_in_so_many_moves(name: str) -> None:
    game = semisplit.load(name)
    solvers = [Solver(game, ProofSettings(table_mb=1), player=player) for player in (1, 2)]
    for one in [one for one in POSITIONS if one["game"] == name][::12]:
        state = game.parse_state(one["position"])
        assert state.player_name == one["player"]
        solver, goal = solvers[state.player - 1], Goal(state.player, True, 100)
        for move in state.moves():
            solver.memory.forget()
            solver.memory.game.most_levels = one["depth"] - 1
            is_proven = solver.attempt(state.apply(move), goal) == Outcome.PROVEN
            is_in_time = is_proven and solver.memory.worker.distance < one["depth"]
            assert is_in_time == (str(move) in one["moves"])
