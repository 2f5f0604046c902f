"""How fast searches are with several threads, trees, leaves and batches at a time.

Run from the root of the repository, on a machine that has nothing else to do:

    python -m benchmarks.parallel [--seconds 0.5] [--rounds 5] [--threads 1,2,4] [--games hex]
        [--json FILE]

Prints a table for each game, of medians. `states/s` is by the clock on the wall, `times` as many
times as the first line's, with the least and the most of the rounds; `per core` by the processor
time of all threads, which others on the machine hardly change: as many times the cores as there are
threads, it is what idle cores would do, if memory keeps up. `tree` is the part of the time that was
not spent in simulations, `crowded` that of iterations that ended at a node to which another thread
was giving edges.
"""

import argparse
import itertools
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from semisplit import Game, load
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings

GAMES = ("breakthrough", "chess", "go_9x9", "hex", "connect4_7")
WAYS = {
    "tree": "threads={threads}",
    "tree, one lock": "threads={threads},lock=1",
    "root": "threads={threads},parallel=root",
    "leaf, 8 playouts": "threads={threads},parallel=leaf,playouts=8",
    "leaf, 256 playouts": "threads={threads},parallel=leaf,playouts=256",
    "tree, batches of 64": "threads={threads},batch=64",
}
MEMORY = 2 << 30
"""Of a search, so that it is not full in the end."""
ALONE = {"tree, one lock", "root"}
"""What needs several threads."""


def measure(game: Game, way: str, threads: int, seconds: float) -> dict[str, float]:
    """Search on the first move."""
    settings = parse_settings("orthodox," + WAYS[way].format(threads=threads))
    search = Search(game, settings, seed=1, memory=MEMORY)
    begin = time.process_time()
    result = search.run(Budget(seconds=seconds), details=False)
    used = time.process_time() - begin
    crowded = sum(worker.record.counts.contended for worker in search.tree.workers)
    return {
        "states_per_s": result.states / result.seconds,
        "states_per_core_s": result.states / used,
        "tree_share": result.tree_share,
        "crowded": crowded / result.simulations,
        "nodes_per_s": result.nodes / result.seconds,
    }


def measure_all(name: str, threads: list[int], seconds: float, rounds: int) -> list[dict[str, Any]]:
    """All ways at a game: medians of some rounds, and the speeds of each of them."""
    game, measured = load(name), []
    for way, count in itertools.product(WAYS, threads):
        if count == 1 and way in ALONE:
            continue
        measure(game, way, count, 1.5 * seconds)  # What comes first is slower, and does not count.
        rows = [measure(game, way, count, seconds) for _ in range(rounds)]
        medians = {figure: statistics.median(row[figure] for row in rows) for figure in rows[0]}
        speeds = [row["states_per_s"] for row in rows]
        measured.append({"game": name, "way": way, "threads": count, "speeds": speeds, **medians})
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,2,4")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    np.empty(2 * MEMORY, "u1")[::4096] = 1  # Memory that no process has used yet may be slow.
    rows = []
    for game in options.games.split(","):
        print(f"\n{game}\n\n| method | threads | states/s | times | per core | tree | crowded |")
        print("|---|---|---|---|---|---|---|")
        threads = [int(count) for count in options.threads.split(",")]
        measured = measure_all(game, threads, options.seconds, options.rounds)
        alone = measured[0]["states_per_s"]
        for row in measured:
            low, high = min(row["speeds"]) / alone, max(row["speeds"]) / alone
            cells = [
                row["way"],
                str(row["threads"]),
                f"{row['states_per_s'] / 1e6:.2f} M",
                f"{row['states_per_s'] / alone:.2f} ({low:.2f} to {high:.2f})",
                f"{row['states_per_core_s'] / 1e6:.2f} M",
                f"{row['tree_share']:.1%}",
                f"{row['crowded']:.1%}",
            ]
            print("|", " | ".join(cells), "|", flush=True)
        rows += measured
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
