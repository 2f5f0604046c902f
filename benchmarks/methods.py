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
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.settings import Method, Parallel
from semisplit.stats.ratings import ELO_PER_NAT

Array = NDArray[np.float64]
RESULTS = Path(__file__).parent / "results" / "methods.json"
GAMES = (
    "breakthrough,connect4,hex_9x9,gomoku_standard,reversi,english_draughts,knightthrough,yavalath,"
    "the_mill_game,connect4_7,breakthrough.kif"
)
SIMULATIONS = 1000
"""Of one thread in one tree for each move."""
MEMORY = 1 << 27
STEADY = 0.5
"""The standard deviation of the logarithm of what a doubling does, from game to game."""
DRAWS = 200
METHODS = [method.name.lower() for method in Method]


@dataclass(frozen=True)
class ParallelOption:
    """Something that plays one thread in one tree."""

    options: str
    times: float
    """As many times the simulations."""
    learns: bool = False
    """Whether simulations follow MAST, on both sides."""
    in_gdl: bool = False
    """Whether it is for games in GDL only."""

    @property
    def method(self) -> Method:
        """What is done at the same time."""
        return self._parallel.method

    @property
    def doublings(self) -> float:
        """How often what is done at the same time has been doubled."""
        is_leaf = self.method == Method.LEAF
        return math.log2(self._parallel.playouts if is_leaf else self._parallel.threads)

    @property
    def _parallel(self) -> Parallel:
        return parse_settings(f"orthodox,{self.options}".rstrip(",")).parallel

    @property
    def name(self) -> str:
        """What it is called in the results."""
        return f"{'+mast ' if self.learns else ''}{self.options or 'alone'} x{self.times:g}"


WAYS = (
    ParallelOption("", 2),
    ParallelOption("threads=2", 1),
    ParallelOption("threads=2,parallel=root", 1),
    ParallelOption("threads=2,parallel=root", 1, learns=True),
    ParallelOption("threads=4,parallel=root", 1),
    ParallelOption("parallel=leaf,playouts=8", 4),
    ParallelOption("parallel=leaf,playouts=64", 16, in_gdl=True),
)


def searches(game: semisplit.Game, way: ParallelOption) -> tuple[Search, Search]:
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
    """Print what a simulation of each way is worth, and what it loses by doublings.

    Intervals are from games drawn anew, as other games would be others; all ways have to be there.
    """
    found, random = json.loads(RESULTS.read_text("utf-8")), np.random.default_rng(0)
    games = list(found)
    drawn = [games]
    while len(drawn) <= DRAWS:
        some = random.choice(games, len(games)).tolist()
        if any(len(found[name]) == len(WAYS) for name in some):
            drawn.append(some)
    ways = np.eye(len(WAYS))[:, 1:]
    methods = np.array([[-way.doublings * (way.method == one) for one in Method] for way in WAYS])
    for design, names in ((ways, [way.name for way in WAYS[1:]]), (methods, METHODS)):
        fitted = np.array([fit_to([found[name] for name in some], design) for some in drawn])
        fitted[:, 0] = ELO_PER_NAT * np.exp(fitted[:, 0])
        if design is ways:
            fitted[:, 1:] = 2 ** fitted[:, 1:]
        low, high = np.quantile(fitted[1:], [0.025, 0.975], axis=0)
        for name, *values in zip(["Elo of a doubling", *names], fitted[0], low, high):
            print("{}: {:.2f} ({:.2f} to {:.2f})".format(name, *values))


def fit_to(found: list[dict[str, tuple[float, int]]], design: Array) -> list[float]:
    """What is most likely, given results of some games.

    Args:
        found: Points and games by ways, for each game.
        design: What makes up the worth of a simulation of each way (row): numbers (columns) by
            which what is looked for is multiplied.

    Returns:
        The logarithm of what a doubling does to the odds, and what is looked for: logarithms to the
        base 2.
    """
    rows = [
        (number, place, math.log2(way.times), *game[way.name])
        for number, game in enumerate(found)
        for place, way in enumerate(WAYS)
        if way.name in game
    ]
    game, way, doublings, points, played = map(np.array, zip(*rows))
    count = len(found)

    def loss(flat: Array) -> float:
        common, own, worth = flat[0], flat[1 : count + 1], flat[count + 1 :]
        odds = np.exp(common + own[game]) * (doublings + design[way] @ worth)
        surprise = (played * np.logaddexp(0, odds) - points * odds).sum()
        return float(surprise + (own**2).sum() / STEADY**2 / 2)

    best = minimize(loss, np.zeros(count + 1 + design.shape[1]), method="BFGS").x
    return [best[0], *best[count + 1 :]]


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
