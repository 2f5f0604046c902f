"""Paths between two modifiers, from all vertices at once: do they cross the same dots?"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from semisplit.core.limits import Allowance
from semisplit.language.rbg.split.static import StaticArc, Steps, Vertices, members

Relation = int
"""A set of pairs of vertices: bit `a * size + b` stands for paths from a to b."""
Relations = dict[int, Relation]
"""The paths to each node that they come to."""
_ROWS = 10
"""What it costs to cut a relation into rows, for each of its words."""


class StaticPart(NamedTuple):
    """A part of the static graph: what is connected without crossing a modifier.

    Nodes are numbered from 0, each before those it leads to, as far as there are no loops; dots
    from 1. So parts are equal if they look alike.
    """

    live: tuple[Vertices, ...]
    """Where play can be at each node."""
    starts: tuple[Vertices, ...]
    """Where paths start."""
    arcs: tuple[tuple[StaticArc, ...], ...]
    """Those that leave each node, modifiers left out."""


class _Start(NamedTuple):
    """A node and the vertices where paths start, and where they lead."""

    node: int
    vertices: Relation
    """Each of them paired with itself."""
    reached: Relations


class PathPairs:
    """Makes pairs of the vertices of a board, and arcs that act on pairs."""

    def __init__(self, size: int):
        self.size = size
        self.words = size**2 // 64
        """How long relations are."""
        self._diagonal = self._repeated(1, size + 1) & (1 << size**2) - 1
        self._ending: dict[Vertices, Relation] = {}
        self._steps: dict[tuple[Steps, ...], tuple[Steps, ...]] = {}

    def ending_on(self, vertices: Vertices) -> Relation:
        """All pairs that end on one of some vertices."""
        if vertices not in self._ending:
            self._ending[vertices] = self._repeated(vertices, self.size)
        return self._ending[vertices]

    def _repeated(self, bits: int, distance: int) -> int:
        """Bits again and again at some distance, at least as often as there are vertices."""
        count = 1
        while count < self.size:
            bits |= bits << count * distance
            count *= 2
        return bits

    def equal(self, vertices: Vertices) -> Relation:
        """The pairs of a vertex with itself."""
        return self._diagonal & self.ending_on(vertices)

    def arc(self, arc: StaticArc) -> StaticArc:
        """The arc that goes on with paths as this one does with vertices."""
        if arc.steps is None:
            return arc
        if arc.steps not in self._steps:
            wide = [Steps(distance, self.ending_on(sources)) for distance, sources in arc.steps]
            self._steps[arc.steps] = tuple(wide)
        return arc._replace(steps=self._steps[arc.steps])

    def rows(self, relation: Relation) -> list[Vertices]:
        """Where paths lead from each vertex."""
        return self._cut(relation, self.size)

    def _cut(self, relation: Relation, rows: int) -> list[Vertices]:
        if rows == 1:
            return [relation]
        # In halves, because what is cut off is copied.
        low, high = rows // 2, rows - rows // 2
        place = low * self.size
        below, above = relation & (1 << place) - 1, relation >> place
        return [*self._cut(below, low), *self._cut(above, high)]

    def are_apart(self, relation: Relation) -> bool:
        """Whether no two paths lead to the same vertex."""
        count, rows = relation.bit_count(), self.size
        while rows > 1:
            rows = (rows + 1) // 2
            half = rows * self.size
            relation = relation >> half | relation & (1 << half) - 1
        return relation.bit_count() == count


class Paths:
    """The paths in a part of the static graph.

    Args:
        part: The part.
        pairs: Those of the board's vertices.
        work: What may be done.
    """

    def __init__(self, part: StaticPart, pairs: PathPairs, work: Allowance):
        self._part = part
        self._pairs = pairs
        self._work = work
        work.spend(len(part.live) * pairs.words)
        self._live = [pairs.ending_on(vertices) for vertices in part.live]
        self._leaving = [[pairs.arc(arc) for arc in arcs] for arcs in part.arcs]
        self._coming: list[list[StaticArc]] = [[] for _ in part.arcs]
        for arcs in self._leaving:
            for arc in arcs:
                self._coming[arc.target].append(arc)
        self._starts = [
            self._start(node, vertices) for node, vertices in enumerate(part.starts) if vertices
        ]

    def illegal_dots(self) -> set[int]:
        """The numbers of the dots that only some of the paths between two nodes cross."""
        dots = [arc for arcs in self._leaving for arc in arcs if arc.number < 0]
        return {-dot.number for dot in dots if self._is_illegal(dot)}

    def _is_illegal(self, dot: StaticArc) -> bool:
        """Whether a path crosses a dot somewhere, and another to the same node does not.

        The other one does without the dot, or crosses it on other vertices. Where both have crossed
        it on the same vertex before, they may as well start behind that.
        """
        live = self._part.live
        behind = self._start(dot.target, live[dot.source] & live[dot.target])
        is_loop = dot.source in behind.reached
        for start in [*self._starts, behind] if is_loop else self._starts:
            if dot.source not in start.reached:
                continue
            around = self._around(dot, start, behind.reached)
            first = (around if is_loop else start.reached).get(dot.source, 0)
            if around:
                through = self._spread({dot.target: first & self._live[dot.target]})
                if any(around.get(node, 0) & paths for node, paths in through.items()):
                    return True
            if self._meet(first & self._live[dot.target], behind.reached):
                return True
        return False

    def _start(self, node: int, vertices: Vertices) -> _Start:
        equal = self._pairs.equal(vertices)
        return _Start(node, equal, self._spread({node: equal}))

    def _around(self, dot: StaticArc, start: _Start, behind: Relations) -> Relations:
        """The paths from a start that do not cross a dot, but come to nodes behind it."""
        seeds: Relations = {}
        if start.node in behind:
            seeds[start.node] = start.vertices
        for node in behind:
            for arc in self._coming[node]:
                paths = 0 if arc.source in behind else start.reached.get(arc.source, 0)
                if paths and arc.number != dot.number:
                    seeds[node] = seeds.get(node, 0) | arc.forward(paths) & self._live[node]
        return self._spread(seeds, without=dot.number)

    def _spread(self, seeds: Relations, without: int = 1) -> Relations:
        """Go on with paths as far as they lead, but not across one of the dots."""
        reached, fresh = dict(seeds), dict(seeds)
        waiting = sorted(seeds)
        while waiting:
            node = heappop(waiting)
            paths = fresh.pop(node)
            for arc in self._leaving[node]:
                if arc.number == without:
                    continue
                target = arc.target
                before = reached.get(target, 0)
                new = arc.forward(paths) & self._live[target]
                if new := new & ~before:
                    reached[target] = before | new
                    if target in fresh:
                        fresh[target] |= new
                    else:
                        fresh[target] = new
                        heappush(waiting, target)
            self._work.spend(len(self._leaving[node]) * (32 + (paths.bit_length() >> 6)))
        return reached

    def _meet(self, first: Relation, behind: Relations) -> bool:
        """Whether, from one start, paths across a dot on several vertices come together again."""
        self._work.spend(self._pairs.words * (1 + len(behind)) * _ROWS)
        several = {row for row in self._pairs.rows(first) if row & row - 1}
        if not several:
            return False
        for paths in behind.values():
            if self._pairs.are_apart(paths):
                continue
            onward = self._pairs.rows(paths)
            for row in several:
                met = 0
                for vertex in members(row):
                    if met & onward[vertex]:
                        return True
                    met |= onward[vertex]
        return False
