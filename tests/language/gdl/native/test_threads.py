"""Games in GDL as a GPU's threads play them, on the processor."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import semisplit
from semisplit.compiler.gpu.game import MOVES, SCORES, STATES, STATUS
from semisplit.compiler.gpu.kernel import emit_ptx, gpu_target
from semisplit.compiler.runtime.abi import THREAD_LANES, Bundle, Status
from semisplit.core.errors import CompileLimit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.native.interface import build
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from tests.compiler.gpu.test_threads import OnProcessor
from tests.language.gdl.native.test_batch import some_states
from tests.language.gdl.native.test_native import TAKING, expected, load
from tests.support.ptx import translate
from tests.support.threads import run_code, run_job, start_of


def rules_of(name: str) -> GdlRules:
    return GdlRules(load(name)[0])


def run(
    rules: GdlRules, states: list[bytes], seeds: list[int], count: int, length: int = THREAD_LANES
) -> NDArray[np.int64]:
    memory, numbers = np.frombuffer(b"".join(states), np.uint8), np.array(seeds, np.uint64)
    return run_job(rules.emit_threads(0), len(rules.players), memory, numbers, count, length)


@pytest.mark.parametrize(
    ("name", "number", "count"), [("tic_tac_toe", 70, 5000), ("rps_well", 3, 20000)]
)
def test_each_state_gets_its_own_scores(name: str, number: int, count: int) -> None:
    rules = rules_of(name)
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    states = [start] * 3 if number == 3 else some_states(compiled, start, number)
    rows = run(rules, states, [*range(len(states))], count, length=1000)
    assert not rows[:, STATUS].any()
    for state, row in zip(states, rows):
        mean = expected(compiled, state)
        assert row[MOVES] == row[STATES]
        for role, score in enumerate(row[SCORES:]):
            spread = max(0.0, mean[2 + role] - mean[role] ** 2) ** 0.5
            assert abs(score / count - mean[role]) <= 5 * spread / count**0.5 + 1e-9


@pytest.mark.parametrize("name", ["breakthrough", "connect4_3p", "connected", "farmers", "hex_4"])
def test_random_play_is_that_of_the_processor(name: str) -> None:
    # With many moves of a role, three roles, loops, goals that take long.
    rules, count = rules_of(name), 20_000
    played = rules.compile(Bundle.GAME).playouts(start_of(rules), 3, count)
    (row,) = run(rules, [start_of(rules)], [3], count, length=1024)
    assert row[MOVES] == pytest.approx(played.moves, rel=0.01)
    for score, other in zip(row[SCORES:], played.scores):
        assert abs(score - other) / count < 5 * 50 * (2 / count) ** 0.5


def test_pieces_of_a_job_are_added_up() -> None:
    rules = rules_of("connect4_7")
    start = start_of(rules)
    (whole,) = run(rules, [start], [7], 70)
    parts = [run(rules, [start], [seed], count)[0] for seed, count in ((7, 32), (39, 32), (71, 6))]
    assert whole.tolist() == np.sum(parts, axis=0).tolist()


@pytest.mark.parametrize("name", ["breakthrough", "connect4_7", "hex_4"])
def test_kernels_play_the_same_games(name: str) -> None:
    rules = rules_of(name)
    ptx = emit_ptx(rules.emit_threads(0), gpu_target(90))
    assert ".func" not in ptx.text
    seeds = [5, 1000]
    rows = run_code(translate(ptx.text), rules, seeds, 70, THREAD_LANES)
    expected_rows = run_code(rules.emit_threads(0), rules, seeds, 70, THREAD_LANES)
    assert rows.tolist() == expected_rows.tolist()


def test_states_whose_turns_are_not_proven_are_left_to_the_processor() -> None:
    rules = GdlRules(parse(TAKING, "taking"))
    compiled, interpreter = rules.compile(Bundle.GAME), Interpreter(rules.description)
    both = [Term("control", (Term(role),)) for role in "ab"]
    strange = compiled.codec.pack(interpreter.begin(frozenset([Term("left", (Term("3"),)), *both])))
    states = [start_of(rules), strange]
    assert run(rules, states, [1, 2], 40)[:, STATUS].tolist() == [Status.OK, Status.LEFT]
    count = 2000
    results = OnProcessor(rules, 0).batch_playouts(states, [1, 2], count)
    # One in three takes the right thing, at each of its turns: one of them, or two.
    for scores, chance in zip(results.scores, (1 / 3, 5 / 9)):
        spread = 100 * (chance * (1 - chance)) ** 0.5
        assert np.all(np.abs(scores / count - 100 * chance) < 5 * spread / count**0.5)


def test_games_that_are_too_large_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST_ON_GPU", 100)
    with pytest.raises(CompileLimit, match="connect4_7 is too large for GPUs: its network has"):
        semisplit.load("connect4_7").rules.emit_threads(0)
