"""The tree of a search as Python sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semisplit.compiler.runtime.compiled import Codes
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.records import EdgeRecord, NodeKind
from semisplit.search.engine.subtree import find_node
from semisplit.search.engine.toolkit.record import Array, dtype_of, i4
from semisplit.search.features.groups.feature import GroupsFeature
from semisplit.search.features.mast.feature import MastFeature
from semisplit.search.features.rave.feature import RaveFeature
from semisplit.search.features.solver.feature import SolverFeature

_NO_EDGES = np.empty(0, dtype_of(EdgeRecord))


class VisitedEdge(NamedTuple):
    """An edge that has been visited."""

    number: int
    """By which the node is known that it leads to."""
    codes: Codes
    """Its steps."""
    visits: int
    score: float
    """The average score of the mover, or of the first one where several move at once."""


class View:
    """Walks through a tree, with the help of a worker that is idle."""

    def __init__(self, tree: TreeMemory, worker: WorkerMemory):
        self._tree = tree
        self._worker = worker
        self._common, self._coding = tree.common, tree.common.coding

    def forget(self) -> None:
        """The tree has changed; there is nothing that has to be forgotten."""

    def is_nodal(self, node: int) -> bool:
        """Whether a node stands for a nodal state."""
        return self._tree.edges[node]["kind"] not in (NodeKind.INTERMEDIATE, NodeKind.GROUP)

    def group(self, node: int) -> str | None:
        """The name of a group, if a node is one."""
        return self._common.feature(GroupsFeature).name(self._tree, node)

    def changing(self, codes: Codes) -> Codes:
        """The steps of a (semi)move that change something."""
        silent = self._coding.game.facts.silent
        return tuple(code for code in codes if code >= silent)

    def edges(self, node: int, least: int = 1) -> list[VisitedEdge]:
        """The edges of a node that have been visited, at least so often."""
        return [self._edge(number) for number in self.visited_edges(node, least)]

    def visited_edges(self, node: int, least: int = 1) -> list[int]:
        """The numbers of these."""
        first, visited = self._visited(node)
        numbers: list[int] = (first + np.flatnonzero(visited["visits"] >= least)).tolist()
        return numbers

    def members(self, node: int) -> list[VisitedEdge]:
        """The edges of a node that have been visited, and in place of groups what is in them."""
        found: list[VisitedEdge] = []
        for edge in self.edges(node):
            found += self.members(edge.number) if self.group(edge.number) else [edge]
        return found

    def best_edge(self, node: int, robust: bool, random: Random) -> VisitedEdge | None:
        """The edge with the best average score, ties by visits, or the other way round if robust.

        What is a tie then is broken at random. What is proven to be worse than another edge is left
        out. There may be thousands of edges, so Python looks at the best one only. The mover is the
        one at the root.
        """
        first, visited = self._visited(node)
        visits = visited["visits"]
        scores = visited["total"] / np.maximum(visits, 1)
        top = np.flatnonzero(visits)
        if not len(top):
            return None
        player = self._coding.game.player(bytes(self._tree.arrays["root"]))
        solver = self._common.feature(SolverFeature)
        if bounds := solver.bounds(self._tree, first, len(visited), player):
            top = bounds.best(top)
            scores = np.clip(scores, bounds.low, bounds.high)
        orders = [scores, visits]
        for order in reversed(orders) if robust else orders:
            top = top[order[top] == order[top].max()]
        return self._edge(first + random.choice(top.tolist()))

    def choosers(self, node: int = ROOT) -> dict[int, int]:
        """The players who decide at a nodal node besides the first, and where their edges are.

        These edges lead nowhere: they count what a player has chosen, whatever others did.
        """
        here = self._tree.edges[node]
        after = int(here["first"] + here["count"])
        numbers = range(after, after + self._common.rules.choosers)
        return {
            player: number
            for player, number in enumerate(numbers if here["first"] >= 0 else (), 2)
            if self._tree.edges[number]["first"] >= 0
        }

    def _visited(self, node: int) -> tuple[int, NDArray[Any]]:
        """The first edge of a node, and the records of those that have been visited.

        Some may not have been: inside a move of several players, and if a thread has given an
        iteration up.
        """
        first, tried = (int(self._tree.edges[node][name]) for name in ("first", "tried"))
        return first, self._tree.edges[first : first + tried] if first >= 0 else _NO_EDGES

    def _edge(self, number: int) -> VisitedEdge:
        edge = self._tree.edges[number]
        codes = self._coding.decode(self._tree.codes(number))
        visits = int(edge["visits"])
        return VisitedEdge(number, codes, visits, float(edge["total"]) / visits)

    def moves(self, node: int = ROOT, least: int = 1) -> Iterator[tuple[Codes, VisitedEdge]]:
        """All paths from a node to the next nodal nodes: their steps and their last edge.

        Edges with fewer than `least` visits are left out.
        """
        stack: list[tuple[int, Codes]] = [(node, ())]
        while stack:
            here, before = stack.pop()
            for edge in self.edges(here, least):
                codes = before + self.changing(edge.codes)
                if self.is_nodal(edge.number):
                    yield codes, edge
                else:
                    stack.append((edge.number, codes))

    def most_visited(self, count: int, node: int = ROOT) -> list[tuple[Codes, VisitedEdge]]:
        """The paths with most visits from a node to the next nodal ones, without looking at all.

        No path has been taken more often than its beginning, so the best come out one by one.
        """
        found: list[tuple[Codes, VisitedEdge]] = []
        queue: list[tuple[int, int, Codes]] = []

        def add_edges(here: int, before: Codes) -> None:
            first, visited = self._visited(here)
            for number, visits in enumerate(visited["visits"].tolist(), first):
                if visits:
                    # Numbers are all different, so steps are never compared.
                    heappush(queue, (-visits, number, before))

        add_edges(node, ())
        while queue and len(found) < count:
            _, number, before = heappop(queue)
            edge = self._edge(number)
            codes = before + self.changing(edge.codes)
            if self.is_nodal(number):
                found.append((codes, edge))
            else:
                add_edges(number, codes)
        return found

    def find(self, codes: Sequence[int]) -> int | None:
        """The node that a move leads to from the root."""
        known = np.array(self._coding.encode(codes), "i4")
        node = int(find_node(self._worker.at(self._tree), Array[i4](known), len(known)))
        return None if node < 0 else node

    def mast(self, player: int, codes: Sequence[int]) -> float | None:
        """What MAST thinks of a move or of its beginning."""
        return self._common.feature(MastFeature).value(self._tree, self._worker, player, codes)

    def rave(self, edge: VisitedEdge) -> float | None:
        """What RAVE thinks of an edge."""
        return self._common.feature(RaveFeature).estimate(self._tree, edge.number)


def by_score(edge: VisitedEdge) -> tuple[float, float]:
    """The order of the greedy child."""
    return edge.score, edge.visits


def by_visits(edge: VisitedEdge) -> tuple[float, float]:
    """The order of the robust child."""
    return edge.visits, edge.score
