"""How fast searches are with several threads, trees, leaves and batches at a time.

Run from the root of the repository, on a machine that has nothing else to do:

    python -m benchmarks.parallel [--seconds 2] [--threads 1,2,4] [--games chess,hex] [--json FILE]

Prints a table for each game. `states/s` is by the clock on the wall; `per core` by the processor
time of all threads, which others on the machine hardly change: as many times the cores as there are
threads, it is what idle cores would do, if memory keeps up. `tree` is the part of the time that was
not spent in simulations, `crowded` that of iterations that ended at a node to which another thread
was giving edges.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from semisplit import load
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
ALONE = {"tree, one lock", "root"}
"""What needs several threads."""


def measure(game: str, way: str, threads: int, seconds: float) -> dict[str, Any]:
    """Search on the first move, after as long a search that does not count: its memory is new."""
    settings = parse_settings("orthodox," + WAYS[way].format(threads=threads))
    loaded = load(game)
    for _ in range(2):
        search = Search(loaded, settings, seed=1)
        begin = time.process_time()
        result = search.run(Budget(seconds=seconds), details=False)
        used = time.process_time() - begin
    crowded = sum(worker.record.crowded for worker in search._crew.workers)
    return {
        "game": game,
        "way": way,
        "threads": threads,
        "states_per_s": result.states / result.seconds,
        "states_per_core_s": result.states / used,
        "tree_share": result.tree_share,
        "crowded": crowded / result.simulations,
        "nodes_per_s": result.nodes / result.seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--threads", default="1,2,4")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    rows = []
    for game in options.games.split(","):
        print(f"\n{game}\n\n| method | threads | states/s | per core | tree | crowded | nodes/s |")
        print("|---|---|---|---|---|---|---|")
        measure(game, "tree", 1, options.seconds)  # What comes first is slower.
        for way in WAYS:
            for threads in map(int, options.threads.split(",")):
                if threads == 1 and way in ALONE:
                    continue
                row = measure(game, way, threads, options.seconds)
                rows.append(row)
                speeds = [
                    f"{row[name] / 1e6:.2f} M" for name in ("states_per_s", "states_per_core_s")
                ]
                shares = [f"{row[name]:.1%}" for name in ("tree_share", "crowded")]
                nodes = f"{row['nodes_per_s'] / 1e3:.0f} k"
                print(
                    "|", " | ".join([way, str(threads), *speeds, *shares, nodes]), "|", flush=True
                )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
