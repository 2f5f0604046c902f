"""How splitting changes random play, beside table 1 of "Split Moves for Monte-Carlo Tree Search".

Plays random games with the interpreter on all cores and prints a table in Markdown:

    python benchmarks/split_statistics.py [--games 200] [--workers 2]
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from math import sqrt
from random import Random
from statistics import mean, stdev

from tests.support.rules import rbg

from semisplit import load
from semisplit.language.rbg.play.simulate import SimulationCounts, simulate

PAPER = {
    ("breakthrough", None): (64, 64, 25.69),
    ("breakthrough", "Mod"): (73, 157, 7.71),
    ("breakthrough", "ModShift"): (34, 164, 3.12),
    ("chess", None): (316, 316, 22.83),
    ("chess", "Mod"): (261, 1494, 2.96),
    ("chess", "ModPlus"): (260, 2194, 2.31),
}
"""Mean nodal states, mean states and branching factor per simulation."""


def play(game: str, split: str | None, seed: int) -> SimulationCounts:
    """One random game."""
    loaded, statistics = load(game, split), SimulationCounts()
    interpreter, mod = rbg(loaded).interpreter, loaded.split.mod if loaded.split else None
    simulate(interpreter, interpreter.start, Random(seed), statistics, mod=mod)
    return statistics


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    print("| game | nodal states | paper | all states | paper | branching factor | paper |")
    print("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(arguments.workers) as pool:
        for (game, split), (nodal, states, branching) in PAPER.items():
            seeds = range(arguments.games)
            played = list(pool.map(play, repeat(game), repeat(split), seeds))
            factor = sum(one.choices for one in played) / sum(one.states for one in played)
            print(
                f"| {game} ({split or 'orthodox'})"
                f" | {_mean([one.moves for one in played])} | {nodal}"
                f" | {_mean([one.states for one in played])} | {states}"
                f" | {factor:.2f} | {branching} |",
                flush=True,
            )


def _mean(sample: list[int]) -> str:
    return f"{mean(sample):.1f} ± {stdev(sample) / sqrt(len(sample)):.1f}"


if __name__ == "__main__":
    main()
