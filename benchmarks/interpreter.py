"""How fast the interpreter of GDL is: the first legal moves, and steps of random games.

    python -m benchmarks.interpreter [FILES] [--steps 20]

Without files: those in benchmarks/large. Times are of the processor.
"""

import argparse
import time
from pathlib import Path
from random import Random
from statistics import median

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import Interpreter


def measure(path: Path, steps: int) -> str:
    """A line about a game."""
    game, random = Interpreter(parse(path.read_text(), path.name)), Random(1)
    begin = time.process_time()
    position = game.start
    first = time.process_time() - begin
    seconds: list[float] = []
    while position.player and len(seconds) < steps:
        begin = time.process_time()
        legal = game.legal(position.fluents)
        after = game.next_state(position.fluents, tuple(map(random.choice, legal)))
        position = game.begin(after)
        seconds.append(time.process_time() - begin)
    shown = [first, median(seconds), max(seconds)]
    return f"| {path.stem} | {' | '.join(f'{1000 * one:.1f}' for one in shown)} |"


def main() -> None:
    """Print a table, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    print("| game | first legal moves | step, median | step, most |\n|---|---|---|---|")
    for path in arguments.files or sorted(Path("benchmarks/large").glob("*.kif")):
        print(measure(path, arguments.steps), flush=True)


if __name__ == "__main__":
    main()
