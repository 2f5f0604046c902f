"""Thousands of generated games, compiled and interpreted, compared position by position.

Run from the root of the repository:

    python -m benchmarks.generated_games --count 1000 --seed 1

Game number n of a seed is always the same. A difference, a crash or a game that takes minutes ends
the run with the description that shows it, unless it is to `--keep-going`.
"""

import argparse
import signal
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from random import Random

from tests.support.compare import check_generated_game
from tests.support.generate_games import GeneratedGame, generate

from semisplit.core.errors import CompileLimit
from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.native.board.squares import words_for
from semisplit.language.rbg.native.machine import tables

_PATIENCE = 600
"""Seconds after which a game counts as one that hangs."""


def check(seed: str) -> tuple[str, int]:
    """What came of a game, and how many positions were compared.

    It is for a process of its own, which is ended by code that looks outside of a table, or hangs.
    """
    signal.alarm(_PATIENCE)
    try:
        return "same", check_generated_game(Random(seed))
    except CompileLimit:
        return "too large", 0
    except Exception:
        return traceback.format_exc(limit=-3), 0


def describe(seed: str, game: GeneratedGame, problem: str) -> str:
    """Everything that is needed to see the problem again."""
    return f"game {seed}, split {game.split}:\n{game.text}\n{problem}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--tables", action="store_true", help="compile as if games were large")
    options = parser.parse_args()
    if options.tables:
        tables.MANY_SITES = -1
    games: Counter[tuple[str, int]] = Counter()
    outcomes: Counter[str] = Counter()
    positions = 0
    start = time.perf_counter()
    pool = ProcessPoolExecutor(1)
    # Ctrl-C ends the run with what is known by then.
    with suppress(KeyboardInterrupt):
        for number in range(options.count):
            seed = f"{options.seed}.{number}"
            game = generate(Random(seed))
            words = words_for(len(parse(game.text).board.names))
            problem = ""
            try:
                outcome, compared = pool.submit(check, seed).result()
                if outcome not in ("same", "too large"):
                    outcome, problem = "different", outcome
            except BrokenProcessPool:
                pool = ProcessPoolExecutor(1)
                outcome, compared, problem = "ended the process", 0, "The process has ended."
            games[game.geometry, words] += 1
            outcomes[outcome] += 1
            positions += compared
            if problem:
                print(describe(seed, game, problem), flush=True)
                if not options.keep_going:
                    break
    pool.shutdown(wait=False, cancel_futures=True)
    print(f"{games.total()} games, {positions} positions: {dict(outcomes)}")
    sizes = sorted({words for _, words in games})
    print(f"{'words':10}" + "".join(f"{words:6}" for words in sizes))
    for geometry in sorted({geometry for geometry, _ in games}):
        print(f"{geometry:10}" + "".join(f"{games[geometry, words]:6}" for words in sizes))
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
