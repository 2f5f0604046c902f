"""Listing and counting moves and semimoves.

Unlike playouts this goes through tables of all sites, so its code is small and the same for all
games. Moves of nodal states, of which searches need many, are listed by a machine, see
`list_nodal`.
"""

from __future__ import annotations

from enum import IntEnum

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import Status
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import NOWHERE
from semisplit.language.rbg.native.interface.packing import pack_step
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site_tables import SiteTables
from semisplit.language.rbg.native.machine.transitions import Transitions, is_nodal

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
    program: Program,
    transitions: Transitions,
    name: str,
    sites: SiteTables,
    ends: Ends,
    nodal: ir.Function | None = None,
) -> ir.Function:
    """The functions `list_moves` and `list_semimoves` of the interface.

    Args:
        program: The game.
        transitions: Its function for one step.
        name: Of the function.
        sites: All sites.
        ends: What is listed.
        nodal: A function that does it faster for nodal states.
    """
    function = program.module.function(name, void, [pointer, pointer], public=True)
    listing = _List(program, transitions, function, sites, ends)
    listing.emit(nodal)
    program.need_frames((program.levels + 2) * listing.level_size)
    return function


class _List:
    def __init__(
        self,
        program: Program,
        transitions: Transitions,
        function: ir.Function,
        sites: SiteTables,
        ends: Ends,
    ):
        self._program = program
        self._transitions = transitions
        self._state, context = function.args
        self._code = StateCode.begin(program.module, function)
        self._b = self._code.b
        self._sites = sites
        self._ends = ends
        self._size = program.module.layout.bytes
        self.level_size = _STATE + self._size + sites.frame
        self._level = self._code.local(pointer)
        self._context = ContextCode(self._code, context)
        self._enter, self._next, self._found, self._deeper, self._end = self._code.blocks(
            "enter", "next", "found", "deeper", "end"
        )

    def _here(self) -> Value:
        return self._b.load(self._level, typ=pointer)

    def _frame(self, level: Value) -> Value:
        return self._code.place(level, _STATE + self._size)

    def emit(self, nodal: ir.Function | None) -> None:
        """Emit all of it."""
        b, code = self._b, self._code
        if nodal is not None:
            with code.if_(is_nodal(self._program, code)):
                b.call(nodal, [self._state, self._context.base])
                b.ret_void()
        first = self._context.load("frames", pointer)
        b.store(first, self._level)
        code.copy(code.place(first, _STATE), self._state, self._size)
        b.branch(self._enter)
        self._emit_enter()
        self._emit_next()
        self._emit_found()
        self._emit_deeper()
        code.emit_in(self._end)
        b.ret_void()

    def _stop_if(self, condition: Value, status: Status) -> None:
        with self._code.if_(condition, likely=False):
            self._context.store("status", status)
            self._b.branch(self._end)

    def _emit_enter(self) -> None:
        """Evaluate the site of a level's state."""
        b, code = self._b, self._code
        code.emit_in(self._enter)
        here = self._here()
        self._stop_if(self._context.is_out_of_work(), Status.MUCH_WORK)
        top = code.place(here, self.level_size)
        full = b.icmp_unsigned(">", top, self._context.load("frames_end", pointer))
        self._stop_if(full, Status.LONG_MOVE)
        state = code.on(code.place(here, _STATE))
        cursor, end = self._sites.evaluate(state, self._frame(here), self._context.base)
        state.store(cursor, here, _CURSOR)
        state.store(end, here, _END)
        b.cbranch(self._context.has_failed(), self._end, self._next)

    def _emit_next(self) -> None:
        """Take the next square of a level, or go back to the level below if there is none."""
        b, code = self._b, self._code
        code.emit_in(self._next)
        here = self._here()
        cursor = code.load(i64, here, _CURSOR)
        with code.if_(code.equal(cursor, code.load(i64, here, _END))):
            here, first = self._here(), self._context.load("frames", pointer)
            code.jump_if(code.equal(here, first), self._end)
            b.store(code.place(here, -self.level_size), self._level)
            b.branch(self._next)
        with code.if_(self._sites.is_set(code, cursor)):
            self._take_from_set()
        cursor = code.load(i64, self._here(), _CURSOR)
        square = code.load(i64, self._slot(cursor))
        self._next_exit(cursor)
        code.jump_if(code.equal(square, NOWHERE), self._next)
        self._take(cursor, square)

    def _take_from_set(self) -> None:
        """Take the lowest square of a slot; if moves are only counted, take all at once."""
        b, code, context = self._b, self._code, self._context
        cursor = code.load(i64, self._here(), _CURSOR)
        slot = self._slot(cursor)
        squares = code.load(code.set_type, slot)
        silent = code.equal(context.load("buffer"), 0)
        with code.if_(b.and_(silent, self._is_leaf(cursor))):
            found = context.count("found", code.count(squares))
            self._next_exit(cursor)
            enough = b.icmp_unsigned(">=", found, context.load("enough"))
            b.cbranch(enough, self._end, self._next)
        with code.if_(code.negate(code.is_any(squares))):
            self._next_exit(cursor)
            b.branch(self._next)
        code.store(code.without_lowest(squares), slot)
        self._take(cursor, code.lowest(squares))

    def _slot(self, cursor: Value) -> Value:
        return self._code.place(self._frame(self._here()), self._sites.slot(self._code, cursor))

    def _is_leaf(self, cursor: Value) -> Value:
        code = self._code
        if self._ends == Ends.ANYTHING:
            return ir.Constant(i1, 1)
        leaf = self._sites.is_switch(code, cursor)
        if self._ends == Ends.SWITCH_OR_DOT:
            number = self._sites.number(code, cursor)
            leaf = self._b.or_(leaf, self._b.icmp_signed("<", number, ir.Constant(i32, 0)))
        return leaf

    def _next_exit(self, cursor: Value) -> None:
        self._code.store(self._b.add(cursor, constant(1)), self._here(), _CURSOR)

    def _take(self, cursor: Value, square: Value) -> None:
        b, code, here = self._b, self._code, self._here()
        code.store(self._sites.number(code, cursor), here, _STEP)
        code.store(b.trunc(square, i32), here, _STEP + 4)
        b.cbranch(self._is_leaf(cursor), self._found, self._deeper)

    def _emit_deeper(self) -> None:
        """Make the step of a level on a new one."""
        b, code = self._b, self._code
        code.emit_in(self._deeper)
        here = self._here()
        above = code.place(here, self.level_size)
        state = code.on(code.place(above, _STATE))
        first = self._context.load("frames", pointer)
        longest = code.place(first, self._program.levels * self.level_size)
        self._stop_if(b.icmp_unsigned(">", above, longest), Status.LONG_MOVE)
        state.copy(state.state, code.place(here, _STATE), self._size)
        number, square = code.load(i32, here, _STEP), code.load(i32, here, _STEP + 4)
        wide = b.zext(square, i64)
        b.call(self._transitions.act, (state.state, number, wide))
        state.set_at(number, wide)
        b.store(above, self._level)
        b.branch(self._enter)

    def _emit_found(self) -> None:
        """Count a move and write down its steps, if there is room for them."""
        b, code, context = self._b, self._code, self._context
        code.emit_in(self._found)
        here = self._here()
        found = context.count("found")
        first = context.load("frames", pointer)
        steps = b.add(b.udiv(code.distance(first, here), constant(self.level_size)), constant(1))
        size = b.shl(b.add(steps, constant(1)), constant(2))
        with code.if_(b.icmp_unsigned(">", found, context.load("skip"))):
            written = context.load("written")
            context.store("written", b.add(written, size))
            place = b.add(context.load("buffer"), written)
            fits = b.icmp_unsigned("<=", b.add(place, size), context.load("buffer_end"))
            with code.if_(fits):
                self._write(first, here, steps, place, written, found)
        enough = b.icmp_unsigned(">=", found, context.load("enough"))
        b.cbranch(enough, self._end, self._next)

    def _write(
        self, first: Value, last: Value, steps: Value, place: Value, written: Value, found: Value
    ) -> None:
        """Emit writing down the steps from one level to another.

        Args:
            first: The first level.
            last: The last one.
            steps: How many steps there are.
            place: Where to write them.
            written: How far that is in the buffer.
            found: How many moves there are with this one.
        """
        b, code, context = self._b, self._code, self._context
        start = b.inttoptr(place, pointer)
        code.store(b.trunc(steps, i32), start)
        places = context.load("places")
        with code.if_(code.unequal(places, 0)):
            at = b.inttoptr(b.add(places, b.shl(found, constant(2))), pointer)
            code.store(b.trunc(b.lshr(written, constant(2)), i32), at, -4)
        with code.loop(first, start) as loop:
            level, to = loop.variables
            loop.leave_if(b.icmp_unsigned(">", level, last))
            number, square = code.load(i32, level, _STEP), code.load(i32, level, _STEP + 4)
            code.store(pack_step(self._program.game, code, number, square), to, 4)
            loop.again(code.place(level, self.level_size), code.place(to, 4))
