"""The rules as a graph of sites: what can happen between one modifier and the next.

Nodes are joined by steps. A step is either an expression, in which nothing changes, or an action: a
modifier or dot. The numbers of modifiers and dots are those of the automaton.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from semisplit.rbg import ast
from semisplit.rbg.ast import Rule
from semisplit.rbg.native.analysis.expression import Expression
from semisplit.rbg.native.analysis.translate import Translator, has_modifiers

Action = ast.Off | ast.Assign | ast.Switch | ast.Dot


@dataclass(frozen=True, eq=False)
class Step:
    """A way from one node to another; without action and expression, nothing happens on it."""

    target: int
    expression: Expression | None = None
    action: Action | None = None
    number: int = 0
    """Of the action: positive for modifiers, negative for dots, 0 inside patterns."""
    rule: Rule | None = None
    """What the expression was made of."""


@dataclass(eq=False)
class Graph:
    """The steps that leave each node."""

    end: int | None
    """The node where a pattern is matched; the end of the rules is like any other node."""
    steps: list[list[Step]] = field(default_factory=list)
    modifiers: list[Step] = field(default_factory=list)
    """The step of modifier number i is at place i - 1."""
    dots: list[Step] = field(default_factory=list)
    """The step of dot number i is at place i - 1."""

    @property
    def switches(self) -> list[Step]:
        """The modifiers that hand control to a player or the keeper."""
        return [step for step in self.modifiers if isinstance(step.action, ast.Switch)]

    def behind(self, number: int) -> int:
        """The node behind a modifier (positive number) or a dot (negative); for 0 the start."""
        if number == 0:
            return 0
        return (self.modifiers[number - 1] if number > 0 else self.dots[-number - 1]).target


def build_graph(rule: Rule, translator: Translator, *, in_pattern: bool) -> Graph:
    """The graph of the rules, or of the content of a pattern; it starts at node 0."""
    graph = Graph(1 if in_pattern else None, [[], []])
    _Builder(graph, translator, in_pattern).build(rule, 0, 1)
    return graph


class _Builder:
    def __init__(self, graph: Graph, translator: Translator, in_pattern: bool):
        self._graph = graph
        self._translator = translator
        self._in_pattern = in_pattern

    def _node(self) -> int:
        self._graph.steps.append([])
        return len(self._graph.steps) - 1

    def _step(self, source: int, step: Step) -> None:
        self._graph.steps[source].append(step)

    def _is_plain(self, rule: Rule) -> bool:
        return not has_modifiers(rule, in_pattern=self._in_pattern)

    def build(self, rule: Rule, start: int, end: int) -> None:
        """Add the paths of a rule between two nodes."""
        if self._is_plain(rule):
            self._step(start, Step(end, self._translator.translate(rule), rule=rule))
            return
        match rule:
            case ast.Sum(members):
                for _, group in groupby(members, self._is_plain):
                    together = list(group)
                    if self._is_plain(together[0]):
                        together = [ast.sum_of(together)]
                    for member in together:
                        self.build(member, start, end)
            case ast.Concat(members):
                self._sequence(members, start, end)
            case ast.Star(body):
                first, last = self._node(), self._node()
                self._step(start, Step(first))
                self._step(start, Step(end))
                self.build(body, first, last)
                self._step(last, Step(end))
                self._step(last, Step(first))
            case ast.Dot():
                step = Step(end, None, rule, -len(self._graph.dots) - 1)
                self._graph.dots.append(step)
                self._step(start, step)
            case ast.Off() | ast.Assign() | ast.Switch():
                number = 0 if self._in_pattern else len(self._graph.modifiers) + 1
                step = Step(end, None, rule, number)
                self._graph.modifiers.append(step)
                self._step(start, step)

    def _sequence(self, members: tuple[Rule, ...], start: int, end: int) -> None:
        parts: list[Rule] = []
        for _, group in groupby(members, self._is_plain):
            together = list(group)
            parts += [ast.concat(together)] if self._is_plain(together[0]) else together
        for part in parts[:-1]:
            middle = self._node()
            self.build(part, start, middle)
            start = middle
        self.build(parts[-1], start, end)
