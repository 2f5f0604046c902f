"""What groups cost: the time of a simulation with and without them, on the first move.

Trees with groups grow in another way, so edges made for each simulation are told as well. Time is
that of the process, the best of several runs.

Run from the root of the repository:

    python -m benchmarks.groups
"""

import argparse
import time

import semisplit
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings

CASES = [
    ("gomoku_standard", "proximity,border"),
    ("gomoku_standard", "target"),
    ("gomoku_standard", "capture"),
    ("hex_9x9", "proximity,border"),
    ("breakthrough", "proximity,border"),
    ("breakthrough", "capture,piece"),
    ("amazons", "proximity/start"),
    ("go_9x9_mc", "proximity,border"),
]


def measure(game: str, agent: str, simulations: int, runs: int) -> tuple[float, float]:
    """Microseconds and new edges of a simulation."""
    search = Search(semisplit.load(game), parse_settings(agent), seed=1)
    best = float("inf")
    for _ in range(1 + runs):
        search.set_state(search.state)
        begin = time.process_time()
        search.run(Budget(simulations=simulations), details=False)
        best = min(best, time.process_time() - begin)
    return 1e6 * best / simulations, search.tree.memories[0].record.edge_count / simulations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print("| game | groups | us, orthodox | us, groups | more | edges, orthodox | edges, groups |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for game, groups in CASES:
        figures = [
            measure(game, agent, arguments.simulations, arguments.runs)
            for agent in ("orthodox", f"groups[{groups}]")
        ]
        (plain, plain_edges), (grouped, grouped_edges) = figures
        print(
            f"| {game} | {groups} | {plain:.2f} | {grouped:.2f} | {grouped / plain - 1:+.0%}"
            f" | {plain_edges:.1f} | {grouped_edges:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
