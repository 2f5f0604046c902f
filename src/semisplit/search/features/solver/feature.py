"""The memory of the solver, from Python's side."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.features.feature import Feature
from semisplit.search.features.solver.records import PLAYERS
from semisplit.search.features.solver.settings import check_game


class Bounds(NamedTuple):
    """What is proven of the scores of some edges, for a player."""

    low: NDArray[Any]
    high: NDArray[Any]

    def best(self, among: NDArray[Any]) -> NDArray[Any]:
        """Those of some edges that may be the best, or are as good as the best for sure."""
        low, high = self.low[among], self.high[among]
        best = low.max()
        return among[(low if best >= high.max() else high) >= best]


class SolverFeature(Feature):
    """The solver."""

    def __init__(self, common: Common):
        super().__init__(common)
        if common.variant.solver:
            check_game(common.rules.players, simultaneous=common.rules.choosers > 0)
            common.settings.solver.used = True

    def columns(self) -> dict[str, int]:
        """Bounds for both players."""
        if self.common.variant.solver is None:
            return {}
        return {"solver.low": PLAYERS, "solver.high": PLAYERS}

    def clear(self, tree: TreeMemory) -> None:
        """Begin with all scores that are possible at the root."""
        if self.common.variant.solver:
            tree.arrays["solver.low"][ROOT : ROOT + PLAYERS] = 0.0
            tree.arrays["solver.high"][ROOT : ROOT + PLAYERS] = 1.0

    def bounds(self, tree: TreeMemory, first: int, count: int, player: int) -> Bounds | None:
        """What is proven of some edges that lie together, for a player; None without a solver."""
        if self.common.variant.solver is None:
            return None
        begin, end = first * PLAYERS + player - 1, (first + count) * PLAYERS
        return Bounds(*(tree.arrays[name][begin:end:PLAYERS] for name in self.columns()))

    def proven(self, tree: TreeMemory) -> tuple[float, ...] | None:
        """The proven score of each player at the root; None if it is not proven."""
        if self.common.variant.solver is None:
            return None
        low, high = (tree.arrays[name][ROOT : ROOT + PLAYERS] for name in self.columns())
        return tuple(map(float, low)) if (low == high).all() else None
