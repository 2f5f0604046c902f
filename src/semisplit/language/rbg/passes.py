"""The passes from a description to machine code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from semisplit.language.passes import Pass, machine_passes
from semisplit.language.rbg.check.description import Description, parse
from semisplit.language.rbg.check.printer import print_low_level, print_rule
from semisplit.language.rbg.native.analysis.facts import GameFacts
from semisplit.language.rbg.native.analysis.text import Printer
from semisplit.language.rbg.native.interface.compile import code_of, emit_game
from semisplit.language.rbg.play.automaton import Automaton, Edge
from semisplit.language.rbg.text.ast import Concat, Dot, Pattern, Rule, Star, Sum, concat, sum_of

if TYPE_CHECKING:
    from semisplit.language.rbg.native.interface.build import Emitted
    from semisplit.language.rbg.rules import RbgRules


def passes(rules: RbgRules) -> list[Pass]:
    """All of them, in order."""
    description, pieces = rules.description, rules.description.pieces

    @cache
    def facts() -> GameFacts:
        return GameFacts(description, rules.divided)

    @cache
    def emitted() -> Emitted:
        return emit_game(description, rules.divided, rules.strategy)

    def regions() -> str:
        program = emitted().program
        return program.regions.text(Printer(program.game))

    return [
        Pass("parse", lambda: print_low_level(description), lambda: _verify_text(description)),
        Pass(
            "split", rules.low_level_text, lambda: _verify_split(description.rules, rules.divided)
        ),
        Pass(
            "automaton",
            lambda: "\n".join(_automaton_lines(rules.automaton, pieces)),
            lambda: _verify_automaton(rules.automaton),
        ),
        Pass(
            "graph",
            lambda: Printer(facts()).game(),
            lambda: _verify_graph(facts(), rules.automaton),
        ),
        Pass("regions", regions, lambda: emitted().program.regions.verify()),
        *machine_passes(rules.source.name, lambda: code_of(emitted(), rules.strategy)),
    ]


def _verify_text(description: Description) -> None:
    """What is printed is the same game when it is read again."""
    again = parse(print_low_level(description), description.source.name)
    assert (again.rules, again.players) == (description.rules, description.players)
    assert (again.pieces, again.variables) == (description.pieces, description.variables)
    assert again.board.pieces == description.board.pieces
    assert again.board.edges == description.board.edges


def _verify_split(rules: Rule, divided: Rule) -> None:
    """Only dots have come, outside patterns."""
    assert _without_dots(divided) == _without_dots(rules)


def _without_dots(rule: Rule) -> Rule:
    match rule:
        case Sum(members):
            return sum_of(map(_without_dots, members))
        case Concat(members):
            return concat(_without_dots(member) for member in members if member != Dot())
        case Star(body):
            return Star(_without_dots(body))
        case Dot():
            return Concat(())
    return rule


def _automaton_lines(automaton: Automaton, pieces: tuple[str, ...]) -> Iterator[str]:
    for node, edges in enumerate(automaton.edges):
        yield f"{node}:{' end' if node == automaton.end else ''}"
        for edge in edges:
            number = f"#{edge.number} " if edge.number else ""
            action = print_rule(edge.action, pieces) if edge.action else "nothing"
            inside = f", from {edge.pattern.start} to {edge.pattern.end}" if edge.pattern else ""
            yield f"  -> {edge.target:<4} {number}{action}{inside}"


def _verify_automaton(automaton: Automaton) -> None:
    """Edges lead to nodes that are there, and numbers are those of the modifiers and dots."""
    nodes = range(len(automaton.edges))
    edges = [edge for leaving in automaton.edges for edge in leaving]
    assert automaton.end in nodes
    for edge in edges:
        assert edge.target in nodes
        assert edge.whole is None
        assert (edge.pattern is not None) == isinstance(edge.action, Pattern)
        if edge.pattern:
            assert edge.pattern.start in nodes
            assert edge.pattern.end in nodes
    numbered: dict[int, Edge] = {edge.number: edge for edge in edges if edge.number}
    assert [numbered[n + 1] for n in range(len(automaton.modifiers))] == automaton.modifiers
    assert [numbered[-n - 1] for n in range(len(automaton.dots))] == automaton.dots
    assert len(numbered) == len(automaton.modifiers) + len(automaton.dots)


def _verify_graph(game: GameFacts, automaton: Automaton) -> None:
    """Arcs either change something or not, and modifiers and dots are those of the automaton."""
    graph = game.graph
    for arcs in graph.arcs:
        for arc in arcs:
            assert arc.target in range(len(graph.arcs))
            assert arc.action is None or arc.expression is None
    for ours, theirs in ((graph.modifiers, automaton.modifiers), (graph.dots, automaton.dots)):
        assert [(a.number, a.action) for a in ours] == [(e.number, e.action) for e in theirs]
