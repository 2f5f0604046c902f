"""Policies of simulations against random ones: at equal simulations, at equal time, and their cost.

The games are the nine of the paper on hybrid parallelisation, with which MINI-Player was tested.

Run from the root of the repository:

    python -m benchmarks.policies cost
    python -m benchmarks.policies matches --budget 50sims --games 20 --store FILE
    python -m benchmarks.policies matches --budget 50ms --games 20 --store FILE
    python -m benchmarks.policies matches --budget 500sims --equal-time --games 20 --store FILE

Prints tables: microseconds of processor time for a simulation, from the first move on; and scores
of a search whose simulations follow a policy, against `orthodox`, in percent with 95 % intervals.
With `--equal-time` `orthodox` has the whole budget, and the other one as many simulations as take
as long by the processor's clock on the first move, or the other way round: for machines that have
something else to do. Matches that are in the store are not played again.
"""

import argparse
import functools
import operator
import time

import semisplit
from semisplit.lab.matches.outcome import Duel, percent
from semisplit.search import Budget, Search
from semisplit.search.features.policies.settings import SimulationPolicy
from semisplit.search.notation import parse_settings
from semisplit.stats.evidence import score_interval
from semisplit.stats.records import Pairs

GAMES = (
    "breakthrough.kif",
    "checkers",
    "connect4_7",
    "farmers",
    "farming_quandries",
    "hex_9",
    "othello",
    "pentago.kif",
    "pilgrimage",
)
POLICIES = [policy.name.lower() for policy in SimulationPolicy]


def cost(game: str, agent: str, simulations: int) -> float:
    """Microseconds of a simulation, the faster of two searches."""
    best = float("inf")
    for seed in range(2):
        search = Search(semisplit.load(game), parse_settings(agent), seed=seed)
        search.run(Budget(simulations=10), details=False)
        begin = time.process_time()
        search.run(Budget(simulations=simulations), details=False)
        best = min(best, time.process_time() - begin)
    return 1e6 * best / simulations


def print_costs(simulations: int) -> None:
    agents = ["orthodox", *(f"orthodox+{policy}" for policy in POLICIES), "mini"]
    print(f"| game | {' | '.join(agents).replace('orthodox+', '')} |")
    print("|---|" + len(agents) * "---:|")
    for game in GAMES:
        figures = (f"{cost(game, agent, simulations):.0f}" for agent in agents)
        print(f"| {game.removesuffix('.kif')} | {' | '.join(figures)} |", flush=True)


def play(game: str, policy: str, arguments: argparse.Namespace) -> Duel | None:
    """A match; None if the policy has nothing to go by."""
    if policy == "score" and not semisplit.load(game).rules.features.numbers:
        return None
    agents = ["mini" if policy == "adaptive" else f"orthodox+{policy}", "orthodox"]
    if arguments.equal_time:
        costs = [cost(game, agent, arguments.simulations) for agent in agents]
        shares = [f"{min(costs) / one:.3f}" for one in costs]
        agents = [f"{agent},share={share}" for agent, share in zip(agents, shares)]
    ended = semisplit.play_match(
        game, agents, arguments.games, arguments.budget, store=arguments.store
    )
    assert isinstance(ended, Duel)
    return ended


def print_matches(arguments: argparse.Namespace) -> None:
    policies = [*POLICIES[1:], "adaptive"]
    print(f"| game | {' | '.join(policies)} |")
    print("|---|" + len(policies) * "---|")
    pairs: dict[str, list[Pairs]] = {policy: [] for policy in policies}
    for game in GAMES:
        cells = []
        for policy in policies:
            ended = play(game, policy, arguments)
            cells.append(ended.standing if ended else "")
            pairs[policy] += [ended.pairs] if ended else []
        print(f"| {game.removesuffix('.kif')} | {' | '.join(cells)} |", flush=True)
    together = [functools.reduce(operator.add, found) for found in pairs.values()]
    totals = (percent(one.score, score_interval(one)) for one in together)
    print(f"| all | {' | '.join(totals)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["cost", "matches"])
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--budget", default="50sims")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--equal-time", action="store_true")
    parser.add_argument("--store")
    arguments = parser.parse_args()
    if arguments.what == "cost":
        print_costs(arguments.simulations)
    else:
        print_matches(arguments)


if __name__ == "__main__":
    main()
