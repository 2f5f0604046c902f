"""Listing the semimoves of strategies with Mod, which are single steps, as fast as possible."""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i1, i32, i64, pointer, void
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import NOWHERE
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.sites import IS_SET, Sites
from semisplit.rbg.native.machine.words import pack_word


def emit_list_actions(program: Program, sites: Sites) -> None:
    """The function `list_actions` of the interface."""
    arguments = [pointer, pointer]
    function = program.module.function("list_actions", void, arguments, public=True)
    state, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    here = ContextCode(code, context)
    frame = here.load("frames", pointer)
    begin = here.load("buffer", pointer)
    first, end = sites.evaluate(code, frame, context)
    names = ("look", "exit", "set", "square", "store", "next", "done")
    look, some, is_set, is_square, store, following, done = (b.append_basic_block(n) for n in names)
    before = b.block
    b.branch(look)
    b.position_at_end(look)
    exit_, place = b.phi(i64), b.phi(pointer)
    exit_.add_incoming(first, before)
    place.add_incoming(begin, before)
    b.cbranch(b.icmp_unsigned("==", exit_, end), done, some)
    b.position_at_end(some)
    slot = code.place(frame, sites.slot(code, exit_))
    word = pack_word(program, code, sites.number(code, exit_), ir.Constant(i32, 0))
    b.cbranch(sites.has_kind(code, exit_, IS_SET), is_set, is_square)

    b.position_at_end(is_set)
    behind = _store_squares(code, slot, word, place)
    after_set = b.block
    b.branch(following)

    b.position_at_end(is_square)
    square = code.load(i64, slot)
    b.cbranch(b.icmp_signed("==", square, constant(NOWHERE)), following, store)
    b.position_at_end(store)
    code.store(b.add(word, b.trunc(square, i32)), place)
    one_more = code.place(place, 4)
    b.branch(following)

    b.position_at_end(following)
    next_place = b.phi(pointer)
    next_place.add_incoming(behind, after_set)
    next_place.add_incoming(place, is_square)
    next_place.add_incoming(one_more, store)
    exit_.add_incoming(b.add(exit_, constant(1)), following)
    place.add_incoming(next_place, following)
    b.branch(look)
    b.position_at_end(done)
    size = b.sub(b.ptrtoint(place, i64), b.ptrtoint(begin, i64))
    here.store("found", b.lshr(size, constant(2)))
    b.ret_void()


def _store_squares(code: StateCode, slot: Value, word: Value, place: Value) -> Value:
    """Emit writing a word for each square of a slot; returns the place behind them."""
    b = code.b
    for number in range(code.words):
        bits = code.load(i64, slot, 8 * number)
        offset = b.add(word, ir.Constant(i32, 64 * number))
        before = b.block
        head, body, end = (b.append_basic_block(name) for name in ("bits", "bit", "no_bits"))
        b.branch(head)
        b.position_at_end(head)
        left, to = b.phi(i64), b.phi(pointer)
        left.add_incoming(bits, before)
        to.add_incoming(place, before)
        b.cbranch(b.icmp_unsigned("==", left, constant(0)), end, body)
        b.position_at_end(body)
        bit = b.trunc(b.cttz(left, ir.Constant(i1, 1)), i32)
        code.store(b.add(offset, bit), to)
        left.add_incoming(b.and_(left, b.sub(left, constant(1))), body)
        to.add_incoming(code.place(to, 4), body)
        b.branch(head)
        b.position_at_end(end)
        place = to
    return place
