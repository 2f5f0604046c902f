"""The analysis manager: what is known about a game before any code is emitted.

Each analysis is carried out when it is first asked for. `text` shows them.
"""

from __future__ import annotations

from functools import cached_property

from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.native.analysis.blind import is_blind, sufficient
from semisplit.language.rbg.native.analysis.change import Change
from semisplit.language.rbg.native.analysis.expression import Expression
from semisplit.language.rbg.native.analysis.forget import forgets_square
from semisplit.language.rbg.native.analysis.graph import Arc, Graph, build_graph
from semisplit.language.rbg.native.analysis.merge import Merged, merge
from semisplit.language.rbg.native.analysis.pieces import Pieces, possible_pieces
from semisplit.language.rbg.native.analysis.symbols import Symbols
from semisplit.language.rbg.native.analysis.translate import Translator
from semisplit.language.rbg.native.analysis.transpose import Ways, ways
from semisplit.language.rbg.native.board.layout import Layout
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.squares import Squares
from semisplit.language.rbg.text import ast
from semisplit.language.rbg.text.ast import Rule

_MAX_CLEARED = 4
"""Without a mailbox a modifier clears a square in the sets of so many pieces at most."""

_MAX_KEPT = 12
"""Words that the sets of a state may have to be kept in registers; a mailbox cannot be."""


class GraphFacts:
    """A graph, and what is known about it."""

    def __init__(self, graph: Graph, symbols: Symbols, identity: Relation):
        self.graph = graph
        self._symbols = symbols
        self._identity = identity
        self._everything = frozenset(symbols.pieces.values())
        self._blind: dict[int, bool] = {}
        self._ways: dict[Arc, Ways | None] = {}

    @cached_property
    def _pieces(self) -> list[Pieces]:
        return possible_pieces(self.graph, dict(self._symbols.pieces))

    @cached_property
    def _sources(self) -> dict[Arc, int]:
        return {arc: node for node, arcs in enumerate(self.graph.arcs) for arc in arcs}

    def pieces_at(self, node: int) -> Pieces:
        """The pieces that may be on the current square at a node."""
        # Where play never comes to, there may as well be any piece.
        return self._pieces[node] or self._everything

    def pieces_before(self, arc: Arc) -> Pieces:
        """The pieces that may be on the current square when a modifier is applied."""
        return self.pieces_at(self._sources[arc])

    @cached_property
    def merged(self) -> Merged:
        """The graph with sites that are alike only once."""
        return merge(self.graph, [self.pieces_at(node) for node in range(len(self.graph.arcs))])

    def is_blind(self, node: int) -> bool:
        """Whether what follows a node does not depend on the piece that was just put there."""
        if node not in self._blind:
            pieces = self.pieces_at(node)
            self._blind[node] = is_blind(self.graph, node, self._identity, pieces)
        return self._blind[node]

    def ways(self, arc: Arc) -> Ways | None:
        """The ways from squares where a piece will be put to the next modifiers, if known."""
        if arc not in self._ways:
            assert isinstance(arc.action, ast.Off)
            piece = self._symbols.pieces[arc.action.piece]
            change = Change(self._identity, piece, self.pieces_before(arc))
            self._ways[arc] = ways(self.graph, arc.target, change)
        return self._ways[arc]

    def sufficient(self, node: int) -> Expression | None:
        """What is enough for the region behind a node to go on, if anything is known."""
        return sufficient(self.graph, node, self._identity)

    def add_site(self, modifiers: dict[Arc, Expression]) -> int:
        """A new node, from which expressions lead to modifiers."""
        arcs = self.graph.arcs
        node = len(arcs)
        arcs.append([])
        for modifier, expression in modifiers.items():
            arcs[node].append(Arc(len(arcs), expression))
            arcs.append([modifier])
        self._pieces.extend([self._everything] * (len(arcs) - node))
        return node


class GameFacts:
    """A game, and what is known about it."""

    def __init__(self, description: Description, rules: Rule, *, keeps_sets: bool = False):
        """Find out what is known.

        Args:
            description: The game.
            rules: Its rules with the dots of a split strategy.
            keeps_sets: Whether the sets of a state are kept in registers if they are few.
        """
        self.description = description
        self._keeps_sets = keeps_sets
        self.symbols = Symbols.of(description)
        self.squares = Squares.of(description.board)
        self.identity = Relation.identity(self.squares.board, self.squares.size)
        self.translator = Translator(self.squares, description.pieces)
        self.rules = self._facts(build_graph(rules, self.translator, in_pattern=False))
        """The rules as they are."""
        self.start_counts = [description.board.pieces.count(p) for p in description.pieces]
        """How many of each piece there are at the start."""
        self._patterns: dict[Rule, GraphFacts] = {}

    def _facts(self, graph: Graph) -> GraphFacts:
        return GraphFacts(graph, self.symbols, self.identity)

    @property
    def graph(self) -> Graph:
        """The graph of the rules as they are."""
        return self.rules.graph

    @cached_property
    def merged(self) -> GraphFacts:
        """The rules with sites that are alike only once."""
        return self._facts(self.rules.merged.graph)

    @cached_property
    def numbered(self) -> GraphFacts:
        """The rules for code that needs the numbers of players' modifiers.

        Sites that are alike differ in them, so they cannot be merged.
        """
        sites = {self.graph.behind(number) for number in self.player_numbers}
        first = self.rules.merged.first
        has_merged = any(first.get(site, site) != site for site in sites)
        return self.rules if has_merged else self.merged

    def pattern(self, body: Rule) -> GraphFacts:
        """The content of a pattern with modifiers, with sites that are alike only once."""
        if body not in self._patterns:
            graph = build_graph(body, self.translator, in_pattern=True)
            self._patterns[body] = self._facts(self._facts(graph).merged.graph)
        return self._patterns[body]

    # Players

    def player_of(self, switch: Arc) -> int:
        """Who is in control behind a switch: a player from 1, or the keeper, 0."""
        assert isinstance(switch.action, ast.Switch)
        return [None, *self.description.players].index(switch.action.player)

    def turns(self, rules: GraphFacts) -> list[Arc]:
        """The switches behind which a player moves, in the rules or a form of them."""
        return [switch for switch in rules.graph.switches if self.player_of(switch)]

    @cached_property
    def player_numbers(self) -> list[int]:
        """The numbers of all modifiers and dots after which a player may be in control."""
        graph = self.graph
        numbers = {switch.number for switch in self.turns(self.rules)}
        work = list(numbers)
        while work:
            for number in self._next_numbers(graph.behind(work.pop())):
                if number not in numbers:
                    numbers.add(number)
                    work.append(number)
        return sorted(numbers)

    def _next_numbers(self, node: int) -> set[int]:
        """The numbers of the modifiers, but for switches, and dots that may come next."""
        seen, work, numbers = {node}, [node], set()
        while work:
            for arc in self.graph.arcs[work.pop()]:
                goes_on = arc.action is None or isinstance(arc.action, ast.Dot)
                if goes_on and arc.target not in seen:
                    seen.add(arc.target)
                    work.append(arc.target)
                if arc.action and not isinstance(arc.action, ast.Switch):
                    numbers.add(arc.number)
        return numbers

    @cached_property
    def forgetful(self) -> list[int]:
        """The steps, 0 for the start, after which the current square makes no difference."""
        graph, board = self.graph, self.squares.board
        numbers = range(-len(graph.dots), len(graph.modifiers) + 1)
        return [n for n in numbers if forgets_square(graph, graph.behind(n), board)]

    # States

    @cached_property
    def layout(self) -> Layout:
        """Where the parts of a state lie in memory."""
        pieces = len(self.symbols.pieces)
        cleared = max(
            (
                len(self.rules.pieces_before(arc))
                for arc in self.graph.modifiers
                if isinstance(arc.action, ast.Off)
            ),
            default=0,
        )
        squares = self.squares
        needs_mailbox = squares.words > 1 or cleared > _MAX_CLEARED
        # Without one, the place behind the last square must be in the last word.
        has_last = squares.words == 1 or squares.size % 64 > 0
        if self._keeps_sets and has_last and pieces * squares.words <= _MAX_KEPT:
            needs_mailbox = False
        mailbox_bytes = (1 if pieces < 255 else 2) if needs_mailbox else 0
        return Layout(self.squares.size, pieces, len(self.symbols.values), mailbox_bytes)
