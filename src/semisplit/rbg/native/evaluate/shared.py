"""Functions that several places of a game's code share: carrying out modifiers, finding squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from llvmlite import ir

from semisplit.emit.structured import StructuredBuilder
from semisplit.emit.values import Value, i64, pointer, void
from semisplit.rbg.native.analysis.expression import Expression, Test
from semisplit.rbg.native.analysis.graph import Arc, Graph
from semisplit.rbg.native.analysis.pieces import Pieces
from semisplit.rbg.native.board.sets import Squareset
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate import modifiers
from semisplit.rbg.native.evaluate.evaluate import Evaluator
from semisplit.rbg.native.evaluate.places import Many

if TYPE_CHECKING:
    from semisplit.rbg.native.machine.program import Program

_LARGE = 60
"""Modifiers above which a game is large and its code is kept small."""


class Shared:
    """The shared functions of a game, emitted when first asked for."""

    def __init__(self, program: Program):
        self._program = program
        self._module = program.module
        self._modifiers: dict[tuple[str, object, Pieces], ir.Function] = {}
        self._sets: dict[tuple[str, Expression], ir.Function] = {}

    def apply(self, graph: Graph, arc: Arc, code: StateCode, square: Value) -> Value:
        """Emit applying a modifier; returns what `undo` needs to know.

        In large games it is a call: they have hundreds of modifiers, of few kinds.
        """
        possible = self._program.possible(graph, arc)
        if not self._is_large:
            return modifiers.apply(code, self._program.symbols, arc, square, possible)
        key = "apply", arc.action, possible
        if key not in self._modifiers:
            self._modifiers[key] = function = self._modifier_function("apply", i64, 1)
            b = ir.IRBuilder(function.append_basic_block("entry"))
            inner = StateCode(self._module, b, function.args[0])
            b.ret(modifiers.apply(inner, self._program.symbols, arc, function.args[1], possible))
        return code.b.call(self._modifiers[key], [code.state, square])

    def undo(self, graph: Graph, arc: Arc, code: StateCode, square: Value, old: Value) -> None:
        """Emit undoing a modifier."""
        possible = self._program.possible(graph, arc)
        if not self._is_large:
            modifiers.undo(code, self._program.symbols, arc, square, possible, old)
            return
        key = "undo", arc.action, possible
        if key not in self._modifiers:
            self._modifiers[key] = function = self._modifier_function("undo", void, 2)
            state, at, before = function.args
            b = ir.IRBuilder(function.append_basic_block("entry"))
            modifiers.undo(
                StateCode(self._module, b, state), self._program.symbols, arc, at, possible, before
            )
            b.ret_void()
        code.b.call(self._modifiers[key], [code.state, square, old])

    def _modifier_function(self, name: str, result: ir.Type, numbers: int) -> ir.Function:
        arguments = [pointer, *[i64] * numbers]
        function = self._module.function(self._program.module.unique(name), result, arguments)
        function.attributes.add("noinline")
        return function

    @property
    def _is_large(self) -> bool:
        # Without a mailbox a modifier takes only a few instructions.
        most = _LARGE if self._module.layout.mailbox_bytes else 3 * _LARGE
        return len(self._program.graph.modifiers) > most

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
        key = name, self._program.translator.same(expression)
        if key not in self._sets:
            kinds = [pointer, *arguments]
            function = self._module.function(
                self._program.module.unique(name), self._module.set_type, kinds
            )
            self._sets[key] = function
            b = StructuredBuilder(function.append_basic_block("entry"))
            code = StateCode(self._module, b, function.args[0])
            evaluator = Evaluator(
                code, self._program.symbols, self._program.start_counts, _never_ask
            )
            b.ret(code.as_set(emit(evaluator, *function.args[1:])))
            self._program.module.set_inlining(function)
        return self._sets[key]


def _never_ask(test: Test, square: Value) -> None:
    """There are no patterns with modifiers here, and others need no function of their own."""
