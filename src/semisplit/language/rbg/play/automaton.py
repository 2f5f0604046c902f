"""The rules as a nondeterministic automaton with one action on each edge.

A sum shares the start and the end among its alternatives, a concatenation joins end and start, a
star adds a start and an end of its own and four empty edges. A pattern is one edge that carries
the start and end of an automaton of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from semisplit.language.rbg.text.ast import (
    Assign,
    Compare,
    Concat,
    Dot,
    Modifier,
    Off,
    On,
    Pattern,
    Rule,
    Shift,
    Star,
    Sum,
    Switch,
    concat,
    sum_of,
)


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the automaton: an action, which may be a pattern, or none on empty edges."""

    target: int
    action: Shift | On | Compare | Pattern | Modifier | Dot | None = None
    pattern: SubAutomaton | None = None
    number: int = 0
    """For modifiers outside patterns their number, from 1; for dots minus theirs; else 0."""
    whole: Rule | None = None
    """Instead of an action, a part of the rules that is not taken apart."""


@dataclass(frozen=True, slots=True)
class SubAutomaton:
    """The content of a pattern."""

    positive: bool
    start: int
    end: int


@dataclass
class Automaton:
    """Nodes are numbered from 0, the start of the rules; edges are in order of preference."""

    edges: list[list[Edge]] = field(default_factory=list)
    end: int = 0
    modifiers: list[Edge] = field(default_factory=list)
    """The edge of modifier number i is at place i - 1."""
    dots: list[Edge] = field(default_factory=list)
    """The edge of dot number i is at place i - 1."""

    def behind(self, number: int) -> int:
        """The node behind a modifier (positive number) or a dot (negative number)."""
        return (self.modifiers[number - 1] if number > 0 else self.dots[-number - 1]).target


def build_automaton(
    rules: Rule,
    *,
    is_one_edge: Callable[[Rule], bool] = lambda rule: False,
    in_pattern: bool = False,
) -> Automaton:
    """Build the automaton of rules in normal form; numbers follow the order of the text.

    Args:
        rules: The rules, or the content of a pattern.
        is_one_edge: Whether a part of the rules is not taken apart but becomes one edge, together
            with neighbours of which the same is true.
        in_pattern: Whether it is the content of a pattern, in which nothing has a number.
    """
    automaton = Automaton([[], []], end=1)
    _Builder(automaton, is_one_edge).build(rules, 0, 1, in_pattern=in_pattern)
    return automaton


def add_paths(automaton: Automaton, rule: Rule, start: int, end: int) -> None:
    """Add the paths of a rule between two nodes of an automaton."""
    _Builder(automaton, lambda rule: False).build(rule, start, end, in_pattern=False)


class _Builder:
    def __init__(self, automaton: Automaton, is_one_edge: Callable[[Rule], bool]):
        self._automaton = automaton
        self._is_one_edge = is_one_edge

    def _node(self) -> int:
        self._automaton.edges.append([])
        return len(self._automaton.edges) - 1

    def _edge(self, source: int, edge: Edge) -> None:
        self._automaton.edges[source].append(edge)

    def build(self, rule: Rule, start: int, end: int, *, in_pattern: bool) -> None:
        """Add the paths of a rule between two nodes."""
        if self._is_one_edge(rule):
            self._edge(start, Edge(end, whole=rule))
            return
        match rule:
            case Sum(members):
                for member in self._together(members, sum_of):
                    self.build(member, start, end, in_pattern=in_pattern)
            case Concat(()):
                self._edge(start, Edge(end))
            case Concat(members):
                parts = self._together(members, concat)
                for part in parts[:-1]:
                    middle = self._node()
                    self.build(part, start, middle, in_pattern=in_pattern)
                    start = middle
                self.build(parts[-1], start, end, in_pattern=in_pattern)
            case Star(body):
                first, last = self._node(), self._node()
                self._edge(start, Edge(first))
                self._edge(start, Edge(end))
                self.build(body, first, last, in_pattern=in_pattern)
                self._edge(last, Edge(end))
                self._edge(last, Edge(first))
            case Pattern(positive, body):
                first, last = self._node(), self._node()
                self.build(body, first, last, in_pattern=True)
                self._edge(start, Edge(end, rule, SubAutomaton(positive, first, last)))
            case Shift() | On() | Compare():
                self._edge(start, Edge(end, rule))
            case Dot():
                self._numbered(start, end, rule, self._automaton.dots, -1, in_pattern)
            case Off() | Assign() | Switch():
                self._numbered(start, end, rule, self._automaton.modifiers, 1, in_pattern)

    def _together(
        self, members: tuple[Rule, ...], join: Callable[[Sequence[Rule]], Rule]
    ) -> list[Rule]:
        """The members of a rule, those joined that become one edge and are neighbours."""
        parts: list[Rule] = []
        for is_one_edge, group in groupby(members, self._is_one_edge):
            neighbours = list(group)
            parts += [join(neighbours)] if is_one_edge else neighbours
        return parts

    def _numbered(
        self,
        start: int,
        end: int,
        action: Modifier | Dot,
        numbered: list[Edge],
        sign: int,
        in_pattern: bool,
    ) -> None:
        number = 0 if in_pattern else sign * (len(numbered) + 1)
        edge = Edge(end, action, None, number)
        if not in_pattern:
            numbered.append(edge)
        self._edge(start, edge)
