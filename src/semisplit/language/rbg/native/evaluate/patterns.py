"""The patterns of a game: functions that say whether one holds on a square, each emitted once."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, i1, i64, pointer
from semisplit.language.rbg.native.analysis.expression import (
    LOOP,
    Choice,
    Expression,
    PatternTest,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.facts import GameFacts, GraphFacts
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.evaluator import Answer, Evaluator
from semisplit.language.rbg.text import ast
from semisplit.language.rbg.text.ast import Rule

_LARGE_TEST = LOOP + 10
"""The cost above which the keeper's regions ask for a pattern in a function of its own; when there
are several options, the same patterns are asked again to find the first."""

EmitPattern = Callable[[GraphFacts, ir.Function], None]
"""Emits the body of a function that says whether a pattern with modifiers matches."""


class Patterns:
    """Answers what evaluators ask about patterns."""

    def __init__(self, game: GameFacts, module: BoardModule, emit_pattern: EmitPattern):
        self._game = game
        self._module = module
        self._emit_pattern = emit_pattern
        self._changing: dict[Rule, ir.Function] = {}
        self._tests: dict[Expression, tuple[ir.Function, bool]] = {}

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

        def ask(test: PatternTest, square: Value) -> Answer | None:
            if test.body is not None:
                # What is known about the piece here is not known to others.
                is_known = square is start and len(pieces) < len(self._game.symbols.pieces)
                needs_it = is_known and not _leads_away(test.body)
                if not shares or needs_it or test.cost <= _LARGE_TEST:
                    return None
            return self._ask(test, code, square, scratch, context)

        return Evaluator(code, self._game.symbols, self._game.start_counts, ask, start, pieces)

    def holds(
        self, pattern: ast.Pattern, code: StateCode, square: Value, scratch: Value, context: Value
    ) -> Condition:
        """Emit asking whether a pattern holds on a square, all by itself."""
        expression = self._game.translator.translate(pattern)
        if isinstance(expression, Static):
            return code.is_in(expression.relation.domain, square)
        assert isinstance(expression, PatternTest)
        found = self._ask(expression, code, square, scratch, context).holds
        return found if expression.positive else code.negate(found)

    def _ask(
        self, test: PatternTest, code: StateCode, square: Value, scratch: Value, context: Value
    ) -> Answer:
        """Emit calling the function of a pattern."""
        if test.body is None:
            function, may_fail = self._changing_pattern(test), True
        else:
            function, may_fail = self._test(test.body)
        return Answer(code.b.call(function, [code.state, square, scratch, context]), may_fail)

    def _test(self, body: Expression) -> tuple[ir.Function, bool]:
        """The function that says whether the content of a pattern has a path from a square.

        And whether it may hit a limit.
        """
        if body not in self._tests:
            function = self._function("test")
            _, square, scratch, context = function.args
            code = StateCode.begin(self._module, function, structured=True)
            everything = frozenset(self._game.symbols.pieces.values())
            evaluator = self.evaluator(code, context, scratch, square, everything, shares=True)
            code.b.ret(code.condition(evaluator.matches(body, evaluator.at(square))))
            self._tests[body] = function, evaluator.may_fail
        return self._tests[body]

    def _changing_pattern(self, test: PatternTest) -> ir.Function:
        """The function that evaluates a pattern with modifiers from a square."""
        body = test.rule.body
        if body not in self._changing:
            self._changing[body] = self._function("pattern")
            self._emit_pattern(self._game.pattern(body), self._changing[body])
        return self._changing[body]

    def _function(self, name: str) -> ir.Function:
        arguments = [pointer, i64, pointer, pointer]
        return self._module.function(self._module.unique(name), i1, arguments)


def _leads_away(expression: Expression) -> bool:
    """Whether an expression goes to other squares before it looks at any."""
    match expression:
        case Static(relation=relation):
            return not relation.is_identity
        case Series(members):
            return _leads_away(members[0])
        case Choice(members):
            return all(map(_leads_away, members))
    return False
