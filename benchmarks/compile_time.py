"""How long it takes to compile games: seconds of CPU time from the text to code in memory.

    python -m benchmarks.compile_time [GAMES OR FILES]

Without arguments: all bundled games and the texts in benchmarks/large. Nothing is taken from the
cache. Each figure is the shortest of three.
"""

import sys
import time
from pathlib import Path

from semisplit import games, read_description
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.strategy import SplitStrategy
from semisplit.language.registry import parse_rules

ROUNDS = 3


def seconds(text: str, name: str, split: SplitStrategy | None) -> float:
    """The time for one game with a split strategy."""
    times = []
    for _ in range(ROUNDS):
        cache.forget(parse_rules(text, name).split(split).object_name(Bundle.GAME))
        start = time.process_time()
        parse_rules(text, name).split(split).compile(Bundle.GAME)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print a line for each game."""
    large = sorted(str(path) for path in (Path(__file__).parent / "large").glob("*.rbg"))
    print(f"{'game':24} whole    Mod")
    for game in sys.argv[1:] or [*games.names("rbg"), *large]:
        text, name = read_description(game)
        figures = [seconds(text, name, split) for split in (None, SplitStrategy.parse("Mod"))]
        print(f"{Path(game).stem:24} {figures[0]:5.2f}  {figures[1]:5.2f}", flush=True)


if __name__ == "__main__":
    main()
