"""Proofs agree with retrograde analysis, on games of both languages that were made up at random.

These have circles, dead semimoves, players who move several times in a row, and scores of any kind.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from semisplit.core.errors import WorkLimit
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.game import Game, State
from semisplit.search.proof import ProofSettings, Solver
from semisplit.search.proof import solver as solver_module
from semisplit.search.proof.memory import Memory
from semisplit.search.proof.reference import Retrograde
from tests.support.board_games import board_game
from tests.support.graph_games import gdl_graph, rbg_graph

MAKERS = {"board": board_game, "graph": rbg_graph, "gdl": gdl_graph}
POSITIONS = 16
MOST = 3000


def check(maker: str, seed: int, split: str | None = None) -> Counter[str]:
    """Solve positions of a random game; how many there were of which kind."""
    name = f"{maker}{seed}.{'kif' if maker == 'gdl' else 'rbg'}"
    game, found = Game.parse(MAKERS[maker](Random(seed)), name), Counter[str]()
    strategy = SplitStrategy.parse(split) if split else None
    for player in (1, 2):
        try:
            truth = Retrograde(game.initial_state(), player, MOST)
        except WorkLimit:
            return Counter(large=1)
        solver = Solver(game, ProofSettings(split=strategy), player=player)
        for position, bounds in [*truth.bounds().items()][:POSITIONS]:
            state = State(game, position)
            proof = solver.solve(state)
            assert (proof.lowest, proof.highest) == bounds
            assert proof.is_solved
            found["endless" if proof.endless else "value"] += 1
            if proof.value is not None:
                for move in proof.line:
                    state = state.apply(move)
                assert state.is_terminal
                assert state.scores[player - 1] == proof.value
    return found


@pytest.mark.parametrize("maker", MAKERS)
def test_values_are_those_of_retrograde_analysis(maker: str) -> None:
    found: Counter[str] = sum((check(maker, seed) for seed in range(8)), Counter())
    assert found["value"] > 30
    assert found["endless"] > 0 or maker == "board"


@pytest.mark.parametrize("split", STRATEGIES)
@pytest.mark.parametrize("maker", ["board", "graph"])
def test_splits_change_nothing(maker: str, split: str) -> None:
    assert check(maker, 100 + STRATEGIES.index(split), split)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_table_that_is_always_full_is_never_wrong(
    maker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver_module, "_MILLION", 256)
    for seed in range(20, 24):
        check(maker, seed)


def test_positions_that_are_taken_for_others_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a key of the first eight bytes of a state these tests fail."""
    original = Memory

    def with_short_keys(*arguments: Any) -> Any:
        memory = original(*arguments)
        memory.game.key_words = 1
        return memory

    monkeypatch.setattr(solver_module, "Memory", with_short_keys)
    with pytest.raises(AssertionError):
        _ = [check("board", seed) for seed in range(8)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_games(maker: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    monkeypatch.setattr(solver_module, "_MILLION", 1 << random.randrange(6, 20))
    check(maker, seed, random.choice(STRATEGIES) if maker != "gdl" else None)
