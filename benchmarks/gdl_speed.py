"""How fast games in GDL are: from text to the first playout, and playouts afterwards.

    python -m benchmarks.gdl_speed [GAMES] > benchmarks/results/gdl_speed.md

Nothing is taken from the cache, and what is compiled in the background is waited for. One thread;
all rates are per second of the processor.
"""

import argparse
import ctypes
import resource
import threading
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.yardstick import cpu_name
from semisplit import games
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import FUNCTIONS
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.native.interface.compile import compile_game, object_name
from semisplit.language.gdl.native.interface.faster import THREAD
from semisplit.language.gdl.network.explain import explain
from semisplit.language.gdl.play.interpret import Interpreter

FOLDER = Path(games.__file__).parent
PROTOTYPE = {
    "tic_tac_toe": 249e6,
    "connect4_8": 61.3e6,
    "connect4_7": 61.1e6,
    "breakthrough": 4.13e6,
    "pentago": 13.2e6,
    "eight_puzzle": 24.8e6,
    "incredible": 39.1e6,
    "nonogram_g": 130e6,
    "queens08lg": 72e6,
    "othello": 1.59e6,
    "checkers": 258e3,
    "hex_9": 96e3,
}
"""Playouts per second in lanes of a throwaway prototype, on rules of other authors."""
SANCHO = {
    "tic_tac_toe": 119_039,
    "connect4_8": 63_203,
    "connect4_7": 34_865,
    "breakthrough": 15_884,
    "pentago": 7_881,
    "eight_puzzle": 4_444,
    "incredible": 125_579,
    "nonogram_g": 109_339,
    "queens08lg": 105_374,
    "othello": 1_282,
    "hex_9": 650,
}
"""Playouts per second of Sancho 1.61c, one at a time, on rules of other authors."""
PAPERS = {
    "breakthrough": 217,
    "checkers": 48,
    "connect4_7": 1_111,
    "farmers": 588,
    "farming_quandries": 667,
    "hex_9": 1_250,
    "othello": 3.4,
    "pentago": 72,
    "pilgrimage": 49,
    "incredible": 4_669,
    "nonogram_g": 11_300,
}
"""Simulations per second in the papers, some of them with the tree search around them."""
SECONDS = 0.3
INTRODUCTION = f"""\
# Speed of games in GDL

`python -m benchmarks.gdl_speed` on one core of {cpu_name()}.

Rates are per second of the processor, by one thread. *Gates* are those of the ground rules as they
are, and of the reduced network; *turns* says whether roles are proven to take turns. *First
playout* is the time from the text to it, nothing being cached: of the clock, and in brackets of the
processor, clingo's included. *Lanes* are playouts 256 at once from the initial state; *single* ones
are made by a call each, whose own time (about a microsecond from Python) is included.

Then, how many times the playouts per second of others: a prototype in lanes and Sancho, one state
at a time, both on rules of other authors and on a processor of the generation before (Zen 3); and
the papers, where a tree search is around them, on processors of 2011 (i7).
"""
COLUMNS = {
    "game": "---",
    "fluents": "---:",
    "moves": "---:",
    "gates before": "---:",
    "after": "---:",
    "turns": "---",
    "first playout, s": "---:",
    "lanes, playouts/s": "---:",
    "states/s": "---:",
    "single, playouts/s": "---:",
    "microseconds": "---:",
    "lanes / prototype": "---:",
    "lanes / Sancho": "---:",
    "single / Sancho": "---:",
    "single / papers": "---:",
}


class Speed(NamedTuple):
    """What was measured of playouts."""

    lanes: float
    states: float
    single: float


def processor() -> float:
    """Seconds of the processor, those of processes that have ended included."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def measure_start(text: str, name: str) -> tuple[CompiledGame, str]:
    """The compiled game, and the time to its first playout."""
    key = object_name(text)
    for kept in (key, key + "-faster"):
        cache.forget(kept)
    clock, spent = time.perf_counter(), processor()
    description = parse(text, name)
    compiled = compile_game(description)
    compiled.playouts(start_of(compiled, description), 0)
    clock, spent = time.perf_counter() - clock, processor() - spent
    for thread in threading.enumerate():
        if thread.name == THREAD:
            thread.join()
    return compiled, f"{clock:.2f} ({spent:.2f})"


def start_of(compiled: CompiledGame, description: Description) -> bytes:
    return compiled.codec.pack(Interpreter(description).start)


def measure_playouts(compiled: CompiledGame, start: bytes) -> Speed:
    count, lanes = 256, 0.0
    while lanes < SECONDS:
        count *= 2
        begin = time.process_time()
        played = compiled.playouts(start, 1, count)
        lanes = time.process_time() - begin
    return Speed(count / lanes, played.states / lanes, 1 / measure_single(compiled, start))


def measure_single(compiled: CompiledGame, start: bytes) -> float:
    """Seconds of a playout, by calls without anything around them."""
    result, arguments = FUNCTIONS["orthodox_playouts"]
    address = compiled.addresses["orthodox_playouts"]
    play = ctypes.CFUNCTYPE(result, *arguments)(address)
    state = ctypes.create_string_buffer(start, len(start))
    sums = (ctypes.c_int64 * compiled.facts.players)()
    context = compiled._scratch().address
    begin, calls = time.process_time(), 0
    while time.process_time() - begin < SECONDS:
        for _ in range(100):
            ctypes.memmove(state, start, len(start))
            play(state, calls, 1, sums, context)
            calls += 1
    return (time.process_time() - begin) / calls


def row(name: str) -> str:
    text = (FOLDER / f"{name}.kif").read_text()
    compiled, first = measure_start(text, name)
    description = parse(text, name)
    told = explain(description)
    speed = measure_playouts(compiled, start_of(compiled, description))
    sizes = told.data
    turns = "-" if len(description.roles) == 1 else "yes" if told.turns.exclusive else "no"
    cells = [
        name,
        f"{sizes['fluents']:,}",
        f"{sizes['moves']:,}",
        f"{dict(told.circuit.history)['rules']:,}",
        f"{sizes['gates']:,}",
        turns,
        first,
        f"{speed.lanes:.3g}",
        f"{speed.states:.3g}",
        f"{speed.single:.3g}",
        f"{1e6 / speed.single:.3g}",
        ratio(speed.lanes, PROTOTYPE.get(name)),
        ratio(speed.lanes, SANCHO.get(name)),
        ratio(speed.single, SANCHO.get(name)),
        ratio(speed.single, PAPERS.get(name)),
    ]
    return f"| {' | '.join(cells)} |"


def ratio(ours: float, theirs: float | None) -> str:
    return "" if theirs is None else f"{ours / theirs:.3g}"


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=sorted(p.stem for p in FOLDER.glob("*.kif")))
    arguments = parser.parse_args()
    print(INTRODUCTION)
    print(f"| {' | '.join(COLUMNS)} |", f"|{'|'.join(COLUMNS.values())}|", sep="\n", flush=True)
    for game in arguments.games:
        print(row(game), flush=True)


if __name__ == "__main__":
    main()
