"""What simulations are worth that several threads make: the study behind the methods of `auto`.

Run from the root of the repository:

    python -m benchmarks.methods play [--pairs 20] [--games connect4,hex_9x9]
    python -m benchmarks.methods fit

`play` lets each method play one thread in one tree and adds the results to
`benchmarks/results/methods.json`. Budgets are in simulations, so it does not matter what else the
machine does. `fit` prints how many simulations of one thread one of each method is worth: a side
wins with odds that grow with each doubling of its simulations, in each game by as much as doubling
them did there.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import semisplit
from semisplit.agent.auto.prior import ELO_PER_NAT
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings

Array = NDArray[np.float64]
RESULTS = Path(__file__).parent / "results" / "methods.json"
GAMES = (
    "breakthrough,connect4,hex_9x9,gomoku_standard,reversi,english_draughts,knightthrough,pentago,"
    "yavalath,fox_and_hounds,the_mill_game,skirmish,paper_soccer,breakthrough.kif,connect4_7"
)
SIMULATIONS = 1000
"""Of one thread in one tree for each move."""
MEMORY = 1 << 27
_STEADY = 0.5
"""The standard deviation of the logarithm of what a doubling does, from game to game."""


@dataclass(frozen=True)
class Way:
    """Something that plays one thread in one tree."""

    options: str
    times: float
    """As many times the simulations."""
    learns: bool = False
    """Whether simulations follow MAST, on both sides."""
    in_gdl: bool = False
    """Whether it is for games in GDL only."""

    @property
    def name(self) -> str:
        """What it is called in the results."""
        return f"{'+mast ' if self.learns else ''}{self.options or 'alone'} x{self.times:g}"


WAYS = (
    Way("", 2),
    Way("threads=2", 1),
    Way("threads=2,parallel=root", 1),
    Way("threads=2,parallel=root", 1, learns=True),
    Way("threads=4,parallel=root", 1),
    Way("parallel=leaf,playouts=8", 4),
    Way("parallel=leaf,playouts=64", 16, in_gdl=True),
)


def searches(game: semisplit.Game, way: Way) -> tuple[Search, Search]:
    """A way, and what it plays."""
    alone = "semisplit-nodal@Mod" if game.rules.can_split else "orthodox"
    if way.learns:
        alone = alone.replace("@", "+mast-split@") if "@" in alone else alone + "+mast"
    notations = (f"{alone},{way.options}".rstrip(","), alone)
    first, second = (
        Search(game, parse_settings(one), seed=seed, memory=MEMORY)
        for seed, one in enumerate(notations)
    )
    return first, second


def duel(first: Search, second: Search, budgets: tuple[Budget, Budget]) -> float:
    """What the one that begins gets, from 0 to 1."""
    state = first.game.initial_state()
    for search in (first, second):
        search.set_state(state)
    while not state.is_terminal:
        number = (state.player - 1) % 2
        move = (first, second)[number].run(budgets[number], details=False).move
        for search in (first, second):
            search.play(move)
        state = first.state
    ours, theirs = state.scores
    return 0.5 if ours == theirs else float(ours > theirs)


def play(names: list[str], pairs: int) -> None:
    """Play and keep what came of it: points and games for each game and way."""
    found = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in names:
        game = semisplit.load(name)
        for way in WAYS:
            if way.in_gdl and game.rules.can_split:
                continue
            first, second = searches(game, way)
            ours = Budget(simulations=round(way.times * SIMULATIONS))
            alone = Budget(simulations=SIMULATIONS)
            points = 0.0
            for _ in range(pairs):
                points += duel(first, second, (ours, alone))
                points += 1 - duel(second, first, (alone, ours))
            before = found.setdefault(name, {}).get(way.name, [0, 0])
            found[name][way.name] = [before[0] + points, before[1] + 2 * pairs]
            print(f"{name}: {way.name} {points:g} of {2 * pairs}", flush=True)
            RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def fit() -> None:
    """Print what simulations of each method are worth, with a standard deviation."""
    found = json.loads(RESULTS.read_text("utf-8"))
    games, ways = list(found), [way for way in WAYS if way.options]
    rows = [
        (number, ways.index(way) if way.options else -1, math.log2(way.times), *points)
        for number, name in enumerate(games)
        for way in WAYS
        if (points := found[name].get(way.name))
    ]
    game, way, doublings, points, played = map(np.array, zip(*rows))

    def loss(flat: Array) -> float:
        slopes, worth = np.exp(flat[: len(games)]), np.append(flat[len(games) :], 0.0)
        odds = slopes[game] * (doublings + worth[way])
        surprise = played * np.logaddexp(0, odds) - points * odds
        common = flat[: len(games)].mean()
        return float(surprise.sum() + ((flat[: len(games)] - common) ** 2).sum() / _STEADY**2 / 2)

    best = minimize(loss, np.zeros(len(games) + len(ways)), method="BFGS")
    deviations = np.sqrt(np.diag(best.hess_inv))
    doubling = ELO_PER_NAT * math.exp(best.x[: len(games)].mean())
    print(f"A doubling of simulations is worth {doubling:.0f} Elo")
    for number, one in enumerate(ways, len(games)):
        low, worth, high = 2.0 ** (best.x[number] + deviations[number] * np.array([-1.96, 0, 1.96]))
        print(f"{one.name}: a simulation is worth {worth:.3f} ({low:.3f} to {high:.3f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--pairs", type=int, default=20)
    playing.add_argument("--games", default=GAMES)
    commands.add_parser("fit")
    arguments = parser.parse_args()
    if arguments.command == "play":
        play(arguments.games.split(","), arguments.pairs)
    else:
        fit()


if __name__ == "__main__":
    main()
