"""The same seeds give the same games on a GPU as on the processor, game by game."""

from __future__ import annotations

import pytest

import semisplit
from semisplit.compiler.gpu.driver import Device, GpuError
from semisplit.compiler.gpu.game import MOVES, SCORES, GpuGame
from semisplit.compiler.runtime.abi import THREAD_LANES, Bundle
from tests.support.threads import rules_of, run_code, start_of


@pytest.fixture(scope="module", autouse=True)
def device() -> Device:
    try:
        return Device.first()
    except GpuError as error:
        pytest.skip(f"{error}, so games on it cannot be compared")


GAMES = ("breakthrough", "chess", "connect4", "go_9x9", "go_13x13", "paper_soccer", "reversi")
"""All are in `benchmarks.gpu check`."""


@pytest.mark.parametrize("game", GAMES)
def test_games_are_those_of_the_processor(game: str) -> None:
    for split in (None, "Mod", "Plus"):
        rules = rules_of(game, split)
        compiled, start = rules.compile(Bundle.GAME), start_of(rules)
        seeds = [*range(100, 100 + 64)]
        results = GpuGame(rules).batch_playouts([start] * len(seeds), seeds)
        for index, seed in enumerate(seeds):
            played = compiled.playouts(start, seed, semisplit=split is not None)
            assert results.moves[index] == played.moves
            assert results.states[index] == played.states
            assert tuple(results.scores[index]) == played.scores
    # Other processes may need the memory for its threads.
    Device.first().reset()


@pytest.mark.parametrize("game", ["breakthrough.kif", "connect4_7", "hex_9", "farmers"])
def test_games_in_lanes_are_those_of_a_thread_of_the_processor(game: str) -> None:
    rules, count = semisplit.load(game).rules, 2 * THREAD_LANES + 6
    seeds = [100, 200, 300]
    rows = run_code(rules.emit_threads(0), rules, seeds, count, THREAD_LANES)
    results = GpuGame(rules).batch_playouts([start_of(rules)] * len(seeds), seeds, count)
    assert results.moves.tolist() == rows[:, MOVES].tolist()
    assert results.scores.tolist() == rows[:, SCORES:].tolist()


def test_games_with_moves_too_long_for_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "has_memory", lambda self, local_bytes: False)
    rules = rules_of("paper_soccer", "Mod")
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    played = compiled.playouts(start, 1, 1000, semisplit=True)
    results = GpuGame(rules).playouts(start, 1, 1000)
    assert (results.moves[0], results.states[0]) == (played.moves, played.states)
    assert tuple(results.scores[0]) == played.scores


def test_many_games_are_added_up() -> None:
    rules = rules_of("connect4", "Mod")
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    played = compiled.playouts(start, 1, 100_000, semisplit=True)
    results = GpuGame(rules).playouts(start, 1, 100_000)
    assert (results.moves[0], results.states[0]) == (played.moves, played.states)
    assert tuple(results.scores[0]) == played.scores
