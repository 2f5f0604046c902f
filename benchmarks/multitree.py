"""Searches in several trees beside the paper's: playouts per second, and time to a solution.

    python -m benchmarks.multitree

The paper's playouts per second are its playouts, divided by its seconds without decomposition, on
one core of an Intel Core i7 at 2.7 GHz. Ours are per second of processor time, in searches one
after the other, each until it has found a solution. At queens08lg that is a matter of some dozen
playouts, which the paper's two digits of seconds hardly show.

The time to a solution is that of the processor, for reading and grounding rules (clingo's process
included), decomposing, and searching. What is compiled is in the cache.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean, median

from benchmarks.gdl_speed import processor
from semisplit import games
from semisplit.agents import parse_agent
from semisplit.agents.agent import make_search
from semisplit.lab import papers
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.loading import load
from semisplit.search import Budget

_DECOMPOSITIONS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each puzzle and agent")
    options = parser.parse_args()
    printed = papers.load("mtmcts-figure2").solutions
    decompose(parse(games.text("buttons"), "buttons"))
    print("| puzzle | agent | playouts/s | paper | times |\n| --- | --- | --- | --- | --- |")
    for one in printed:
        assert one.playouts is not None
        assert one.seconds is not None
        theirs = one.playouts / (one.seconds - (one.decomposition or 0.0))
        ours = measure_rate(one.game, one.agent, options.seconds)
        rate = f"{ours:,.0f} | {theirs:,.0f} | {ours / theirs:,.0f}"
        print(f"| {one.game} | {one.agent} | {rate} |", flush=True)
    print("\n| puzzle | decomposition s | search s | together | paper | times |")
    print("| --- | --- | --- | --- | --- | --- |")
    for one in printed:
        if one.decomposition:
            assert one.seconds is not None
            before, search = measure_solution(one.game, one.agent, options.seconds)
            both = before + search
            times = f"{both:.3f} | {one.seconds:,.2f} | {one.seconds / both:,.1f}"
            print(f"| {one.game} | {before:.3f} | {search:.4f} | {times} |", flush=True)


def measure_rate(game: str, agent: str, seconds: float) -> float:
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


def measure_solution(game: str, agent: str, seconds: float) -> tuple[float, float]:
    """Seconds for the decomposition and, on average, for a search until a solution is found."""
    config = parse_agent(agent)
    decompositions: list[float] = []
    for _ in range(_DECOMPOSITIONS):
        begin = processor()
        decompose(parse(games.text(game), game))
        decompositions.append(processor() - begin)
    loaded = load(game)
    searches: list[float] = []
    while sum(searches) < seconds:
        search = make_search(config, loaded, len(searches) + 1)
        begin = time.process_time()
        assert search.run(Budget(seconds=60), details=False).score == 1.0
        searches.append(time.process_time() - begin)
    return median(decompositions), fmean(searches)


if __name__ == "__main__":
    main()
