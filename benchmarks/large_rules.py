"""Large rules: how long it takes to compile games as competitions have them, and how fast they are.

    python -m benchmarks.large_rules [NAMES OR FILES] > benchmarks/results/large_rules.md
    python -m benchmarks.large_rules --compare 200 chess skirmish

Without arguments: the texts in benchmarks/large and all bundled games. Each game is compiled in a
process of its own, and nothing is taken from the cache. Seconds are those of the processor, from the
text to the first playout, clingo's included; what goes on in the background afterwards is not.
`--compare` plays at random instead, and compares so many steps with the interpreter.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from statistics import median, quantiles

from benchmarks.gdl_speed import measure_playouts, processor, start_of
from benchmarks.yardstick import cpu_name
from semisplit import games
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.reasoner import CompiledReasoner
from semisplit.core.errors import CompileLimit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.native.interface import faster
from semisplit.language.gdl.native.interface.compile import compile_game, object_name
from semisplit.language.gdl.network.circuit import build_circuit
from semisplit.language.gdl.play.interpret import Interpreter

LARGE = Path(__file__).parent / "large"
BUNDLED = Path(games.__file__).parent
PERFT = {
    "chess": [20, 400, 8_902],
    "checkers": [7, 49, 379, 2_872],
    "othello": [4, 12, 56, 244],
    "amazons": [2_176],
    "nine_mens_morris": [24, 552],
    "chinese_checkers_6": [14],
    "hex_19": [361],
}
"""Sequences of moves: of other programs, or counted by hand."""
COLUMNS = ("seconds", "memory, MB", "ground rules", "gates", "playouts/s", "one by one")
INTRODUCTION = f"""\
# Large rules

`python -m benchmarks.large_rules` on one core of {cpu_name()}, which did other work, too.

Seconds of the processor from the text to the first playout, nothing being cached; the most memory
that a process took (the game's, or clingo's); ground rules and gates of the network; playouts per
second of the processor, 256 at once and one by one, while large sections are interpreted: what
is compiled in the background is not waited for.
"""


def path_of(name: str) -> Path:
    """The file of a test sheet, of a bundled game, or of that name."""
    for folder in (LARGE, BUNDLED):
        if (path := folder / f"{name}.kif").exists():
            return path
    return Path(name)


def measure(path: Path) -> dict[str, float]:
    """What a game takes; to be called in a process of its own."""
    text = path.read_text()
    cache.forget(object_name(text))
    # Measured is what there is when play begins.
    faster.get_faster = lambda *_: None
    begin = processor()
    description = parse(text, path.stem)
    compiled = compile_game(description)
    start = start_of(compiled, description)
    compiled.playouts(start, 0)
    seconds = processor() - begin
    memory = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    speed = measure_playouts(compiled, start)
    program = ground(description)
    gates = build_circuit(program).network.size
    figures = (seconds, memory / 1024, len(program.rules), gates, speed.lanes, speed.single)
    return dict(zip(COLUMNS, figures))


def measure_apart(name: str) -> dict[str, float] | str:
    """What a game takes, or why it is not compiled."""
    command = [sys.executable, "-m", "benchmarks.large_rules", "--one", name]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip().rpartition("\n")[2]
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def compare(path: Path, steps: int) -> str:
    """Compare the compiled game with the interpreter, step by step, and known counts."""
    description = parse(path.read_text(), path.stem)
    interpreter, compiled = Interpreter(description), compile_game(description)
    reasoner = CompiledReasoner(compiled, interpreter.start)
    random, position, compared, ended = Random(path.stem), interpreter.start, 0, 0
    begin = time.process_time()
    while compared < steps:
        moves = [*interpreter.list_moves(position)]
        assert reasoner.list_moves(position) == moves
        if not moves:
            goals = [max(values, default=0) for values in interpreter.goals(position.fluents)]
            assert compiled.scores(compiled.run_keeper(compiled.codec.pack(position))) == (*goals,)
            position, ended = interpreter.start, ended + 1
            continue
        chosen = random.choice(moves)
        after = interpreter.follow(position, chosen)
        assert after is not None
        assert reasoner.follow(position, chosen) == after
        position, compared = after, compared + 1
    counts = [
        count(reasoner, interpreter, depth) for depth, _ in enumerate(PERFT.get(path.stem, []))
    ]
    assert counts == PERFT.get(path.stem, []), counts
    seconds = time.process_time() - begin
    return f"{path.stem}: {compared} steps and {ended} ends are the same, counts {counts}, {seconds:.0f} s"


def count(reasoner: CompiledReasoner, interpreter: Interpreter, depth: int) -> int:
    """The sequences of one move more than a depth."""

    def below(position: object, left: int) -> int:
        if left == 0:
            return int(reasoner.count_moves(position))
        following = (reasoner.follow(position, steps) for steps in reasoner.list_moves(position))
        return sum(below(after, left - 1) for after in following)

    return below(interpreter.start, depth)


def table(names: list[str]) -> None:
    """Print a line for each game, then what most of them take."""
    print(INTRODUCTION)
    print(f"| game | {' | '.join(COLUMNS)} |", f"|---|{'---:|' * len(COLUMNS)}", sep="\n")
    seconds = []
    for name in names:
        found = measure_apart(name)
        if isinstance(found, str):
            print(f"| {path_of(name).stem} | {found} |{' |' * (len(COLUMNS) - 1)}", flush=True)
            continue
        seconds.append(found["seconds"])
        written = (f"{found[column]:,.{1 if column == 'seconds' else 0}f}" for column in COLUMNS)
        print(f"| {path_of(name).stem} | {' | '.join(written)} |", flush=True)
    if len(seconds) > 1:
        last = quantiles(seconds, n=10, method="inclusive")[-1]
        print(f"\nSeconds: median {median(seconds):.2f}, 90th percentile {last:.2f}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--compare", type=int, metavar="STEPS")
    parser.add_argument("--one", action="store_true", help="print the figures of one game as JSON")
    options = parser.parse_args()
    everything = [path.stem for folder in (LARGE, BUNDLED) for path in sorted(folder.glob("*.kif"))]
    names = options.names or everything
    if options.one:
        try:
            print(json.dumps(measure(path_of(names[0]))))
        except CompileLimit as error:
            sys.exit(str(error))
    elif options.compare:
        for name in names:
            print(compare(path_of(name), options.compare), flush=True)
    else:
        table(names)


if __name__ == "__main__":
    main()
