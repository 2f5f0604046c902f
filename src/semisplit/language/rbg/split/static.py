"""The static graph: automaton times board, in which every test succeeds.

Only missing edges of the board stop a path, so whatever can happen in play is a path here. It is
never written down node by node: for each node of the automaton there is a set of vertices, an
integer with one bit for each, and edges carry over whole sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from semisplit.language.rbg.play.automaton import Automaton
from semisplit.language.rbg.text.ast import Shift, Switch
from semisplit.language.rbg.text.boards import Board

Vertices = int
"""A set of vertices: bit v stands for vertex v."""


class Steps(NamedTuple):
    """Where a direction leads: by the same distance from each vertex of a set, for some sets."""

    distance: int
    sources: Vertices


class StaticArc(NamedTuple):
    """An edge of the automaton as it acts on sets of vertices."""

    source: int
    target: int
    number: int
    """Positive for modifiers, negative for dots, 0 for anything else, as in the automaton."""
    steps: tuple[Steps, ...] | None
    """None if it stays on the vertex."""

    def forward(self, vertices: Vertices) -> Vertices:
        """Where it leads from some vertices."""
        if self.steps is None:
            return vertices
        reached = 0
        for distance, sources in self.steps:
            moving = vertices & sources
            reached |= moving << distance if distance >= 0 else moving >> -distance
        return reached

    def each_forward(self, vertices: Vertices) -> Iterator[Vertices]:
        """Go forward in parts, in each of which one vertex leads to one vertex."""
        if self.steps is None:
            yield vertices
            return
        for distance, sources in self.steps:
            moving = vertices & sources
            yield moving << distance if distance >= 0 else moving >> -distance

    def backward(self, vertices: Vertices) -> Vertices:
        """From where it leads to some vertices."""
        if self.steps is None:
            return vertices
        found = 0
        for distance, sources in self.steps:
            found |= (vertices >> distance if distance >= 0 else vertices << -distance) & sources
        return found


class StaticGraph:
    """The parts of automaton times board on a path from the start that does not end too early."""

    def __init__(self, automaton: Automaton, board: Board):
        self.size = len(board.names)
        """The number of vertices."""
        self.outgoing = arcs_of(automaton, board)
        """The arcs that leave each node."""
        # Play may end at the end of the rules, and behind a switch, where somebody cannot move.
        ends = {edge.target for edge in automaton.modifiers if isinstance(edge.action, Switch)}
        self.live = self._without_dead_ends(self._reached(), ends | {automaton.end})
        """The vertices on which play can be at each node."""

    def _reached(self) -> list[Vertices]:
        reached = [0] * len(self.outgoing)
        reached[0] = 1
        fresh = {0: 1}
        while fresh:
            node, vertices = fresh.popitem()
            for arc in self.outgoing[node]:
                if new := arc.forward(vertices) & ~reached[arc.target]:
                    reached[arc.target] |= new
                    fresh[arc.target] = fresh.get(arc.target, 0) | new
        return reached

    def _without_dead_ends(self, live: list[Vertices], ends: set[int]) -> list[Vertices]:
        """Take away from where nothing leads on, again and again, unless play may end there."""
        before: list[set[int]] = [set() for _ in live]
        for arcs in self.outgoing:
            for arc in arcs:
                before[arc.target].add(arc.source)
        changed = [node for node, vertices in enumerate(live) if vertices and node not in ends]
        waiting = set(changed)
        while changed:
            node = changed.pop()
            waiting.remove(node)
            onward = 0
            for arc in self.outgoing[node]:
                onward |= arc.backward(live[arc.target])
            if live[node] & ~onward:
                live[node] &= onward
                added = before[node] - ends - waiting
                waiting |= added
                changed += added
        return live


def arcs_of(automaton: Automaton, board: Board) -> list[list[StaticArc]]:
    """The arcs that leave each node of an automaton."""
    steps = {label: _steps(board, label) for label in board.labels}
    return [
        [
            StaticArc(
                node,
                edge.target,
                edge.number,
                steps[edge.action.label] if isinstance(edge.action, Shift) else None,
            )
            for edge in edges
        ]
        for node, edges in enumerate(automaton.edges)
    ]


def _steps(board: Board, label: str) -> tuple[Steps, ...]:
    sources: dict[int, Vertices] = {}
    for vertex, edges in enumerate(board.edges):
        if label in edges:
            distance = edges[label] - vertex
            sources[distance] = sources.get(distance, 0) | 1 << vertex
    return tuple(Steps(*item) for item in sources.items())


def members(vertices: Vertices) -> Iterator[int]:
    """The vertices of a set."""
    while vertices:
        lowest = vertices & -vertices
        yield lowest.bit_length() - 1
        vertices ^= lowest
