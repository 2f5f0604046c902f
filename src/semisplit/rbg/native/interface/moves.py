"""Listing and counting moves and semimoves.

Unlike playouts this goes through tables of all sites, so its code is small and the same for all
games. Moves of nodal states, of which searches need many, are listed by a machine (see `listing`).
"""

from __future__ import annotations

from enum import IntEnum

from llvmlite import ir

from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.emit.code import Code, Value, constant, i1, i32, i64, pointer
from semisplit.emit.context import ContextCode
from semisplit.rbg.native.board.layout import AT, VERTEX
from semisplit.rbg.native.evaluate.region import NOWHERE
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.sites import IS_SET, IS_SWITCH, Sites
from semisplit.rbg.native.machine.step import is_nodal
from semisplit.rbg.native.machine.words import pack_word
from semisplit.runtime.abi import Status

_CURSOR, _END, _STEP, _STATE = 0, 8, 16, 24
"""A level of the search: the exits not yet looked at, the step taken, the state, then a frame."""


class Ends(IntEnum):
    """What ends the paths that are listed."""

    SWITCH = 0
    """Moves."""
    SWITCH_OR_DOT = 1
    """Semimoves, unless every modifier is a semimove."""
    ANYTHING = 2
    """Semimoves if every modifier is one."""


def emit_list(
    program: Program, name: str, sites: Sites, ends: Ends, nodal: ir.Function | None = None
) -> ir.Function:
    """The functions `list_moves` and `list_semimoves` of the interface.

    Args:
        program: The game.
        name: Of the function.
        sites: All sites.
        ends: What is listed.
        nodal: A function that does it faster for nodal states.
    """
    function = program.module.function(name, ir.VoidType(), [pointer, pointer], public=True)
    _List(program, function, sites, ends).emit(nodal)
    program.need_frames(MAX_MOVE_LENGTH * _level_size(program, sites))
    return function


def _level_size(program: Program, sites: Sites) -> int:
    return _STATE + program.module.layout.bytes + sites.frame


class _List:
    def __init__(self, program: Program, function: ir.Function, sites: Sites, ends: Ends):
        self._program = program
        self._state, context = function.args
        self._b = ir.IRBuilder(function.append_basic_block("entry"))
        self._sites = sites
        self._ends = ends
        self._size = program.module.layout.bytes
        self._level_size = _level_size(program, sites)
        self._level = self._code().local(pointer)
        self._context = ContextCode(self._code(), context)
        names = ("enter", "next", "back", "set", "square", "found", "deeper", "end")
        self._blocks = {name: self._b.append_basic_block(name) for name in names}

    def _code(self, state: Value | None = None) -> Code:
        return Code(self._program.module, self._b, self._state if state is None else state)

    def _here(self) -> Value:
        return self._b.load(self._level, typ=pointer)

    def _frame(self, level: Value) -> Value:
        return self._code().place(level, _STATE + self._size)

    def emit(self, nodal: ir.Function | None) -> None:
        b, code, blocks = self._b, self._code(), self._blocks
        if nodal is not None:
            with b.if_then(is_nodal(self._program, code)):
                b.call(nodal, [self._state, self._context.base])
                b.ret_void()
        first = self._context.load("frames", pointer)
        b.store(first, self._level)
        code.copy(code.place(first, _STATE), self._state, self._size)
        b.branch(blocks["enter"])
        for name in ("enter", "next", "back", "set", "square", "found", "deeper"):
            b.position_at_end(blocks[name])
            getattr(self, f"_emit_{name}")()
        b.position_at_end(blocks["end"])
        b.ret_void()

    def _emit_enter(self) -> None:
        b, here = self._b, self._here()
        work = b.sub(self._context.load("work"), constant(1))
        self._context.store("work", work)
        self._stop_if(b.icmp_signed("<", work, constant(0)), Status.MUCH_WORK)
        top = self._code().place(here, self._level_size)
        full = b.icmp_unsigned(">", top, self._context.load("frames_end", pointer))
        self._stop_if(full, Status.LONG_MOVE)
        code = self._code(self._code().place(here, _STATE))
        cursor, end = self._sites.evaluate(code, self._frame(here), self._context.base)
        code.store(cursor, here, _CURSOR)
        code.store(end, here, _END)
        fine = b.icmp_signed("==", self._context.load("status"), constant(Status.OK))
        b.cbranch(fine, self._blocks["next"], self._blocks["end"])

    def _stop_if(self, condition: Value, status: Status) -> None:
        with self._b.if_then(condition, likely=False):
            self._context.store("status", constant(status))
            self._b.branch(self._blocks["end"])

    def _emit_next(self) -> None:
        b, code, here = self._b, self._code(), self._here()
        cursor = code.load(i64, here, _CURSOR)
        some = b.append_basic_block("some")
        done = b.icmp_unsigned("==", cursor, code.load(i64, here, _END))
        b.cbranch(done, self._blocks["back"], some)
        b.position_at_end(some)
        is_set = self._sites.has_kind(code, cursor, IS_SET)
        b.cbranch(is_set, self._blocks["set"], self._blocks["square"])

    def _emit_back(self) -> None:
        b, here = self._b, self._here()
        more = b.append_basic_block("more")
        first = self._context.load("frames", pointer)
        b.cbranch(b.icmp_unsigned("==", here, first), self._blocks["end"], more)
        b.position_at_end(more)
        b.store(self._code().place(here, -self._level_size), self._level)
        b.branch(self._blocks["next"])

    def _slot(self, cursor: Value) -> Value:
        code = self._code()
        return code.place(self._frame(self._here()), self._sites.slot(code, cursor))

    def _is_leaf(self, cursor: Value) -> Value:
        b, code = self._b, self._code()
        if self._ends == Ends.ANYTHING:
            return ir.Constant(i1, 1)
        leaf = self._sites.has_kind(code, cursor, IS_SWITCH)
        if self._ends == Ends.SWITCH_OR_DOT:
            number = self._sites.number(code, cursor)
            leaf = b.or_(leaf, b.icmp_signed("<", number, ir.Constant(i32, 0)))
        return leaf

    def _emit_set(self) -> None:
        """Take the lowest square of a slot; if moves are only counted, take all at once."""
        b, code = self._b, self._code()
        cursor = code.load(i64, self._here(), _CURSOR)
        slot = self._slot(cursor)
        squares = code.load(code.set_type, slot)
        counted = b.append_basic_block("count")
        one = b.append_basic_block("one")
        silent = b.icmp_unsigned("==", self._context.load("buffer"), constant(0))
        b.cbranch(b.and_(silent, self._is_leaf(cursor)), counted, one)
        b.position_at_end(counted)
        found = b.add(self._context.load("found"), code.count(squares))
        self._context.store("found", found)
        self._next_exit(cursor)
        enough = b.icmp_unsigned(">=", found, self._context.load("enough"))
        b.cbranch(enough, self._blocks["end"], self._blocks["next"])
        b.position_at_end(one)
        empty, some = b.append_basic_block("empty"), b.append_basic_block("take")
        b.cbranch(code.condition(code.is_any(squares)), some, empty)
        b.position_at_end(empty)
        self._next_exit(cursor)
        b.branch(self._blocks["next"])
        b.position_at_end(some)
        code.store(b.and_(squares, b.sub(squares, code.as_set(1))), slot)
        self._take(cursor, code.lowest(squares))

    def _emit_square(self) -> None:
        b, code = self._b, self._code()
        cursor = code.load(i64, self._here(), _CURSOR)
        square = code.load(i64, self._slot(cursor))
        self._next_exit(cursor)
        some = b.append_basic_block("take")
        missing = b.icmp_signed("==", square, constant(NOWHERE))
        b.cbranch(missing, self._blocks["next"], some)
        b.position_at_end(some)
        self._take(cursor, square)

    def _next_exit(self, cursor: Value) -> None:
        self._code().store(self._b.add(cursor, constant(1)), self._here(), _CURSOR)

    def _take(self, cursor: Value, square: Value) -> None:
        b, code, here = self._b, self._code(), self._here()
        code.store(self._sites.number(code, cursor), here, _STEP)
        code.store(b.trunc(square, i32), here, _STEP + 4)
        b.cbranch(self._is_leaf(cursor), self._blocks["found"], self._blocks["deeper"])

    def _emit_deeper(self) -> None:
        b, here = self._b, self._here()
        above = self._code().place(here, self._level_size)
        code = self._code(self._code().place(above, _STATE))
        first = self._context.load("frames", pointer)
        longest = self._code().place(first, MAX_MOVE_LENGTH * self._level_size)
        self._stop_if(b.icmp_unsigned(">", above, longest), Status.LONG_MOVE)
        code.copy(code.state, code.place(here, _STATE), self._size)
        number, square = code.load(i32, here, _STEP), code.load(i32, here, _STEP + 4)
        b.call(self._program.act, (code.state, number, b.zext(square, i64)))
        code.store(number, code.state, AT)
        code.store(square, code.state, VERTEX)
        b.store(above, self._level)
        b.branch(self._blocks["enter"])

    def _emit_found(self) -> None:
        """Count a move and write down its steps, if there is room for them."""
        b, code, context, here = self._b, self._code(), self._context, self._here()
        found = b.add(context.load("found"), constant(1))
        context.store("found", found)
        first = context.load("frames", pointer)
        depth = b.sub(b.ptrtoint(here, i64), b.ptrtoint(first, i64))
        steps = b.add(b.udiv(depth, constant(self._level_size)), constant(1))
        size = b.shl(b.add(steps, constant(1)), constant(2))
        head, body = b.append_basic_block("path"), b.append_basic_block("copy")
        done, fit = b.append_basic_block("copied"), b.append_basic_block("fit")
        begin = b.append_basic_block("write")
        b.cbranch(b.icmp_unsigned(">", found, context.load("skip")), fit, done)
        b.position_at_end(fit)
        written = context.load("written")
        context.store("written", b.add(written, size))
        place = b.add(context.load("buffer"), written)
        fits = b.icmp_unsigned("<=", b.add(place, size), context.load("buffer_end"))
        b.cbranch(fits, begin, done)
        b.position_at_end(begin)
        start = b.inttoptr(place, pointer)
        code.store(b.trunc(steps, i32), start)
        places = context.load("places")
        with b.if_then(b.icmp_unsigned("!=", places, constant(0))):
            at = b.inttoptr(b.add(places, b.shl(found, constant(2))), pointer)
            code.store(b.trunc(b.lshr(written, constant(2)), i32), at, -4)
        before = b.block
        b.branch(head)
        b.position_at_end(head)
        level, to = b.phi(pointer), b.phi(pointer)
        level.add_incoming(first, before)
        to.add_incoming(start, before)
        b.cbranch(b.icmp_unsigned(">", level, here), done, body)
        b.position_at_end(body)
        number, square = code.load(i32, level, _STEP), code.load(i32, level, _STEP + 4)
        code.store(pack_word(self._program, code, number, square), to, 4)
        level.add_incoming(code.place(level, self._level_size), body)
        to.add_incoming(code.place(to, 4), body)
        b.branch(head)
        b.position_at_end(done)
        enough = b.icmp_unsigned(">=", found, context.load("enough"))
        b.cbranch(enough, self._blocks["end"], self._blocks["next"])
