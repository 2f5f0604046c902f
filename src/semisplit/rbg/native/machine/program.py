"""A game while it is being compiled: its graph, its patterns, and what is known about them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from llvmlite import ir

from semisplit.emit.structured import StructuredBuilder
from semisplit.emit.values import Condition, Value, i1, i64, pointer
from semisplit.rbg import ast
from semisplit.rbg.ast import Rule
from semisplit.rbg.description import Description
from semisplit.rbg.native.analysis.blind import is_blind, sufficient
from semisplit.rbg.native.analysis.change import Change
from semisplit.rbg.native.analysis.expression import LOOP, Chain, Choice, Expression, Static, Test
from semisplit.rbg.native.analysis.graph import Arc, Graph, build_graph
from semisplit.rbg.native.analysis.merge import Merged, merge
from semisplit.rbg.native.analysis.pieces import Pieces, possible_pieces
from semisplit.rbg.native.analysis.translate import Translator
from semisplit.rbg.native.analysis.transpose import Ways, ways
from semisplit.rbg.native.board.layout import Layout
from semisplit.rbg.native.board.module import BoardModule
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.board.sets import Squareset
from semisplit.rbg.native.board.squares import Squares
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.arithmetic import Symbols
from semisplit.rbg.native.evaluate.evaluate import Evaluator
from semisplit.rbg.native.evaluate.regions import Regions
from semisplit.rbg.native.evaluate.shared import Shared
from semisplit.runtime.abi import Part

_MAX_SIZE = {Part.GAME: 1_000_000, Part.GUIDED: 60_000, Part.NUMBERED: 60_000}
"""Instructions above which a part is not compiled: a game would take minutes, and the others, which
searches can do without, as long again as the game, some seconds."""
_LARGE_TEST = LOOP + 10
"""The cost above which the keeper's regions ask for a pattern in a function of its own; when there
are several options, the same patterns are asked again to find the first."""
_MAX_CLEARED = 4
"""Without a mailbox a modifier clears a square in the sets of so many pieces at most."""


class Group(NamedTuple):
    """A kind of move, all of which is known by one square."""

    steps: tuple[Arc, ...]
    relation: Relation | None
    """Leads from the square of the first step to that of the others, if it is another."""


class Program:
    """The game and the functions that have been emitted for it so far."""

    def __init__(
        self, description: Description, rules: Rule, part: Part, *, pdep: bool, checked: bool
    ):
        self.description = description
        bounds = {**description.players, **description.variables}
        self.symbols = Symbols(
            {piece: number for number, piece in enumerate(description.pieces)},
            {name: number for number, name in enumerate(bounds)},
            bounds,
        )
        self.players = [None, *description.players]
        self.squares = Squares.of(description.board)
        self.translator = Translator(self.squares, description.pieces)
        self.graph = build_graph(rules, self.translator, in_pattern=False)
        self.start_counts = [description.board.pieces.count(p) for p in description.pieces]
        self._possible: dict[Graph, list[Pieces]] = {}
        self._sources: dict[Graph, dict[Arc, int]] = {}
        self.module = BoardModule(
            description.source.name,
            _MAX_SIZE[part],
            self.squares,
            self._layout(),
            pdep=pdep,
            checked=checked,
        )
        self._ways: dict[Arc, Ways | None] = {}
        self._blind: dict[tuple[Graph, int], bool] = {}
        self._changing: dict[Rule, ir.Function] = {}
        self._tests: dict[Expression, tuple[ir.Function, bool]] = {}
        self.uses_changing = False
        """Whether the function being emitted evaluates patterns with modifiers."""
        self.frame_bytes = 0
        """Memory for frames that is enough for everything but patterns inside patterns."""
        self.shared = Shared(self)
        self.regions = Regions(self)
        self.groups: list[Group] = []
        """See `numbered`."""
        self.keeper: ir.Function
        """See `keeper.emit_keeper`."""
        self.run_keeper: ir.Function
        """The function of the interface."""
        self.act: ir.Function
        """See `step.emit_act`."""

    def need_frames(self, size: int) -> None:
        """See to it that callers provide that many bytes for frames."""
        self.frame_bytes = max(self.frame_bytes, size)

    def _layout(self) -> Layout:
        pieces = len(self.description.pieces)
        cleared = max(
            (
                len(self.possible(self.graph, step))
                for step in self.graph.modifiers
                if isinstance(step.action, ast.Off)
            ),
            default=0,
        )
        needs_mailbox = self.squares.words > 1 or cleared > _MAX_CLEARED
        mailbox_bytes = (1 if pieces < 255 else 2) if needs_mailbox else 0
        return Layout(self.squares.size, pieces, len(self.symbols.values), mailbox_bytes)

    @cached_property
    def player_numbers(self) -> list[int]:
        """The numbers of all modifiers and dots after which a player may be in control."""
        graph = self.graph
        numbers = {step.number for step in graph.switches if self.player_of(step)}
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
            for step in self.graph.arcs[work.pop()]:
                goes_on = step.action is None or isinstance(step.action, ast.Dot)
                if goes_on and step.target not in seen:
                    seen.add(step.target)
                    work.append(step.target)
                if step.action and not isinstance(step.action, ast.Switch):
                    numbers.add(step.number)
        return numbers

    def player_of(self, step: Arc) -> int:
        """Who is in control behind a switch."""
        assert isinstance(step.action, ast.Switch)
        return self.players.index(step.action.player)

    def possible(self, graph: Graph, step: Arc) -> Pieces:
        """The pieces that may be on the current square when a modifier is applied."""
        if graph not in self._sources:
            self._sources[graph] = {
                step: node for node, steps in enumerate(graph.arcs) for step in steps
            }
        return self.possible_at(graph, self._sources[graph][step])

    def possible_at(self, graph: Graph, node: int) -> Pieces:
        """The pieces that may be on the current square at a node."""
        if graph not in self._possible:
            self._possible[graph] = possible_pieces(graph, dict(self.symbols.pieces))
        # Where play never comes to, there may as well be any piece.
        return self._possible[graph][node] or frozenset(self.symbols.pieces.values())

    @cached_property
    def merged(self) -> Merged:
        """The rules with sites that are alike only once."""
        return self._merge(self.graph)

    @cached_property
    def numbered(self) -> Graph:
        """The rules for code that needs the numbers of players' modifiers.

        Sites that are alike differ in them, so they cannot be merged.
        """
        sites = {self.graph.behind(number) for number in self.player_numbers}
        first = self.merged.first
        has_merged = any(first.get(site, site) != site for site in sites)
        return self.graph if has_merged else self.merged.graph

    @property
    def words(self) -> int:
        """The number of words that stand for steps."""
        return (len(self.graph.dots) + len(self.graph.modifiers) + 1) * self.squares.size

    def _merge(self, graph: Graph) -> Merged:
        return merge(graph, [self.possible_at(graph, node) for node in range(len(graph.arcs))])

    def evaluator(
        self,
        code: StateCode,
        context: Value,
        scratch: Value,
        start: Value,
        pieces: Pieces,
        *,
        shares: bool = False,
    ) -> Evaluator:
        """An evaluator that emits at a place of a function.

        Args:
            code: The place.
            context: The caller's limits.
            scratch: Memory that patterns with modifiers may use for their frames.
            start: The square where the evaluation starts.
            pieces: The pieces that may be on it.
            shares: Whether large patterns are asked in functions that others ask, too.
        """

        def ask(test: Test, square: Value) -> Value | None:
            if test.body is not None:
                # What is known about the piece here is not known to others.
                is_known = square is start and len(pieces) < len(self.symbols.pieces)
                needs_it = is_known and not _leads_away(test.body)
                if not shares or needs_it or test.cost <= _LARGE_TEST:
                    return None
            return self._ask(test, code, square, scratch, context)

        return Evaluator(code, self.symbols, self.start_counts, ask, start, pieces)

    def test(
        self, pattern: ast.Pattern, code: StateCode, square: Value, scratch: Value, context: Value
    ) -> Condition:
        """Emit asking whether a pattern holds on a square, all by itself."""
        expression = self.translator.translate(pattern)
        if isinstance(expression, Static):
            return code.is_in(expression.relation.domain, square)
        assert isinstance(expression, Test)
        found = self._ask(expression, code, square, scratch, context)
        return found if expression.positive else code.negate(found)

    def _ask(
        self, test: Test, code: StateCode, square: Value, scratch: Value, context: Value
    ) -> Value:
        """Emit calling the function of a pattern."""
        if test.body is None:
            function, changing = self._changing_pattern(test), True
        else:
            function, changing = self._test(test.body)
        self.uses_changing = self.uses_changing or changing
        return code.b.call(function, [code.state, square, scratch, context])

    def _test(self, body: Expression) -> tuple[ir.Function, bool]:
        """The function that says whether the content of a pattern has a path from a square.

        And whether patterns with modifiers are evaluated.
        """
        if body not in self._tests:
            arguments = [pointer, i64, pointer, pointer]
            function = self.module.function(self.module.unique("test"), i1, arguments)
            state, square, scratch, context = function.args
            builder = StructuredBuilder(function.append_basic_block("entry"))
            code = StateCode(self.module, builder, state)
            everything = frozenset(self.symbols.pieces.values())
            outer, self.uses_changing = self.uses_changing, False
            evaluator = self.evaluator(code, context, scratch, square, everything, shares=True)
            builder.ret(code.condition(evaluator.matches(body, evaluator.at(square))))
            self._tests[body] = function, self.uses_changing
            self.uses_changing = outer
        return self._tests[body]

    def is_blind(self, graph: Graph, node: int) -> bool:
        """Whether what follows a node does not depend on the piece that was just put there."""
        key = graph, node
        if key not in self._blind:
            identity = Relation.identity(self.squares.board, self.squares.size)
            self._blind[key] = is_blind(graph, node, identity, self.possible_at(graph, node))
        return self._blind[key]

    def transposed(self, graph: Graph, step: Arc) -> Ways | None:
        """The ways from squares where a piece will be put to the next modifiers, if known."""
        if step not in self._ways:
            assert isinstance(step.action, ast.Off)
            identity = Relation.identity(self.squares.board, self.squares.size)
            piece = self.symbols.pieces[step.action.piece]
            change = Change(identity, piece, self.possible(graph, step))
            self._ways[step] = ways(graph, step.target, change)
        return self._ways[step]

    def add_region(self, graph: Graph, modifiers: dict[Arc, Expression]) -> int:
        """A new node of a graph, from which expressions lead to modifiers."""
        everything = frozenset(self.symbols.pieces.values())
        node = len(graph.arcs)
        graph.arcs.append([])
        for modifier, expression in modifiers.items():
            graph.arcs[node].append(Arc(len(graph.arcs), expression))
            graph.arcs.append([modifier])
        self._possible[graph] += [everything] * (len(graph.arcs) - node)
        return node

    def sure_squares(self, graph: Graph, node: int, code: StateCode) -> Squareset | None:
        """Emit finding squares for which the region behind a node certainly goes on.

        None if nothing is known about it before a piece has been put on the square.
        """
        identity = Relation.identity(self.squares.board, self.squares.size)
        expression = sufficient(graph, node, identity)
        return None if expression is None else self.shared.matching(expression, code)

    def _changing_pattern(self, test: Test) -> ir.Function:
        """The function that evaluates a pattern with modifiers from a square."""
        from semisplit.rbg.native.machine.pattern import emit_pattern

        body = test.rule.body
        if body not in self._changing:
            name = self.module.unique("pattern")
            function = self.module.function(name, i1, [pointer, i64, pointer, pointer])
            self._changing[body] = function
            graph = build_graph(body, self.translator, in_pattern=True)
            emit_pattern(self, self._merge(graph).graph, function)
        return self._changing[body]


def _leads_away(expression: Expression) -> bool:
    """Whether an expression goes to other squares before it looks at any."""
    match expression:
        case Static(relation=relation):
            return not relation.is_identity
        case Chain(members):
            return _leads_away(members[0])
        case Choice(members):
            return all(map(_leads_away, members))
    return False
