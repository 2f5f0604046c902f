"""The tree of a search as Python sees it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from semisplit.rbg.interpret import Steps
from semisplit.search.engine import Engine
from semisplit.search.kernels.mast import mast_value
from semisplit.search.kernels.memory import ROOT, Kind


class Edge(NamedTuple):
    """An edge that has been visited."""

    number: int
    """By which the node is known that it leads to."""
    steps: Steps
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

    def edges(self, node: int) -> list[Edge]:
        """The edges of a node that have been visited."""
        first, tried = (int(self._engine.edges[node][name]) for name in ("first", "tried"))
        if first < 0:
            return []
        return [self._edge(number) for number in range(first, first + tried)]

    def _edge(self, number: int) -> Edge:
        edge = self._engine.edges[number]
        steps = self._engine.game.steps(self._engine.edge_words(number))
        visits = int(edge["visits"])
        return Edge(number, steps, visits, float(edge["total"]) / visits)

    def moves(self, node: int = ROOT, least: int = 1) -> Iterator[tuple[Steps, Edge]]:
        """All paths from a node to the next nodal nodes: their steps and their last edge.

        Edges with fewer than `least` visits are left out.
        """
        stack: list[tuple[int, Steps]] = [(node, ())]
        while stack:
            here, before = stack.pop()
            for edge in self.edges(here):
                steps = before + without_dots(edge.steps)
                if edge.visits < least:
                    continue
                if self.is_nodal(edge.number):
                    yield steps, edge
                else:
                    stack.append((edge.number, steps))

    def find(self, steps: Steps) -> Edge | None:
        """The last edge of a path from the root that makes a move."""
        stack: list[tuple[int, Steps]] = [(ROOT, steps)]
        while stack:
            node, rest = stack.pop()
            for edge in self.edges(node):
                own = without_dots(edge.steps)
                if rest[: len(own)] != own:
                    continue
                if not self.is_nodal(edge.number):
                    stack.append((edge.number, rest[len(own) :]))
                elif rest == own:
                    return edge
        return None

    def mast(self, player: int, steps: Steps) -> float | None:
        """What MAST thinks of a move or of its beginning."""
        engine = self._engine
        if not engine.s.mast_in_simulation:
            return None
        words = np.array(engine.known_words(steps), "i4")
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


def without_dots(steps: Steps) -> Steps:
    """The steps of a (semi)move that change something."""
    return tuple(step for step in steps if step.number > 0)
