"""Listing the semimoves of strategies with Mod, which are single steps, as fast as possible."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import NOWHERE
from semisplit.language.rbg.native.interface.packing import pack_step
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site_tables import SiteTables


def emit_list_actions(program: Program, sites: SiteTables) -> None:
    """The function `list_actions` of the interface."""
    function = program.module.function("list_actions", void, [pointer, pointer], public=True)
    _, context = function.args
    code = StateCode.begin(program.module, function)
    b, here = code.b, ContextCode(code, context)
    frame = here.load("frames", pointer)
    begin = here.load("buffer", pointer)
    first, end = sites.evaluate(code, frame, context)
    is_square, following = code.blocks("square", "next")
    with code.loop(first, begin) as loop:
        exit_, place = loop.variables
        loop.leave_if(code.equal(exit_, end))
        slot = code.place(frame, sites.slot(code, exit_))
        number = sites.number(code, exit_)
        step = pack_step(program.game, code, number, ir.Constant(i32, 0))
        code.jump_unless(sites.is_set(code, exit_), is_square)
        behind = _store_squares(code, slot, step, place)
        after_set = b.block
        b.branch(following)

        code.emit_in(is_square)
        square = code.load(i64, slot)
        code.jump_if(code.equal(square, NOWHERE), following)
        code.store(b.add(step, b.trunc(square, i32)), place)
        one_more, after_square = code.place(place, 4), b.block
        b.branch(following)

        code.emit_in(following)
        arrivals = (behind, after_set), (place, is_square), (one_more, after_square)
        next_place = code.merged(*arrivals)
        loop.again(b.add(exit_, constant(1)), next_place)
    here.store("found", b.lshr(code.distance(begin, place), constant(2)))
    b.ret_void()


def _store_squares(code: StateCode, slot: Value, step: Value, place: Value) -> Value:
    """Emit writing a step for each square of a slot; returns the place behind them."""
    b = code.b
    for number in range(code.words):
        bits = code.load(i64, slot, 8 * number)
        first = b.add(step, ir.Constant(i32, 64 * number))
        with code.loop(bits, place) as loop:
            left, place = loop.variables
            loop.leave_if(code.equal(left, 0))
            code.store(b.add(first, b.trunc(code.lowest_bit(left), i32)), place)
            loop.again(code.without_lowest(left), code.place(place, 4))
    return place
