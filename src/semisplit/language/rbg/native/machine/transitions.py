"""Functions that change a state and are called from many others: one step, the keeper's moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer, void
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.machine.keeper import emit_keeper
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.text import ast


@dataclass(frozen=True)
class Transitions:
    """The functions."""

    act: ir.Function
    """Carries out a modifier or dot, known to be possible. It gets the state, the number and the
    square, and changes the board and the values only."""
    keeper: ir.Function
    """See `keeper.emit_keeper`."""
    run_keeper: ir.Function
    """The function of the interface."""


def emit_transitions(program: Program) -> Transitions:
    """Emit all of them."""
    act, keeper = _emit_act(program), emit_keeper(program)
    return Transitions(act, keeper, _emit_run_keeper(program, keeper))


def _emit_act(program: Program) -> ir.Function:
    function = program.module.function("act", void, [pointer, i32, i64])
    function.attributes.add("noinline")
    _, number, square = function.args
    code = StateCode.begin(program.module, function)
    end = code.block("end")
    modifiers = [a for a in program.game.graph.modifiers if not isinstance(a.action, ast.Switch)]

    def apply(arc: Arc) -> None:
        program.shared.apply(program.game.rules, arc, code, square)
        code.b.branch(end)

    switch_by_modifier(program, code, number, end, modifiers, apply)
    code.emit_in(end)
    code.b.ret_void()
    return function


def switch_by_modifier(
    program: Program,
    code: StateCode,
    number: Value,
    otherwise: ir.Block,
    modifiers: list[Arc],
    emit: Callable[[Arc], None],
) -> None:
    """Emit doing something else for each modifier; those that do the same are one case.

    Args:
        program: The game.
        code: Where to emit.
        number: Of the modifier.
        otherwise: Where to go if it is another.
        modifiers: The modifiers.
        emit: Emits what is done for one of them, and where that goes on.
    """
    cases = code.switch(number, otherwise)
    blocks: dict[tuple[object, object], ir.Block] = {}
    for arc in modifiers:
        key = arc.action, program.game.rules.pieces_before(arc)
        if key not in blocks:
            blocks[key] = code.block("modifier")
            code.emit_in(blocks[key])
            emit(arc)
        cases.add_case(ir.Constant(i32, arc.number), blocks[key])


def is_nodal(program: Program, code: StateCode) -> Value:
    """Emit whether the state is at the start of the rules or behind a switch."""
    graph = program.game.graph
    lowest = -len(graph.dots)
    switches = {0} | {switch.number for switch in graph.switches}
    numbers = range(lowest, len(graph.modifiers) + 1)
    at = code.b.sub(code.b.sext(code.at(), i64), constant(lowest))
    nodal = code.look_up(8, [int(number in switches) for number in numbers], at)
    return code.b.trunc(nodal, i1)


def _emit_run_keeper(program: Program, keeper: ir.Function) -> ir.Function:
    """The function that makes the keeper's moves if he is in control."""
    function = program.module.function("run_keeper", void, [pointer, pointer], public=True)
    state, context = function.args
    code = StateCode.begin(program.module, function)
    with code.if_(code.equal(code.player(), 0)):
        at = code.b.sext(code.at(), i64)
        square = code.square()
        frames = ContextCode(code, context).load("frames", pointer)
        code.b.call(keeper, [state, at, square, frames, context])
    code.b.ret_void()
    return function
