"""Semisplit playouts for strategies whose semimoves are longer than one modifier.

Semimoves are drawn by their place in the list of all semimoves of the state. A draw that leads into
a dead state is remembered at its level, and the next one is drawn among the others.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.random import Random
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import Status
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.transitions import Transitions, is_nodal

_BELOW, _TOTAL, _TRIED, _STATE = 0, 8, 16, 24
"""A level: the level below, its semimoves, how many were tried, the state, then which they were."""
_FEW_TRIED = 8
"""Semimoves of a level that fail, for which threads in lockstep have room on average."""
_PLENTY = 2**62
_LIST_FIELDS = ("buffer", "buffer_end", "places", "enough", "skip")


def emit_listed_playout(
    program: Program, transitions: Transitions, listing: ir.Function, play: ir.Function
) -> ir.Function:
    """The function that plays one game on a state, with a seed and the context."""
    function = program.module.function("semisplit_playout", void, [pointer, i64, pointer])
    _Listed(program, transitions, function, listing, play).emit()
    return function


class _Listed:
    def __init__(
        self,
        program: Program,
        transitions: Transitions,
        function: ir.Function,
        listing: ir.Function,
        play: ir.Function,
    ):
        self._program = program
        self._transitions = transitions
        self._listing, self._play = listing, play
        self._state, seed, context = function.args
        self._code = StateCode.begin(program.module, function)
        self._b = self._code.b
        self._context = ContextCode(self._code, context)
        self._size = program.module.layout.bytes
        self._reserve = program.frame_bytes + _STATE + self._size
        """What the functions that are called need, and one level more."""
        if program.lockstep:
            program.need_frames((program.levels + 2) * (_STATE + self._size + 8 * _FEW_TRIED))
        self._first = self._context.load("frames", pointer)
        # The lists that are made here are used here only.
        self._before = {name: self._context.load(name) for name in _LIST_FIELDS}
        self._level = self._code.local(pointer)
        self._random = Random(self._code, seed)
        self._context.store("places", 0)
        self._context.store("work", self._context.load("max_work"))
        last = self._b.add(self._context.load("moves"), self._context.load("max_moves"))
        self._context.store("last_move", last)
        self._turn, self._enter, self._choose, self._nodal, self._over = self._code.blocks(
            "turn", "enter", "choose", "nodal", "over"
        )

    def emit(self) -> None:
        """Emit all of it."""
        self._go_to_turn()
        self._emit_turn()
        self._emit_enter()
        self._emit_choose()
        self._emit_nodal()
        self._emit_over()

    def _go_to_turn(self) -> None:
        stuck = self._code.equal(self._code.player(), 0)
        self._b.cbranch(stuck, self._over, self._turn)

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
        code = self._code
        code.emit_in(self._turn)
        code.copy(code.place(self._first, _STATE), self._state, self._size)
        self._b.store(self._first, self._level)
        self._b.branch(self._enter)

    def _emit_enter(self) -> None:
        """Count the semimoves of a level."""
        code = self._code
        code.emit_in(self._enter)
        here = self._here()
        code.store(constant(0), here, _TRIED)
        self._list(here, None)
        code.store(self._context.load("found"), here, _TOTAL)
        self._b.branch(self._choose)

    def _list(self, level: Value, number: Value | None) -> None:
        """Count the semimoves of a level's state, or write down the one with a number."""
        b, context = self._b, self._context
        self._check_room(self._level_end(level))
        context.store("frames", self._level_end(level))
        context.store("found", 0)
        context.store("written", 0)
        buffer = context.load("groups")
        if number is None:
            context.store("buffer", 0)
            context.store("buffer_end", 0)
            context.store("enough", _PLENTY)
        else:
            context.store("buffer", buffer)
            context.store("buffer_end", 2**63 - 1)
            context.store("skip", number)
            context.store("enough", b.add(number, constant(1)))
        b.call(self._listing, [self._code.place(level, _STATE), context.base])
        self._check_status()

    def _check_room(self, end: Value) -> None:
        """Emit giving up if there is too little memory for what is called; others have plenty."""
        if self._program.lockstep:
            needed = self._code.place(end, self._reserve)
            full = self._b.icmp_unsigned(">", needed, self._context.load("frames_end", pointer))
            with self._code.if_(full, likely=False):
                self._context.store("status", Status.LONG_MOVE)
                self._b.branch(self._over)

    def _check_status(self) -> None:
        self._code.jump_if(self._context.has_failed(), self._over)

    def _emit_choose(self) -> None:
        """Draw a semimove that has not been tried, or go back a level if there is none."""
        b, code = self._b, self._code
        code.emit_in(self._choose)
        here = self._here()
        total, tried = code.load(i64, here, _TOTAL), code.load(i64, here, _TRIED)
        with code.if_(code.equal(total, tried)):
            code.jump_if(code.equal(here, self._first), self._over)
            b.store(code.load(pointer, here, _BELOW), self._level)
            b.branch(self._choose)
        number = self._skip_tried(self._random.below(b.sub(total, tried)), tried)
        code.store(b.add(tried, constant(1)), here, _TRIED)
        self._context.count("states")
        self._list(here, number)
        self._make(here)

    def _make(self, here: Value) -> None:
        """Make the semimove that has been written down, on a new level."""
        b, code, context = self._b, self._code, self._context
        above = self._level_end(here)
        state = code.place(above, _STATE)
        code.store(here, above, _BELOW)
        code.store(constant(0), above, _TRIED)
        code.copy(state, code.place(here, _STATE), self._size)
        record = context.load("groups", pointer)
        steps = b.zext(code.load(i32, record), i64)
        context.store("frames", self._level_end(above))
        b.call(self._play, [state, code.place(record, 4), steps, context.base])
        self._check_status()
        b.store(above, self._level)
        b.cbranch(is_nodal(self._program, code.on(state)), self._nodal, self._enter)

    def _skip_tried(self, number: Value, tried: Value) -> Value:
        """The semimove with a number among those not tried; it is added to those tried.

        These are kept in order, so each of them up to the one we look for moves it up by one.
        """
        b, code = self._b, self._code
        places = self._tried_at(self._here())
        with code.loop(constant(0), number) as loop:
            index, found = loop.variables
            loop.leave_if(code.equal(index, tried))
            other = code.load(i64, places, b.shl(index, constant(3)))
            loop.leave_unless(b.icmp_unsigned(">=", found, other))
            loop.again(b.add(index, constant(1)), b.add(found, constant(1)))
        with code.loop(tried) as loop:
            (free,) = loop.variables
            loop.leave_if(code.equal(free, index))
            lower = b.sub(free, constant(1))
            moved = code.load(i64, places, b.shl(lower, constant(3)))
            code.store(moved, places, b.shl(free, constant(3)))
            loop.again(lower)
        code.store(found, places, b.shl(index, constant(3)))
        return found

    def _emit_nodal(self) -> None:
        b, code, context = self._b, self._code, self._context
        code.emit_in(self._nodal)
        code.copy(self._state, code.place(self._here(), _STATE), self._size)
        moves = context.count("moves")
        with code.if_(b.icmp_unsigned(">=", moves, context.load("last_move"))):
            context.store("status", Status.LONG_GAME)
            b.branch(self._over)
        context.store("frames", self._first)
        b.call(self._transitions.run_keeper, [self._state, context.base])
        self._check_status()
        self._go_to_turn()

    def _emit_over(self) -> None:
        self._code.emit_in(self._over)
        self._context.store("frames", self._first)
        for name, value in self._before.items():
            self._context.store(name, value)
        self._b.ret_void()
