"""Playouts per second of searches in several trees, beside the paper's.

    python -m benchmarks.multitree

The paper's are its playouts, divided by its seconds without decomposition, on one core of an Intel
Core i7 at 2.7 GHz. Ours are per second of processor time, in searches one after the other, each
until it has found a solution. At queens08lg that is a matter of some dozen playouts, which the
paper's two digits of seconds hardly show.
"""

from __future__ import annotations

import argparse
import time

from semisplit.agent import parse_agent
from semisplit.agent.agent import make_search
from semisplit.lab import papers
from semisplit.loading import load
from semisplit.search import Budget


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each puzzle and agent")
    options = parser.parse_args()
    print("| puzzle | agent | playouts/s | paper | times |\n| --- | --- | --- | --- | --- |")
    for printed in papers.load("mtmcts-figure2").solutions:
        assert printed.playouts is not None
        assert printed.seconds is not None
        theirs = printed.playouts / (printed.seconds - (printed.decomposition or 0.0))
        ours = measure(printed.game, printed.agent, options.seconds)
        rate = f"{ours:,.0f} | {theirs:,.0f} | {ours / theirs:,.0f}"
        print(f"| {printed.game} | {printed.agent} | {rate} |", flush=True)


def measure(game: str, agent: str, seconds: float) -> float:
    """Playouts per second."""
    config, loaded = parse_agent(agent), load(game)
    make_search(config, loaded, 0).run(Budget(simulations=100), details=False)
    playouts, spent, seed = 0, 0.0, 1
    while spent < seconds:
        search = make_search(config, loaded, seed)
        begin = time.process_time()
        budget = Budget(seconds=seconds - spent)
        playouts += search.run(budget, details=False).simulations
        spent += time.process_time() - begin
        seed += 1
    return playouts / spent


if __name__ == "__main__":
    main()
