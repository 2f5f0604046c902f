"""The rules as a graph of sites (a control-flow graph): what can happen between two modifiers.

It is the automaton in which every part of the rules without modifiers is one edge. Nodes are joined
by arcs. An arc is either an expression, in which nothing changes, or an action: a modifier or dot.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from semisplit.language.rbg.native.analysis.expression import Expression
from semisplit.language.rbg.native.analysis.translate import Translator, has_modifiers
from semisplit.language.rbg.play.automaton import Edge, build_automaton
from semisplit.language.rbg.text import ast
from semisplit.language.rbg.text.ast import Rule

Action = ast.Off | ast.Assign | ast.Switch | ast.Dot


@dataclass(frozen=True, eq=False)
class Arc:
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
    """The arcs that leave each node. It starts at node 0."""

    end: int | None
    """The node where a pattern is matched; the end of the rules is like any other node."""
    arcs: list[list[Arc]] = field(default_factory=list)
    modifiers: list[Arc] = field(default_factory=list)
    """The arc of modifier number i is at place i - 1; in patterns, all modifiers."""
    dots: list[Arc] = field(default_factory=list)
    """The arc of dot number i is at place i - 1."""

    @property
    def switches(self) -> list[Arc]:
        """The modifiers that hand control to a player or the keeper."""
        return [arc for arc in self.modifiers if isinstance(arc.action, ast.Switch)]

    def behind(self, number: int) -> int:
        """The node behind a modifier (positive number) or a dot (negative); for 0 the start."""
        if number == 0:
            return 0
        return (self.modifiers[number - 1] if number > 0 else self.dots[-number - 1]).target


def build_graph(rule: Rule, translator: Translator, *, in_pattern: bool) -> Graph:
    """The graph of the rules, or of the content of a pattern."""

    def is_plain(part: Rule) -> bool:
        return not has_modifiers(part, in_pattern=in_pattern)

    def arc(edge: Edge) -> Arc:
        if edge.whole is not None:
            return Arc(edge.target, translator.translate(edge.whole), rule=edge.whole)
        assert edge.action is None or isinstance(edge.action, Action)
        return Arc(edge.target, None, edge.action, edge.number)

    automaton = build_automaton(rule, is_one_edge=is_plain, in_pattern=in_pattern)
    arcs = [[arc(edge) for edge in edges] for edges in automaton.edges]
    numbered = {one.number: one for leaving in arcs for one in leaving if one.number}
    modifiers = [numbered[number + 1] for number in range(len(automaton.modifiers))]
    if in_pattern:
        modifiers = [one for leaving in arcs for one in leaving if one.action]
    dots = [numbered[-number - 1] for number in range(len(automaton.dots))]
    return Graph(automaton.end if in_pattern else None, arcs, modifiers, dots)
