"""Printing: expressions, graphs and what is known about them, in the notation of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from semisplit.language.rbg.check.printer import print_rule
from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Holds,
    On,
    PatternTest,
    Repeat,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.facts import GameFacts, GraphFacts
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.native.analysis.transpose import Ways
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.text import ast

_MAX_DISTANCES = 4
"""Distances up to which a relation is described by them."""


class Printer:
    """Prints what is known about a game."""

    def __init__(self, game: GameFacts):
        self._game = game
        self._names = tuple(game.symbols.pieces)
        self._labels = {relation: label for label, relation in game.squares.shifts.items()}

    # Expressions

    def pieces(self, pieces: Pieces) -> str:
        """A set of pieces."""
        return f"{{{','.join(sorted(self._names[piece] for piece in pieces))}}}"

    def relation(self, relation: Relation) -> str:
        """A relation: by its name if it has one, otherwise how it moves the squares it leads on."""
        board, domain = self._game.squares.board, relation.domain
        if relation in self._labels:
            return self._labels[relation]
        if not domain:
            return "nowhere"
        if relation == self._game.identity:
            return "here"
        if domain == board and relation.constant == board:
            return "anywhere"
        on = "" if domain == board else f" from {domain.bit_count()}"
        if relation.is_identity:
            return f"<here{on}>"
        if relation.constant is not None:
            return f"<to {relation.constant.bit_count()}{on}>"
        if relation.has_more_shifts(_MAX_DISTANCES):
            return f"<to {relation.most} at most{on}>"
        return f"<{' '.join(f'{distance:+}' for distance in sorted(relation.shifts))}{on}>"

    def expression(self, expression: Expression) -> str:
        """An expression, in the notation of the rules."""
        match expression:
            case Static(relation=relation, parts=parts):
                text = self.relation(relation)
                return self.expression(parts) if parts and text.startswith("<") else text
            case On(pieces=pieces):
                return self.pieces(pieces)
            case Holds(comparison=comparison):
                return print_rule(comparison)
            case PatternTest(positive=positive, body=body, rule=rule):
                inside = self.expression(body) if body else print_rule(rule.body, self._names)
                return f"{{{'?' if positive else '!'} {inside}}}"
            case Choice(members):
                return " + ".join(map(self.expression, members))
            case Series(members):
                shown = [m for m in members if self.expression(m) != "here"]
                return " ".join(map(self._in_brackets, shown)) or "here"
            case Repeat(body, least):
                return f"({self.expression(body)}){'^+' if least else '*'}"
        raise TypeError(expression)

    def _in_brackets(self, expression: Expression) -> str:
        text = self.expression(expression)
        return f"({text})" if " + " in text and not isinstance(expression, PatternTest) else text

    # Graphs

    def action(self, arc: Arc) -> str:
        """A modifier or dot with its number."""
        assert arc.action is not None
        text = print_rule(arc.action, self._names)
        return f"#{arc.number} {text}" if arc.number else text

    def arc(self, arc: Arc) -> str:
        """An arc, without the node it leads to."""
        if arc.action is not None:
            return self.action(arc)
        return self.expression(arc.expression) if arc.expression else "nothing"

    def graph(self, rules: GraphFacts) -> str:
        """A graph and what is known about its nodes; those that nothing leads to are left out."""
        graph, lines = rules.graph, []
        sites = {0} | {arc.target for arc in graph.modifiers}
        for node, arcs in enumerate(graph.arcs):
            if not arcs and node not in sites and node != graph.end:
                continue
            lines.append(" ".join([f"{node}:", *self._remarks(rules, node, node in sites)]))
            lines += [f"  -> {arc.target:<4} {self.arc(arc)}" for arc in arcs]
        return "\n".join(lines)

    def _remarks(self, rules: GraphFacts, node: int, is_site: bool) -> Iterator[str]:
        if node == rules.graph.end:
            yield "end"
        pieces = rules.pieces_at(node)
        if len(pieces) < len(self._names):
            yield self.pieces(pieces)
        if is_site and node and rules.is_blind(node):
            yield "blind"
        first = rules.merged.first.get(node, node)
        if first != node:
            yield f"like {first}"

    def ways(self, ways: Ways | None) -> str:
        """Ways from squares where a piece will be put to the next modifiers."""
        if ways is None:
            return "not known"
        fixed = [
            f"{self.relation(way.relation)} if {self.expression(way.condition)}:"
            f" {self.action(way.modifier)}"
            for way in ways.fixed
        ]
        others = [f"{self.expression(e)}: {self.action(arc)}" for arc, e in ways.others.items()]
        return "\n".join([*fixed, *(f"other ways {text}" for text in others)])

    def game(self) -> str:
        """The rules, where they are known to repeat themselves, and fixed ways of pieces."""
        game, rules = self._game, self._game.rules
        lines = [
            f"{len(game.squares.bits)} squares in {game.squares.words} words,"
            f" {game.layout.bytes} bytes per state",
            self.graph(rules),
        ]
        for arc in game.graph.modifiers:
            found = rules.ways(arc) if isinstance(arc.action, ast.Off) else None
            if found is not None and (found.fixed or found.others):
                lines.append(f"behind {self.action(arc)}, before it is there:")
                lines += [f"  {line}" for line in self.ways(found).splitlines()]
        return "\n".join(lines)
