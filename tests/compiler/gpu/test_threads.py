"""The function of a GPU's threads, run on the processor, plays the games of ordinary playouts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import semisplit
from semisplit.compiler.gpu import game as gpu_game
from semisplit.compiler.gpu.game import MOVES, SCORES, STATES, STATUS, GpuGame
from semisplit.compiler.runtime.abi import Bundle, Status
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rules import Rules
from tests.support.threads import LEVELS, rules_of, run_job, run_thread, start_of

GAMES = ("amazons", "breakthrough", "connect4", "fox_and_hounds", "hex_9x9", "tic_tac_toe")


@pytest.mark.parametrize(
    ("game", "split"),
    [
        *((game, split) for game in GAMES for split in (None, "Mod")),
        *((game, split) for game in GAMES[:2] for split in ("ModShift", "Plus")),
    ],
)
def test_games_are_those_of_the_processor(game: str, split: str | None) -> None:
    rules = rules_of(game, split)
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    seeds = [7 * number for number in range(12)]
    for seed, row in zip(seeds, run_thread(rules, seeds, 1, 1)):
        played = compiled.playouts(start, seed, semisplit=split is not None)
        assert row[STATUS] == Status.OK
        assert (row[MOVES], row[STATES]) == (played.moves, played.states)
        assert tuple(row[SCORES:]) == played.scores


def test_games_with_a_busy_keeper() -> None:
    test_games_are_those_of_the_processor("reversi", "Mod")
    test_games_are_those_of_the_processor("the_mill_game", None)


def test_games_with_long_moves() -> None:
    # Each thread has room for moves of 16 steps beyond what is certain, and some are longer.
    rules = rules_of("paper_soccer", None)
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    seeds = [*range(40)]
    few, many = (run_thread(rules, seeds, 1, 1, levels) for levels in (16, 256))
    assert set(few[:, STATUS]) == {Status.OK, Status.LONG_MOVE}
    for seed, row in zip(seeds, many):
        played = compiled.playouts(start, seed)
        assert tuple(row) == (Status.OK, played.moves, played.states, *played.scores)


class OnProcessor(GpuGame):
    """A game on a GPU whose kernels are one thread of this processor."""

    def __init__(self, rules: Rules, most_levels: int):
        self._rules, self._compiled = rules, rules.compile(Bundle.GAME)
        self.facts = self._compiled.facts
        self._levels, self._most = LEVELS, most_levels
        self._texts: dict[int, str] = {}

    def _grow(self, levels: int) -> bool:
        self._levels = min(2 * levels, self._most)
        return self._levels > levels

    def _play(
        self, states: NDArray[np.uint8], seeds: NDArray[np.uint64], count: int
    ) -> NDArray[np.int64]:
        if self._levels not in self._texts:
            self._texts[self._levels] = self._rules.emit_threads(self._levels)
        text = self._texts[self._levels]
        return run_job(text, self.facts.players, np.ascontiguousarray(states), seeds, count, 1)


@pytest.mark.parametrize("most_levels", [LEVELS, 2 * LEVELS])
def test_games_with_moves_too_long_for_threads(
    most_levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # They are divided into 3 and a rest, as often as it takes to find those with long moves.
    monkeypatch.setattr(gpu_game, "_DIVIDED", 3)
    rules = rules_of("paper_soccer", "Mod")
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    results = OnProcessor(rules, most_levels).batch_playouts([start] * 2, [5, 100], 10)
    for index, seed in enumerate((5, 100)):
        played = compiled.playouts(start, seed, 10, semisplit=True)
        assert (results.moves[index], results.states[index]) == (played.moves, played.states)
        assert tuple(results.scores[index]) == played.scores


def test_pieces_of_a_job_are_added_up() -> None:
    rules = rules_of("breakthrough", "Mod")
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    rows = run_thread(rules, [3, 1000], count=10, length=4)
    for seed, row in zip((3, 1000), rows):
        played = compiled.playouts(start, seed, 10, semisplit=True)
        assert tuple(row[MOVES:]) == (played.moves, played.states, *played.scores)


LONG_MOVE = f"""
#players = one(100)
#pieces = e, x, y
#variables =
#board = rectangle(up,down,left,right, [{"e," * 60}y])
#rules = ->one ({{e}} [x] right)* {{y}} [e] ->> [$ one=100] ->> {{}}
"""


@pytest.mark.parametrize("split", [None, "Mod", "Plus"])
def test_a_thread_without_enough_memory_says_so(split: str | None) -> None:
    rules = semisplit.Game.parse(LONG_MOVE, "long_move").rules
    rules = rules.split(SplitStrategy.parse(split)) if split else rules
    (few,) = run_thread(rules, [1], 1, 1, levels=4)
    assert few[STATUS] == Status.LONG_MOVE
    (many,) = run_thread(rules, [1], 1, 1, levels=256)
    assert (many[STATUS], many[SCORES]) == (Status.OK, 100)
