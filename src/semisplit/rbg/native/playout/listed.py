"""Semisplit playouts for strategies whose semimoves are longer than one modifier.

Semimoves are drawn by their place in the list of all semimoves of the state. A draw that leads into
a dead state is remembered at its level, and the next one is drawn among the others.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.random import Random
from semisplit.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.rbg.native.board.layout import PLAYER
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.step import is_nodal
from semisplit.runtime.abi import Status

_BELOW, _TOTAL, _TRIED, _STATE = 0, 8, 16, 24
"""A level: the level below, its semimoves, how many were tried, the state, then which they were."""
_PLENTY = 2**62
_LIST_FIELDS = ("buffer", "buffer_end", "enough", "skip")


def emit_listed_playout(program: Program, listing: ir.Function, play: ir.Function) -> ir.Function:
    """The function that plays one game on a state, with a seed and the context."""
    arguments = [pointer, i64, pointer]
    function = program.module.function("semisplit_playout", void, arguments)
    _Listed(program, function, listing, play).emit()
    return function


class _Listed:
    def __init__(
        self, program: Program, function: ir.Function, listing: ir.Function, play: ir.Function
    ):
        self._program = program
        self._listing, self._play = listing, play
        self._state, seed, context = function.args
        self._b = ir.IRBuilder(function.append_basic_block("entry"))
        self._code = StateCode(program.module, self._b, self._state)
        self._context = ContextCode(self._code, context)
        self._size = program.module.layout.bytes
        self._first = self._context.load("frames", pointer)
        # The lists that are made here are nobody else's business.
        self._before = {name: self._context.load(name) for name in _LIST_FIELDS}
        self._level = self._code.local(pointer)
        self._random = Random(self._code, seed)
        self._context.store("work", self._context.load("max_work"))
        last = self._b.add(self._context.load("moves"), self._context.load("max_moves"))
        self._context.store("last_move", last)
        names = ("turn", "enter", "choose", "draw", "nodal", "over")
        self._blocks = {name: self._b.append_basic_block(name) for name in names}

    def emit(self) -> None:
        b = self._b
        self._go_if_player("turn")
        for name in ("turn", "enter", "choose", "draw", "nodal", "over"):
            b.position_at_end(self._blocks[name])
            getattr(self, f"_emit_{name}")()

    def _go_if_player(self, block: str) -> None:
        b = self._b
        player = self._code.load(i32, self._state, PLAYER)
        stuck = b.icmp_unsigned("==", player, ir.Constant(i32, 0))
        b.cbranch(stuck, self._blocks["over"], self._blocks[block])

    def _here(self) -> Value:
        return self._b.load(self._level, typ=pointer)

    def _tried_at(self, level: Value) -> Value:
        return self._code.place(level, _STATE + self._size)

    def _level_end(self, level: Value) -> Value:
        """Behind a level with one more semimove tried."""
        b = self._b
        tried = b.add(self._code.load(i64, level, _TRIED), constant(1))
        return self._code.place(self._tried_at(level), b.shl(tried, constant(3)))

    def _emit_turn(self) -> None:
        self._code.copy(self._code.place(self._first, _STATE), self._state, self._size)
        self._b.store(self._first, self._level)
        self._b.branch(self._blocks["enter"])

    def _emit_enter(self) -> None:
        """Count the semimoves of a level."""
        b, code, here = self._b, self._code, self._here()
        code.store(constant(0), here, _TRIED)
        self._list(here, None)
        code.store(self._context.load("found"), here, _TOTAL)
        b.branch(self._blocks["choose"])

    def _list(self, level: Value, number: Value | None) -> None:
        """Count the semimoves of a level's state, or write down the one with a number."""
        b, context = self._b, self._context
        context.store("frames", self._level_end(level))
        context.store("found", constant(0))
        context.store("written", constant(0))
        buffer = context.load("groups")
        if number is None:
            context.store("buffer", constant(0))
            context.store("buffer_end", constant(0))
            context.store("enough", constant(_PLENTY))
        else:
            context.store("buffer", buffer)
            context.store("buffer_end", constant(2**63 - 1))
            context.store("skip", number)
            context.store("enough", b.add(number, constant(1)))
        b.call(self._listing, [self._code.place(level, _STATE), context.base])
        self._check_status()

    def _check_status(self) -> None:
        b = self._b
        onward = b.append_basic_block("onward")
        fine = b.icmp_signed("==", self._context.load("status"), constant(Status.OK))
        b.cbranch(fine, onward, self._blocks["over"])
        b.position_at_end(onward)

    def _emit_choose(self) -> None:
        """Draw a semimove that has not been tried, or go back a level if there is none."""
        b, code, here = self._b, self._code, self._here()
        total, tried = code.load(i64, here, _TOTAL), code.load(i64, here, _TRIED)
        back, first = b.append_basic_block("back"), b.append_basic_block("first")
        dead = b.icmp_unsigned("==", total, tried)
        b.cbranch(dead, first, self._blocks["draw"])
        b.position_at_end(first)
        b.cbranch(b.icmp_unsigned("==", here, self._first), self._blocks["over"], back)
        b.position_at_end(back)
        b.store(code.load(pointer, here, _BELOW), self._level)
        b.branch(self._blocks["choose"])

    def _emit_draw(self) -> None:
        b, code, here = self._b, self._code, self._here()
        total, tried = code.load(i64, here, _TOTAL), code.load(i64, here, _TRIED)
        number = self._skip_tried(self._random.below(b.sub(total, tried)), tried)
        code.store(b.add(tried, constant(1)), here, _TRIED)
        self._count("states")
        self._list(here, number)
        above = self._level_end(here)
        state = code.place(above, _STATE)
        code.store(here, above, _BELOW)
        code.store(constant(0), above, _TRIED)
        code.copy(state, code.place(here, _STATE), self._size)
        record = self._context.load("groups", pointer)
        steps = b.zext(code.load(i32, record), i64)
        self._context.store("frames", self._level_end(above))
        arguments = [state, code.place(record, 4), steps, self._context.base]
        b.call(self._play, arguments)
        self._check_status()
        b.store(above, self._level)
        nodal = is_nodal(self._program, StateCode(self._program.module, b, state))
        b.cbranch(nodal, self._blocks["nodal"], self._blocks["enter"])

    def _skip_tried(self, number: Value, tried: Value) -> Value:
        """The semimove with a number among those not tried; it is added to those tried.

        These are kept in order, so each of them up to the one we look for moves it up by one.
        """
        b, code = self._b, self._code
        places = self._tried_at(self._here())
        before = b.block
        names = ("look", "compare", "skip", "shift", "shifting", "insert")
        look, compare, skip, shift, shifting, insert = (b.append_basic_block(n) for n in names)
        b.branch(look)
        b.position_at_end(look)
        index, found = b.phi(i64), b.phi(i64)
        index.add_incoming(constant(0), before)
        found.add_incoming(number, before)
        b.cbranch(b.icmp_unsigned("==", index, tried), shift, compare)
        b.position_at_end(compare)
        other = code.load(i64, places, b.shl(index, constant(3)))
        b.cbranch(b.icmp_unsigned(">=", found, other), skip, shift)
        b.position_at_end(skip)
        index.add_incoming(b.add(index, constant(1)), skip)
        found.add_incoming(b.add(found, constant(1)), skip)
        b.branch(look)
        b.position_at_end(shift)
        free = b.phi(i64)
        free.add_incoming(tried, look)
        free.add_incoming(tried, compare)
        b.cbranch(b.icmp_unsigned("==", free, index), insert, shifting)
        b.position_at_end(shifting)
        lower = b.sub(free, constant(1))
        moved = code.load(i64, places, b.shl(lower, constant(3)))
        code.store(moved, places, b.shl(free, constant(3)))
        free.add_incoming(lower, shifting)
        b.branch(shift)
        b.position_at_end(insert)
        code.store(found, places, b.shl(index, constant(3)))
        return found

    def _count(self, field: str) -> Value:
        count = self._b.add(self._context.load(field), constant(1))
        self._context.store(field, count)
        return count

    def _emit_nodal(self) -> None:
        b, code, context = self._b, self._code, self._context
        code.copy(self._state, code.place(self._here(), _STATE), self._size)
        limit, onward = b.append_basic_block("limit"), b.append_basic_block("onward")
        long = b.icmp_unsigned(">=", self._count("moves"), context.load("last_move"))
        b.cbranch(long, limit, onward)
        b.position_at_end(limit)
        context.store("status", constant(Status.LONG_GAME))
        b.branch(self._blocks["over"])
        b.position_at_end(onward)
        context.store("frames", self._first)
        b.call(self._program.run_keeper, [self._state, context.base])
        self._check_status()
        self._go_if_player("turn")

    def _emit_over(self) -> None:
        self._context.store("frames", self._first)
        for name, value in self._before.items():
            self._context.store(name, value)
        self._b.ret_void()
