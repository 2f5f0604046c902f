"""Patterns with modifiers: they are tried out on the state, and everything is undone."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import i1
from semisplit.language.rbg.native.analysis.facts import GraphFacts
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.enumerate import Enumerate
from semisplit.language.rbg.native.machine.machine import Machine, Sink
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.native.machine.tables import make_machine


def emit_pattern(program: Program, rules: GraphFacts, function: ir.Function) -> None:
    """Emit the body of a function that says whether a pattern matches from a square."""
    _, square, frames, context = function.args
    code = StateCode.begin(program.module, function)
    stack = Stack(code, ContextCode(code, context), frames)
    sink = _FirstPath(code)
    machine = make_machine(program, rules, Until.MODIFIER, stack, Enumerate(), sink, [0])
    machine.check_room()
    machine.go(0, square)
    machine.finish()
    code.emit_in(stack.limited)
    code.b.ret(ir.Constant(i1, 0))
    code.emit_in(stack.exhausted)
    code.b.ret(code.b.load(sink.matched, typ=i1))


class _FirstPath(Sink):
    """Looks for one path to the end of the pattern."""

    def __init__(self, code: StateCode) -> None:
        self.matched = code.local(i1)
        code.b.store(ir.Constant(i1, 0), self.matched)

    def visit(
        self, machine: Machine, site: Site, exits: Sequence[Exit], relation: Relation | None
    ) -> None:
        with machine.code.if_(machine.code.unequal(site.options(exits[0]), 0)):
            machine.b.store(ir.Constant(i1, 1), self.matched)
            machine.b.branch(site.none)

    def before_retry(self, machine: Machine, back: ir.Block) -> None:
        # Once matched, go back without trying anything else.
        machine.code.jump_if(machine.b.load(self.matched, typ=i1), back)
