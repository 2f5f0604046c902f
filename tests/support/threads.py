"""The function of a GPU's threads, run on the processor."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

import semisplit
from semisplit.compiler.gpu.game import SCORES
from semisplit.compiler.gpu.lockstep import ALONE
from semisplit.compiler.runtime.abi import Bundle, Job
from semisplit.compiler.runtime.scratch import MAX_WORK
from semisplit.compiler.runtime.target import Target, link
from semisplit.core.limits import MAX_MOVES
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rules import Rules

LEVELS = 16


def rules_of(game: str, split: str | None) -> Rules:
    rules = semisplit.load(game).rules
    return rules.split(SplitStrategy.parse(split)) if split else rules


def start_of(rules: Rules) -> bytes:
    compiled = rules.compile(Bundle.GAME)
    return compiled.run_keeper(compiled.codec.pack(rules.start))


def run_thread(
    rules: Rules, seeds: list[int], count: int, length: int, levels: int = LEVELS
) -> NDArray[np.int64]:
    """The results of one thread that does all of a job, compiled for this processor."""
    return run_code(rules.emit_threads(levels), rules, seeds, count, length)


def run_code(
    text: str, rules: Rules, seeds: list[int], count: int = 1, length: int = 1
) -> NDArray[np.int64]:
    """The same with the code of a thread."""
    states = np.frombuffer(start_of(rules) * len(seeds), np.uint8)
    return run_job(text, len(rules.players), states, np.array(seeds, np.uint64), count, length)


def run_job(
    text: str,
    players: int,
    states: NDArray[np.uint8],
    seeds: NDArray[np.uint64],
    count: int,
    length: int,
) -> NDArray[np.int64]:
    """The same from states that follow each other."""
    results = np.zeros((len(seeds), SCORES + players), np.int64)
    job = Job(
        pieces=len(seeds) * -(-count // length),
        states=states.ctypes.data,
        seeds=seeds.ctypes.data,
        count=count,
        length=length,
        max_moves=MAX_MOVES,
        max_work=MAX_WORK,
        results=results.ctypes.data,
    )
    library = compiled_thread(text)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library["thread"])(ctypes.addressof(job))
    return results


@lru_cache(maxsize=4)
def compiled_thread(text: str) -> llvm.ResourceTracker:
    module = llvm.parse_assembly(text)
    module.link_in(llvm.parse_assembly(ALONE))
    return link(Target.host().object_code(str(module)), f"thread{id(module)}", ["thread"])
