"""The tree of a search as Python sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semisplit.runtime.compiled import Codes
from semisplit.search.engine import Engine
from semisplit.search.kernels.find import find_node
from semisplit.search.kernels.mast import mast_value
from semisplit.search.kernels.memory import EDGE, ROOT, Kind

_NO_EDGES = np.empty(0, EDGE)


class Edge(NamedTuple):
    """An edge that has been visited."""

    number: int
    """By which the node is known that it leads to."""
    codes: Codes
    """Its steps."""
    visits: int
    score: float
    """The average score of who moves."""


class View:
    """Walks through the tree of an engine."""

    def __init__(self, engine: Engine):
        self._engine = engine

    def is_nodal(self, node: int) -> bool:
        """Whether a node stands for a nodal state."""
        return bool(self._engine.edges[node]["kind"] != Kind.INTERMEDIATE)

    def changing(self, codes: Codes) -> Codes:
        """The steps of a (semi)move that change something."""
        silent = self._engine.game.facts.silent
        return tuple(code for code in codes if code >= silent)

    def edges(self, node: int, least: int = 1) -> list[Edge]:
        """The edges of a node that have been visited, at least so often."""
        first, visited = self._visited(node)
        enough = np.flatnonzero(visited["visits"] >= least)
        return [self._edge(number) for number in (first + enough).tolist()]

    def best_edge(self, node: int, robust: bool, random: Random) -> Edge | None:
        """The edge with the best average score, ties by visits, or the other way round if robust.

        What is a tie then is broken at random. There may be thousands of edges, so Python looks at
        the best one only.
        """
        first, visited = self._visited(node)
        if not len(visited):
            return None
        visits = visited["visits"]
        orders = [visited["total"] / visits, visits]
        top = np.arange(len(visited))
        for order in reversed(orders) if robust else orders:
            top = top[order[top] == order[top].max()]
        return self._edge(first + random.choice(top.tolist()))

    def _visited(self, node: int) -> tuple[int, NDArray[Any]]:
        """The first edge of a node, and the records of those that have been visited."""
        first, tried = (int(self._engine.edges[node][name]) for name in ("first", "tried"))
        return first, self._engine.edges[first : first + tried] if first >= 0 else _NO_EDGES

    def _edge(self, number: int) -> Edge:
        edge = self._engine.edges[number]
        codes = tuple(self._engine.edge_words(number))
        visits = int(edge["visits"])
        return Edge(number, codes, visits, float(edge["total"]) / visits)

    def moves(self, node: int = ROOT, least: int = 1) -> Iterator[tuple[Codes, Edge]]:
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

    def most_visited(self, count: int, node: int = ROOT) -> list[tuple[Codes, Edge]]:
        """The paths with most visits from a node to the next nodal ones, without looking at all.

        No path has been taken more often than its beginning, so the best come out one by one.
        """
        found: list[tuple[Codes, Edge]] = []
        queue: list[tuple[int, int, Codes]] = []

        def add_edges(here: int, before: Codes) -> None:
            first, visited = self._visited(here)
            for number, visits in enumerate(visited["visits"].tolist(), first):
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
        words = np.array(self._engine.known_words(codes), "i4")
        node = int(find_node(self._engine.s, words.ctypes.data, len(words)))
        return None if node < 0 else node

    def mast(self, player: int, codes: Sequence[int]) -> float | None:
        """What MAST thinks of a move or of its beginning."""
        engine = self._engine
        if not engine.s.mast_in_simulation:
            return None
        words = np.array(engine.known_words(codes), "i4")
        return float(mast_value(engine.s, player, 0, words.ctypes.data, len(words)))

    def rave(self, edge: Edge) -> float | None:
        """What RAVE thinks of an edge."""
        engine = self._engine
        records = int(engine.s.rave_records)
        if not records:
            return None
        record = records * edge.number
        if records == 2 and engine.amaf[record + 1]["weight"] >= engine.s.rave_threshold:
            record += 1
        known = engine.amaf[record]
        return float(known["total"] / known["weight"]) if known["weight"] else None


def by_visits(edge: Edge) -> tuple[float, float]:
    """The order of the robust child."""
    return edge.visits, edge.score
