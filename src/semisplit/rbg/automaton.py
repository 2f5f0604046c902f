"""The rules as a nondeterministic automaton with one action on each edge.

A sum shares the start and the end among its alternatives, a concatenation joins end and start, a
star adds a start and an end of its own and four empty edges. A pattern is one edge that carries
the start and end of an automaton of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from semisplit.rbg.ast import (
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
)


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the automaton: an action, which may be a pattern, or none on empty edges."""

    target: int
    action: Shift | On | Compare | Pattern | Modifier | Dot | None = None
    pattern: SubAutomaton | None = None
    number: int = 0
    """For modifiers outside patterns their number, from 1; for dots minus theirs; else 0."""


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


def build_automaton(rules: Rule) -> Automaton:
    """Build the automaton of rules in normal form; numbers follow the order of the text."""
    automaton = Automaton([[], []], end=1)
    add_paths(automaton, rules, 0, 1)
    return automaton


def add_paths(automaton: Automaton, rule: Rule, start: int, end: int) -> None:
    """Add the paths of a rule between two nodes of an automaton."""
    _Builder(automaton).build(rule, start, end, in_pattern=False)


class _Builder:
    def __init__(self, automaton: Automaton):
        self._automaton = automaton

    def _node(self) -> int:
        self._automaton.edges.append([])
        return len(self._automaton.edges) - 1

    def _edge(self, source: int, edge: Edge) -> None:
        self._automaton.edges[source].append(edge)

    def build(self, rule: Rule, start: int, end: int, *, in_pattern: bool) -> None:
        """Add the paths of a rule between two nodes."""
        match rule:
            case Sum(members):
                for member in members:
                    self.build(member, start, end, in_pattern=in_pattern)
            case Concat(()):
                self._edge(start, Edge(end))
            case Concat(members):
                for member in members[:-1]:
                    middle = self._node()
                    self.build(member, start, middle, in_pattern=in_pattern)
                    start = middle
                self.build(members[-1], start, end, in_pattern=in_pattern)
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
