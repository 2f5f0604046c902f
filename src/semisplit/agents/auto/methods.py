"""What several threads should do: how fast each method is, and what its simulations are worth.

Games between methods would tell next to nothing in the time there is; docs/auto.md has the figures.
What simulations are worth is from games at equal numbers of them, by benchmarks/methods.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from semisplit.core.errors import PlayLimit
from semisplit.core.settings.parameters import BadSettings
from semisplit.game import Game
from semisplit.search import Budget, Settings
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.settings import Method, Parallel
from semisplit.search.settings import check_players

if TYPE_CHECKING:
    from semisplit.search.search import Search

_WAYS = (
    "parallel=tree",
    "parallel=root",
    "parallel=leaf,playouts=8",
    "parallel=leaf,playouts=64",
)
_ROOT_LOSS = 0.35
"""What a simulation loses in worth by each doubling of trees: its logarithm to the base 2. Threads
in one tree lose nothing that could be measured."""
_OF_A_LEAF = {8: 0.59, 64: 0.10}
"""What a simulation is worth if so many of them begin at each leaf."""
_ROUNDS = 4
"""In which each way is measured. The fastest one counts: others may have used the cores."""
_MEMORY = 1 << 26


@dataclass(frozen=True)
class ParallelOption:
    """Something that threads could do."""

    notation: str
    """As it is written behind a search and its threads."""
    worth: float
    """Of one of its simulations, in simulations of a single thread."""
    speed: float | None
    """Simulations per second; None if budgets are not in time, so that it does not matter."""

    @property
    def total(self) -> float:
        """What all its simulations are worth, by which ways are compared."""
        return self.worth * (1.0 if self.speed is None else self.speed)


def parallel_of(notation: str, threads: int) -> Parallel:
    """What is done at the same time in a way."""
    return parse_settings(f"orthodox,threads={threads},{notation}").parallel


def worth(parallel: Parallel) -> float:
    """What one of many simulations is worth, in simulations of a single thread."""
    if parallel.method == Method.LEAF:
        return _OF_A_LEAF[parallel.playouts]
    return float(parallel.trees**-_ROOT_LOSS)


def compare_ways(
    game: Game, settings: Settings, threads: int, seconds: float | None
) -> tuple[ParallelOption, ...]:
    """What threads could do in a search, from the best to the worst.

    Args:
        game: The game.
        settings: The search.
        threads: How many there are.
        seconds: In which to measure how fast each way is; None if that does not matter.
    """
    possible: dict[str, Settings] = {}
    for notation in _WAYS:
        try:
            one = replace(settings, parallel=parallel_of(notation, threads))
            check_players(one, len(game.players))
        except BadSettings:
            # MAST and RAVE do not learn from playouts that are made together.
            continue
        possible[notation] = one
    speeds: Sequence[float | None] = [None] * len(possible)
    if seconds is not None:
        # Numba takes a while to load.
        from semisplit.search.search import Search

        searches = [Search(game, one, seed=0, memory=_MEMORY) for one in possible.values()]
        speeds = _measure(searches, seconds)
    ways = [
        ParallelOption(notation, worth(one.parallel), speed)
        for (notation, one), speed in zip(possible.items(), speeds)
    ]
    return tuple(sorted(ways, key=lambda way: -way.total))


def _measure(searches: Sequence[Search], seconds: float) -> list[float]:
    """The simulations per second of each search, in about so much time for all of them."""
    speeds = [0.0] * len(searches)
    for _ in range(_ROUNDS):
        for number, search in enumerate(searches):
            search.set_state(search.game.initial_state())
            try:
                budget = Budget(seconds=seconds / (_ROUNDS * len(searches)))
                result = search.run(budget, details=False)
            except PlayLimit:
                continue
            speeds[number] = max(speeds[number], result.simulations / result.seconds)
    return speeds
