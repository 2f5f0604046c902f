"""How fast games in GDL are: from text to the first playout, and playouts afterwards.

    python -m benchmarks.gdl_speed [GAMES]

Nothing is taken from the cache. Seconds to the first playout are of the clock, and in brackets of
the processor, clingo's included. Rates are per second of the processor, one thread: `lanes` are
playouts 256 at once; `single` is the time of a step in playouts made one by one, where the other
lanes play along in vain. Gates are those of the rules as they are, and of the reduced network.
The last column is what a throwaway prototype reached, on rules of other authors and on a processor
of the generation before (Zen 3 instead of Zen 4), for an idea of the order of magnitude.
"""

import resource
import sys
import time
from pathlib import Path

import llvmlite.binding as llvm

from semisplit import games
from semisplit.gdl.description import parse
from semisplit.gdl.ground.program import ground
from semisplit.gdl.interpret import Interpreter
from semisplit.gdl.native.compile import compile_game, object_name
from semisplit.gdl.network.circuit import build_circuit
from semisplit.runtime import cache

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
"""Playouts per second of the processor."""
SECONDS = 0.4


def processor() -> float:
    """Seconds of the processor, those of processes that have ended included."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def measure(name: str) -> str:
    text = (FOLDER / f"{name}.kif").read_text()
    cache.forget(object_name(text, None))
    clock, spent = time.perf_counter(), processor()
    description = parse(text, name)
    compiled = compile_game(description)
    start = compiled.codec.pack(Interpreter(description).start)
    compiled.playouts(start, 0)
    clock, spent = time.perf_counter() - clock, processor() - spent
    circuit = build_circuit(ground(description))
    count, lanes = 256, 0.0
    while lanes < SECONDS:
        count *= 2
        begin = time.process_time()
        played = compiled.playouts(start, 1, count)
        lanes = time.process_time() - begin
    begin, steps, calls = time.process_time(), 0, 0
    while time.process_time() - begin < SECONDS / 2:
        steps += compiled.playouts(start, calls).moves
        calls += 1
    single = (time.process_time() - begin) / steps
    history = dict(circuit.history)
    known = f"{PROTOTYPE[name]:10.3g}" if name in PROTOTYPE else ""
    return (
        f"{name:22} {clock:6.2f} ({spent:5.2f}) {history['rules']:9,} {circuit.network.size:7,}"
        f" {count / lanes:10.3g} {played.states / lanes:9.3g} {1e9 * single:9.0f} {known}"
    )


def main() -> None:
    """Print a line for each game."""
    print(f"processor: {llvm.get_host_cpu_name()}")
    print(
        f"{'game':22} text to playout {'rules':>9} {'gates':>6} {'playouts/s':>11}"
        f" {'states/s':>9} single ns prototype"
    )
    for game in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.kif")):
        print(measure(game), flush=True)


if __name__ == "__main__":
    main()
