"""The question of the paper on hybrid parallelization, with simulations in place of clocks.

M. Świechowski, J. Mańdziuk: A Hybrid Approach to Parallelization of Monte Carlo Tree Search in
General Game Playing, tables 2 and 3. Eight searches take turns in one process, so it does not
matter how many cores there are, or who else uses them. Each makes as many simulations for a move as
one of the paper's machines could, by its table 1, its clocks and four cores; `--scale` changes
that. Tree parallelization is one search with the simulations of all eight. What takes place between
machines (messages, losses, delays) is left out.

Run from the root of the repository:

    python -m benchmarks.hybrid limited root-tree connect4_7 --games 100 --scale 0.1
    python -m benchmarks.hybrid limited tree connect4_7 --games 100 --scale 0.1

Prints a row of a table after each pair of games: the score of the first one, in percent with its
95 % interval.
"""

import argparse
from random import Random
from statistics import fmean

import semisplit
from semisplit.core.steps import Steps
from semisplit.game import Game, Move
from semisplit.lab.matches.outcome import percent
from semisplit.lab.matches.seating import seating
from semisplit.search import Budget, Search
from semisplit.search.cluster.settings import FIRST, ClusterMethod, ClusterSettings
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.exchange import add_tables, subtract_table
from semisplit.stats.evidence import score_interval
from semisplit.stats.records import Pairs

MACHINES = 8
SIMULATIONS = {
    "breakthrough.kif": 6957,
    "checkers": 1932,
    "connect4_7": 22222,
    "farmers": 11765,
    "farming_quandries": 21333,
    "hex_9": 50000,
    "othello": 201,
    "pentago.kif": 2302,
    "pilgrimage": 1970,
}
"""How many the paper's machines could make for a move."""
LOOKS = 2
"""How often a search looks, after the first synchronisation, for edges that others know, too."""


class Machines:
    """The searches of a player."""

    def __init__(self, method: str, game: Game, player: int, seed: int, simulations: int):
        is_tree = method == "tree"
        self._player = player
        self._simulations = MACHINES * simulations if is_tree else simulations
        kind = ClusterMethod.LIMITED if method == "limited" else ClusterMethod.ROOT_TREE
        self._cluster = ClusterSettings(kind, workers=MACHINES - 1)
        random = Random(seed)
        self.searches = [
            Search(game, parse_settings("orthodox"), seed=random.getrandbits(64))
            for _ in range(1 if is_tree else MACHINES)
        ]

    def choose(self) -> Move:
        master, *workers = self.searches
        if not workers:
            return run(master, self._simulations)
        for number, worker in enumerate(workers):
            if part := self._cluster.part(number):
                worker.narrow(self._player, part)
        first = round(FIRST * self._simulations)
        for search in self.searches:
            run(search, first)
            search.widen()
        told = [search.exchange.own() for search in self.searches]
        everything = add_tables(told)
        for search, own in zip(self.searches, told):
            others = subtract_table(everything, own)
            for _ in range(LOOKS):
                search.exchange.receive(others)
                run(search, (self._simulations - first) // LOOKS)
        master.exchange.receive(add_tables(worker.exchange.own() for worker in workers))
        return master.snapshot().move


def run(search: Search, simulations: int) -> Move:
    return search.run(Budget(simulations=simulations), details=False).move


def play(game: Game, methods: list[str], number: int, simulations: int) -> float:
    """The result of the first one: 1, 0.5 or 0."""
    seats = seating(2, len(game.rules.players), number)
    players = [
        Machines(methods[agent], game, player, 100 * number + player, simulations)
        for player, agent in enumerate(seats, 1)
    ]
    state = game.initial_state()
    while not state.is_terminal:
        steps: Steps = ()
        for player in state.deciders:
            steps += game.rules.part(players[player - 1].choose().steps, player)
        move = Move(steps, game.write_move)
        state = state.apply(move)
        for one in players:
            for search in one.searches:
                search.play(move)
    scores = [
        fmean(score for score, who in zip(state.scores, seats) if who == agent) for agent in (0, 1)
    ]
    return 0.5 + 0.5 * ((scores[0] > scores[1]) - (scores[0] < scores[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    methods = ["limited", "root-tree", "tree"]
    parser.add_argument("methods", nargs=2, choices=methods)
    parser.add_argument("game", choices=SIMULATIONS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    game = semisplit.load(arguments.game)
    simulations = round(arguments.scale * SIMULATIONS[arguments.game])
    results: list[float] = []
    for number in range(arguments.games):
        results.append(play(game, arguments.methods, number, simulations))
        if number % 2:
            pairs = Pairs.of(results)
            standing = percent(pairs.score, score_interval(pairs))
            cells = [arguments.game, " - ".join(arguments.methods), f"{simulations:,}"]
            print(f"| {' | '.join(cells)} | {len(results)} | {standing} |", flush=True)


if __name__ == "__main__":
    main()
