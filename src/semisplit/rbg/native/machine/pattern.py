"""Patterns with modifiers: they are tried out on the state, and everything is undone."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.emit.values import Value, constant, i1
from semisplit.rbg.native.analysis.graph import Graph
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import Exit
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.enumerate import Enumerate
from semisplit.rbg.native.machine.program import Program


def emit_pattern(program: Program, graph: Graph, function: ir.Function) -> None:
    """Emit the body of a function that says whether a pattern matches from a square."""
    state, square, frames, context = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, builder, state)
    machine = _Match(program, graph, code, context, frames)
    machine.start(square)


class _Match(Enumerate):
    """Looks for one path to the end of the pattern."""

    def __init__(
        self, program: Program, graph: Graph, code: StateCode, context: Value, frames: Value
    ):
        super().__init__(program, graph, code, context, frames, RegionKind.WHOLE)
        self._matched = code.local(i1)
        self.b.store(ir.Constant(i1, 0), self._matched)

    def start(self, square: Value) -> None:
        self.reserve([0])
        self.check_room()
        self.go(0, square)
        self.finish()
        for block, value in ((self.limited, 0), (self.exhausted, None)):
            self.b.position_at_end(block)
            result = ir.Constant(i1, 0) if value == 0 else self.b.load(self._matched, typ=i1)
            self.b.ret(result)

    def visit(self, exits: Sequence[Exit], step: Relation | None = None) -> None:
        b = self.b
        found, onward = b.append_basic_block("matched"), b.append_basic_block("unmatched")
        b.cbranch(b.icmp_signed("!=", self.options(exits[0]), constant(0)), found, onward)
        b.position_at_end(found)
        b.store(ir.Constant(i1, 1), self._matched)
        b.branch(self.none)
        b.position_at_end(onward)

    def before_retry(self, back: ir.Block) -> None:
        # Once matched, go back without trying anything else.
        b = self.b
        onward = b.append_basic_block("otherwise")
        b.cbranch(b.load(self._matched, typ=i1), back, onward)
        b.position_at_end(onward)
