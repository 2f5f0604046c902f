"""Functions that several places of a game's code share: carrying out modifiers, finding squares."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from semisplit.compiler.emit.values import Value, i64, pointer, void
from semisplit.language.rbg.native.analysis.expression import Expression, PatternTest
from semisplit.language.rbg.native.analysis.facts import GameFacts, GraphFacts
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.board.sets import Squareset
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate import modifiers
from semisplit.language.rbg.native.evaluate.evaluator import Evaluator
from semisplit.language.rbg.native.evaluate.places import Many

_LARGE = 60
"""Modifiers above which a game is large and its code is kept small."""


class Shared:
    """The shared functions of a game, emitted when first asked for."""

    def __init__(self, game: GameFacts, module: BoardModule):
        self._game = game
        self._module = module
        self._modifiers: dict[tuple[str, object, Pieces], ir.Function] = {}
        self._put: ir.Function | None = None
        self._sets: dict[tuple[str, Expression], ir.Function] = {}

    def apply(self, rules: GraphFacts, arc: Arc, code: StateCode, square: Value) -> Value:
        """Emit applying a modifier; returns what `undo` needs to know.

        In large games it is a call: they have hundreds of modifiers, of few kinds.
        """
        possible = rules.pieces_before(arc)
        if not self._is_large:
            return modifiers.apply(code, self._game.symbols, arc, square, possible)
        key = "apply", arc.action, possible
        if key not in self._modifiers:
            self._modifiers[key] = function = self._modifier_function("apply", i64, 1)
            inner, at = StateCode.begin(self._module, function), function.args[1]
            inner.b.ret(modifiers.apply(inner, self._game.symbols, arc, at, possible))
        return code.b.call(self._modifiers[key], [code.state, square])

    def undo(self, rules: GraphFacts, arc: Arc, code: StateCode, square: Value, old: Value) -> None:
        """Emit undoing a modifier."""
        possible = rules.pieces_before(arc)
        if not self._is_large:
            modifiers.undo(code, self._game.symbols, arc, square, possible, old)
            return
        key = "undo", arc.action, possible
        if key not in self._modifiers:
            self._modifiers[key] = function = self._modifier_function("undo", void, 2)
            inner, (_, at, before) = StateCode.begin(self._module, function), function.args
            modifiers.undo(inner, self._game.symbols, arc, at, possible, before)
            inner.b.ret_void()
        code.b.call(self._modifiers[key], [code.state, square, old])

    def put(self, code: StateCode, piece: Value, square: Value) -> Value:
        """Emit putting a piece on a square, in a state with a mailbox; returns what was there."""
        if self._put is None:
            self._put = self._module.function("put", i64, [pointer, i64, i64])
            self._put.attributes.add("alwaysinline")
            inner = StateCode.begin(self._module, self._put)
            inner.b.ret(modifiers.put(inner, *self._put.args[1:]))
        return code.b.call(self._put, [code.state, piece, square])

    def _modifier_function(self, name: str, result: ir.Type, numbers: int) -> ir.Function:
        arguments = [pointer, *[i64] * numbers]
        function = self._module.function(self._module.unique(name), result, arguments)
        function.attributes.add("noinline")
        return function

    @property
    def _is_large(self) -> bool:
        # Without a mailbox a modifier takes only a few instructions.
        most = _LARGE if self._module.layout.mailbox_bytes else 3 * _LARGE
        return len(self._game.graph.modifiers) > most

    def matching(self, expression: Expression, code: StateCode) -> Squareset:
        """Emit finding all squares from which an expression leads somewhere."""

        def emit(evaluator: Evaluator) -> Squareset:
            everywhere = Many(self._module.squares.board, len(self._module.squares.bits))
            return evaluator.squares(evaluator.forward(expression.reverse, everywhere))

        function = self._set_function("matching", expression, [], emit)
        return code.b.call(function, [code.state])

    def filtered(self, squares: Value, expression: Expression, code: StateCode) -> Squareset:
        """Emit finding the squares of a small set from which an expression leads somewhere."""

        def emit(evaluator: Evaluator, some: Value) -> Squareset:
            return evaluator.filter(
                some, lambda square: evaluator.matches(expression, evaluator.at(square))
            )

        function = self._set_function("filtered", expression, [code.set_type], emit)
        return code.b.call(function, [code.state, squares])

    def _set_function(
        self,
        name: str,
        expression: Expression,
        arguments: list[ir.Type],
        emit: Callable[..., Squareset],
    ) -> ir.Function:
        """A function of the state that returns a set; the same expression has it only once."""
        key = name, self._game.translator.same(expression)
        if key not in self._sets:
            name, result = self._module.unique(name), self._module.set_type
            function = self._module.function(name, result, [pointer, *arguments])
            self._sets[key] = function
            code = StateCode.begin(self._module, function, structured=True)
            evaluator = Evaluator(code, self._game.symbols, self._game.start_counts, _never_ask)
            code.b.ret(code.as_set(emit(evaluator, *function.args[1:])))
            self._module.set_inlining(function)
        return self._sets[key]


def _never_ask(test: PatternTest, square: Value) -> None:
    """There are no patterns with modifiers here, and others need no function of their own."""
