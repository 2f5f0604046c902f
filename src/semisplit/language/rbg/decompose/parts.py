"""Which vertices and variables belong together, by what actions read and write.

Between two modifiers, rules go along the board and test. What a modifier writes depends on what was
tested on some way to it, and on the vertex of the modifier before unless any vertex would do. That
is read off the static graph, in which every test succeeds. So nothing is missed, but things may be
joined that no position joins.

Scores that rules do not read are goals, and tests before them join nothing. Neither do variables
that are only asked whether the game goes on, nor those that count moves, which are control.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.automaton import Automaton, Edge, SubAutomaton, build_automaton
from semisplit.language.rbg.split.static import StaticGraph, Vertices, members
from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Compare,
    Count,
    Modifier,
    Off,
    On,
    Operation,
    Switch,
    Variable,
)


class Part(NamedTuple):
    """A sub-game."""

    vertices: tuple[int, ...]
    variables: tuple[str, ...]


@dataclass
class _Seen:
    """What is read on the ways to a modifier."""

    vertices: Vertices = 0
    names: set[str] = field(default_factory=set)
    """Variables and scores."""


class Parts(NamedTuple):
    """What a game consists of, less what no modifier writes."""

    control: tuple[str, ...]
    """Variables that change in the same way in each move."""
    subgames: tuple[Part, ...]
    """In the order of their first vertices."""


def find_parts(description: Description) -> Parts:
    """Find the sub-games of a game."""
    automaton = build_automaton(description.rules)
    control = tuple(name for name in description.variables if _counts_moves(automaton, name))
    return Parts(control, _Finder(description, automaton, control).find())


def _counts_moves(automaton: Automaton, name: str) -> bool:
    """Whether players change a variable once in each move, and always in the same way."""
    assigning = [
        (node, edge)
        for node, edges in enumerate(automaton.edges)
        for edge in edges
        if isinstance(edge.action, Assign) and edge.action.variable == name and edge.number > 0
    ]
    values = {edge.action.value for _, edge in assigning if isinstance(edge.action, Assign)}
    read = {one.name for value in values for one in _leaves(value) if isinstance(one, Variable)}
    if len(values) != 1 or read != {name}:
        return False
    switches = [edge for edge in automaton.modifiers if isinstance(edge.action, Switch)]
    turns = {
        edge.target
        for edge in switches
        if isinstance(edge.action, Switch) and edge.action.player is not None
    }
    without = _within_a_move(automaton, turns, name)
    skips = any(edge in switches for node in without for edge in automaton.edges[node])
    again = _within_a_move(automaton, {edge.target for _, edge in assigning}, name)
    keeper = _within_a_move(automaton, {0} | {edge.target for edge in switches} - turns, name)
    return not skips and not any(node in again | keeper for node, _ in assigning)


def _within_a_move(automaton: Automaton, nodes: set[int], name: str) -> set[int]:
    """What can be reached from some nodes before the next switch or assignment to a variable."""
    reached, fresh = set(nodes), list(nodes)
    while fresh:
        for edge in automaton.edges[fresh.pop()]:
            action = edge.action
            ends = isinstance(action, Switch) or (
                isinstance(action, Assign) and action.variable == name
            )
            if not ends and edge.target not in reached:
                reached.add(edge.target)
                fresh.append(edge.target)
    return reached


class _Finder:
    def __init__(self, description: Description, automaton: Automaton, control: tuple[str, ...]):
        self._automaton = automaton
        self._graph = StaticGraph(self._automaton, description.board)
        self._all: Vertices = (1 << self._graph.size) - 1
        scores = sorted(set(self._names_read()) & set(description.players))
        self._elements = [name for name in (*description.variables, *scores) if name not in control]
        self._parts = list(range(self._graph.size + len(self._elements)))
        self._before: list[list[tuple[int, int]]] = [[] for _ in self._automaton.edges]
        """For each node the edges that lead to it, modifiers left out: their nodes and places."""
        for node, edges in enumerate(self._automaton.edges):
            for place, edge in enumerate(edges):
                if edge.number <= 0:
                    self._before[edge.target].append((node, place))
        behind = {edge.target for edge in self._automaton.modifiers}
        self._starts = {0, *behind}
        self._patterns: dict[tuple[int, Vertices], _Seen] = {}

    def find(self) -> tuple[Part, ...]:
        """Join what modifiers join."""
        changed: set[int] = set()
        for node, edges in enumerate(self._automaton.edges):
            for edge in edges:
                if edge.number > 0 and isinstance(edge.action, (Off, Assign, Switch)):
                    for vertex in members(self._graph.live[node]):
                        changed |= self._join(node, edge.action, vertex)
        groups: dict[int, list[int]] = {}
        for element in range(len(self._parts)):
            groups.setdefault(self._root(element), []).append(element)
        size = self._graph.size
        return tuple(
            Part(
                tuple(one for one in group if one < size),
                tuple(self._elements[one - size] for one in group if one >= size),
            )
            for group in groups.values()
            if changed & set(group)
        )

    def _join(self, node: int, action: Modifier, vertex: int) -> set[int]:
        """Join what a modifier writes on a vertex with what that depends on; what is written."""
        if isinstance(action, Assign) and action.variable not in self._elements:
            return set()
        seen = self._look_back(node, vertex)
        written: set[int] = set()
        if isinstance(action, Off):
            written.add(vertex)
        elif isinstance(action, Assign):
            written.add(self._element(action.variable))
            self._note(action.value, seen)
        elements = [*written, *members(seen.vertices)]
        if written:
            elements += [self._element(name) for name in seen.names if name in self._elements]
        for element in elements:
            self._parts[self._root(element)] = self._root(elements[0])
        return written

    def _look_back(self, node: int, vertex: int) -> _Seen:
        """What is tested on the ways to a node and vertex since the last modifier."""
        seen, live = _Seen(), self._graph.live
        reached = {node: 1 << vertex}
        fresh = dict(reached)
        while fresh:
            target, vertices = fresh.popitem()
            for source, place in self._before[target]:
                edge = self._automaton.edges[source][place]
                arc = self._graph.outgoing[source][place]
                here = arc.backward(vertices) & live[source]
                self._read(edge, here, seen)
                if new := here & ~reached.get(source, 0):
                    reached[source] = reached.get(source, 0) | new
                    fresh[source] = fresh.get(source, 0) | new
        for start in self._starts & reached.keys():
            # If play may go on from anywhere, it does not matter from where it does.
            if reached[start] != live[start]:
                seen.vertices |= reached[start]
        return seen

    def _read(self, edge: Edge, vertices: Vertices, seen: _Seen) -> None:
        """Note what an edge reads on some vertices."""
        if not vertices:
            return
        if isinstance(edge.action, On):
            seen.vertices |= vertices
        elif isinstance(edge.action, Compare):
            self._note(edge.action.left, seen)
            self._note(edge.action.right, seen)
        elif edge.pattern is not None:
            inner = self._look_ahead(edge.pattern, vertices)
            seen.vertices |= inner.vertices
            seen.names |= inner.names

    def _look_ahead(self, pattern: SubAutomaton, vertices: Vertices) -> _Seen:
        """What a pattern reads that begins on some vertices."""
        known = self._patterns.get((pattern.start, vertices))
        if known is not None:
            return known
        seen, reached = _Seen(), {pattern.start: vertices}
        fresh = dict(reached)
        while fresh:
            node, here = fresh.popitem()
            for edge, arc in zip(self._automaton.edges[node], self._graph.outgoing[node]):
                self._read(edge, here, seen)
                if isinstance(edge.action, Assign):
                    self._note(edge.action.value, seen)
                if new := arc.forward(here) & ~reached.get(edge.target, 0):
                    reached[edge.target] = reached.get(edge.target, 0) | new
                    fresh[edge.target] = fresh.get(edge.target, 0) | new
        self._patterns[pattern.start, vertices] = seen
        return seen

    def _note(self, value: Arithmetic, seen: _Seen) -> None:
        for one in _leaves(value):
            if isinstance(one, Variable):
                seen.names.add(one.name)
            elif isinstance(one, Count):
                seen.vertices |= self._all

    def _names_read(self) -> Iterator[str]:
        for edges in self._automaton.edges:
            for edge in edges:
                values: list[Arithmetic] = []
                if isinstance(edge.action, Compare):
                    values = [edge.action.left, edge.action.right]
                elif isinstance(edge.action, Assign):
                    values = [edge.action.value]
                for value in values:
                    yield from (one.name for one in _leaves(value) if isinstance(one, Variable))

    def _element(self, name: str) -> int:
        return self._graph.size + self._elements.index(name)

    def _root(self, element: int) -> int:
        while self._parts[element] != element:
            self._parts[element] = self._parts[self._parts[element]]
            element = self._parts[element]
        return element


def _leaves(value: Arithmetic) -> Iterator[Arithmetic]:
    if isinstance(value, Operation):
        yield from _leaves(value.left)
        yield from _leaves(value.right)
    else:
        yield value
