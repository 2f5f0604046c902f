"""Making given steps: moves that have been listed, and those of which it is not known."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.interface.packing import first_step, unpack_step
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site_tables import SiteTables
from semisplit.language.rbg.native.machine.transitions import (
    Transitions,
    is_nodal,
    switch_by_modifier,
)
from semisplit.language.rbg.text import ast


def emit_apply(program: Program, transitions: Transitions) -> None:
    """The function `apply` of the interface.

    Searches call it for each edge, so the last step, often the only one, takes no detours.
    """
    game = program.game
    function = program.module.function("apply", i32, [pointer, pointer, i64, pointer], public=True)
    state, steps, count, context = function.args
    code = StateCode.begin(program.module, function)
    b = code.b
    last = b.shl(b.sub(count, constant(1)), constant(2))
    with code.each(last, 4) as offset:
        number, square = unpack_step(game, code, code.load(i32, steps, offset))
        b.call(transitions.act, [state, number, square])
    number, square = unpack_step(game, code, code.load(i32, steps, last))
    code.set_at(number, square)
    inside, nodal, keeper = code.blocks("inside", "nodal", "keeper")

    def make(arc: Arc) -> None:
        if isinstance(arc.action, ast.Switch):
            player = game.player_of(arc)
            code.set_player(player)
            b.branch(nodal if player else keeper)
        else:
            program.shared.apply(game.rules, arc, code, square)
            b.branch(inside)

    switch_by_modifier(program, code, number, inside, game.graph.modifiers, make)
    code.emit_in(keeper)
    b.call(transitions.run_keeper, [state, context])
    b.ret(b.zext(is_nodal(program, code), i32))
    for block, value in ((inside, 0), (nodal, 1)):
        code.emit_in(block)
        b.ret(ir.Constant(i32, value))


def emit_play(
    program: Program, transitions: Transitions, whole: SiteTables, dotted: SiteTables
) -> ir.Function:
    """The function `play` of the interface.

    Args:
        program: The game.
        transitions: Its functions for one step.
        whole: All sites without dots.
        dotted: All sites with dots, for steps among which there is a dot.
    """
    function = program.module.function("play", i32, [pointer, pointer, i64, pointer], public=True)
    state, steps, count, context = function.args
    step = _emit_step(program, transitions, whole)
    dot_step = step if dotted is whole else _emit_step(program, transitions, dotted)
    code = StateCode.begin(program.module, function)
    b = code.b
    has_dot = _has_dot(program, code, steps, count)
    illegal = code.block("illegal")
    with code.loop(constant(0)) as loop:
        (place,) = loop.variables
        loop.leave_if(code.equal(place, count))
        # A move ends with a switch.
        code.jump_if(b.and_(code.unequal(place, 0), is_nodal(program, code)), illegal)
        packed = code.load(i32, steps, b.shl(place, constant(2)))
        arguments = [state, *unpack_step(program.game, code, packed), context]
        result = code.local(i32)
        with code.if_else(has_dot) as (with_dot, without):
            with with_dot:
                b.store(b.call(dot_step, arguments), result)
            with without:
                b.store(b.call(step, arguments), result)
        code.jump_unless(code.unequal(b.load(result, typ=i32), 0), illegal)
        loop.again(b.add(place, constant(1)))
    b.ret(ir.Constant(i32, 1))
    code.emit_in(illegal)
    b.ret(ir.Constant(i32, 0))
    return function


def _has_dot(program: Program, code: StateCode, steps: Value, count: Value) -> Value:
    """Emit whether there is a dot among the steps."""
    b, first_modifier = code.b, first_step(program.game, 0)
    with code.loop(constant(0), ir.Constant(i1, 0)) as loop:
        place, found = loop.variables
        loop.leave_if(code.equal(place, count))
        step = code.load(i32, steps, b.shl(place, constant(2)))
        found_now = b.or_(found, code.less(step, first_modifier))
        loop.again(b.add(place, constant(1)), found_now)
    return found


def _emit_step(program: Program, transitions: Transitions, sites: SiteTables) -> ir.Function:
    """The function that carries out a step if the rules allow it, and says whether.

    It gets the state, the number, the square and the context.
    """
    name = program.module.unique("step")
    function = program.module.function(name, i32, [pointer, i32, i64, pointer])
    function.attributes.add("noinline")
    state, number, square, context = function.args
    code = StateCode.begin(program.module, function)
    b, limits = code.b, ContextCode(code, context)
    frame = limits.load("frames", pointer)
    first, end = sites.evaluate(code, frame, context)
    illegal = code.block("illegal")
    code.jump_if(limits.has_failed(), illegal)
    with code.loop(first) as loop:
        (exit_,) = loop.variables
        code.jump_if(code.equal(exit_, end), illegal)
        found = code.equal(sites.number(code, exit_), number)
        following = b.add(exit_, constant(1))
        loop.leave_if(found)
        loop.again(following)
    code.jump_unless(code.less(square, code.squares.size), illegal)
    code.jump_unless(sites.contains(code, exit_, frame, square), illegal)
    b.call(transitions.act, [state, number, square])
    code.set_at(number, square)
    _set_player(program, code, number)
    b.ret(ir.Constant(i32, 1))
    code.emit_in(illegal)
    b.ret(ir.Constant(i32, 0))
    return function


def _set_player(program: Program, code: StateCode, number: Value) -> None:
    """Emit handing over control if a step is a switch."""
    end = code.block("end")
    cases = code.switch(number, end)
    blocks: dict[int, ir.Block] = {}
    for switch in program.game.graph.switches:
        player = program.game.player_of(switch)
        if player not in blocks:
            blocks[player] = code.block("player")
            code.emit_in(blocks[player])
            code.set_player(player)
            code.b.branch(end)
        cases.add_case(ir.Constant(i32, switch.number), blocks[player])
    code.emit_in(end)
