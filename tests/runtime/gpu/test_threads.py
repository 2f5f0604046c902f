"""The function of a GPU's threads, run on the processor, plays the games of ordinary playouts."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import numpy as np
import pytest
from numpy.typing import NDArray

import semisplit
from semisplit.core.limits import MAX_MOVES
from semisplit.core.rules import Rules
from semisplit.core.strategy import SplitStrategy
from semisplit.runtime.abi import Job, Part, Status
from semisplit.runtime.gpu.game import MOVES, SCORES, STATES, STATUS
from semisplit.runtime.gpu.lockstep import ALONE
from semisplit.runtime.scratch import MAX_WORK
from semisplit.runtime.target import Target, link

GAMES = ("amazons", "breakthrough", "connect4", "fox_and_hounds", "hex_9x9", "tic_tac_toe")
LEVELS = 16


def rules_of(game: str, split: str | None) -> Rules:
    rules = semisplit.load(game).rules
    return rules.split(SplitStrategy.parse(split)) if split else rules


def start_of(rules: Rules) -> bytes:
    compiled = rules.compile(Part.GAME)
    return compiled.run_keeper(compiled.codec.pack(rules.start))


def run_thread(
    rules: Rules, seeds: list[int], count: int, length: int, levels: int = LEVELS
) -> NDArray[np.int64]:
    """The results of one thread that does all of a job, compiled for this processor."""
    module = llvm.parse_assembly(rules.emit_threads(levels))
    module.link_in(llvm.parse_assembly(ALONE))
    library = link(Target.host().object_code(str(module)), f"thread{id(module)}", ["thread"])
    thread = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library["thread"])
    states = np.frombuffer(start_of(rules) * len(seeds), np.uint8)
    numbers = np.array(seeds, np.uint64)
    players = len(rules.players)
    results = np.zeros((len(seeds), SCORES + players), np.int64)
    job = Job(
        pieces=len(seeds) * -(-count // length),
        states=states.ctypes.data,
        seeds=numbers.ctypes.data,
        count=count,
        length=length,
        max_moves=MAX_MOVES,
        max_work=MAX_WORK,
        results=results.ctypes.data,
    )
    thread(ctypes.addressof(job))
    return results


@pytest.mark.parametrize("split", [None, "Mod", "ModShift", "Plus"])
@pytest.mark.parametrize("game", GAMES)
def test_games_are_those_of_the_processor(game: str, split: str | None) -> None:
    rules = rules_of(game, split)
    compiled, start = rules.compile(Part.GAME), start_of(rules)
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
    compiled, start = rules.compile(Part.GAME), start_of(rules)
    seeds = [*range(40)]
    few, many = (run_thread(rules, seeds, 1, 1, levels) for levels in (16, 256))
    assert set(few[:, STATUS]) == {Status.OK, Status.LONG_MOVE}
    for seed, row in zip(seeds, many):
        played = compiled.playouts(start, seed)
        assert tuple(row) == (Status.OK, played.moves, played.states, *played.scores)


def test_pieces_of_a_job_are_added_up() -> None:
    rules = rules_of("breakthrough", "Mod")
    compiled, start = rules.compile(Part.GAME), start_of(rules)
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
