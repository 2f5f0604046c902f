"""Emitting `batch_playouts`: playouts from many states in one call, each with its own sums.

A lane may hold any state, so playouts from 256 states take hardly longer than from one. They are
made 256 at a time, and no lane begins anew before all have ended.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i1, i64, pointer, void
from semisplit.compiler.emit.vectors import splat
from semisplit.language.gdl.native.playout.choice import emit_seeding
from semisplit.language.gdl.native.playout.playouts import Playouts, first_lanes, goals_reached
from semisplit.language.gdl.native.playout.walk import Walk
from semisplit.language.gdl.native.state.layout import LANES, WORD
from semisplit.language.gdl.native.state.states import Game
from semisplit.language.gdl.native.state.words import WordCode

_BITS = 64
"""Lanes in an integer of a word, and fluents in an integer of a state."""
_MIX = 0xD1342543DE82EF95


class Batch:
    """The function for playouts from many states."""

    def __init__(self, game: Game, playouts: Playouts, walk: Walk | None):
        self._game = game
        self._playouts = playouts
        self._walk = walk
        self._transpose = self._emit_transpose()
        self._credit = self._emit_credit()
        self._emit()

    def _emit(self) -> None:
        game, frame = self._game, self._game.frame
        types = [pointer, i64, pointer, i64, pointer, pointer]
        function = game.module.function("batch_playouts", void, types, public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        states, number, seeds, count, sums, context_place = function.args
        context = ContextCode(code, context_place)
        if self._walk:
            with code.if_(b.not_(self._are_proven(code, states, number)), likely=False):
                self._walk_all(code, function.args)
                b.ret_void()
        base = game.frame_of(code, context_place)
        emit_seeding(code, frame, base, self._mixed(code, seeds, number))
        with code.repeat(constant(0), b.mul(number, count)) as loop:
            done, left = loop.variables
            lanes = b.select(code.less(left, LANES), left, constant(LANES))
            self._assign(code, base, done, count, b.sub(number, constant(1)))
            self._load(code, base, states)
            spare = code.place(base, frame.spare)
            b.call(self._playouts.run, [base, context_place, lanes, constant(0), spare])
            self._add_scores(code, base, sums, lanes)
            left = b.sub(left, lanes)
            goes_on = b.and_(code.unequal(left, 0), b.not_(context.has_failed()))
            loop.again_if(goes_on, b.add(done, lanes), left)
        b.ret_void()

    # States that are played one by one

    def _are_proven(self, code: WordCode, states: Value, number: Value) -> Value:
        """Whether it is known in all states whose turn it is."""
        assert self._walk
        b = code.b
        with code.loop(constant(0)) as loop:
            (index,) = loop.variables
            loop.leave_if(code.equal(index, number), ir.Constant(i1, 1))
            proven = b.call(self._walk.is_proven, [self._state(code, states, index)])
            loop.leave_unless(proven, ir.Constant(i1, 0))
            loop.again(b.add(index, constant(1)))
        return loop.results[0]

    def _walk_all(self, code: WordCode, arguments: tuple[Value, ...]) -> None:
        assert self._walk
        states, number, seeds, count, sums, context = arguments
        b, players = code.b, self._game.frame.roles
        with code.repeat(constant(0)) as loop:
            (index,) = loop.variables
            state = self._state(code, states, index)
            seed = code.load(i64, seeds, b.shl(index, constant(3)))
            own = code.place(sums, b.mul(index, constant(8 * players)))
            b.call(self._walk.play, [state, seed, count, own, context])
            index = b.add(index, constant(1))
            failed = ContextCode(code, context).has_failed()
            loop.again_if(b.and_(code.less(index, number), b.not_(failed)), index)

    def _state(self, code: WordCode, states: Value, index: Value) -> Value:
        return code.place(states, code.b.mul(index, constant(self._game.state.bytes)))

    # Lanes with different states

    def _mixed(self, code: WordCode, seeds: Value, number: Value) -> Value:
        """One seed from all of them; a single one is itself."""
        b = code.b
        with code.repeat(constant(0), constant(0)) as loop:
            index, mixed = loop.variables
            seed = code.load(i64, seeds, b.shl(index, constant(3)))
            mixed = b.add(b.mul(mixed, constant(_MIX)), seed)
            index = b.add(index, constant(1))
            loop.again_if(code.less(index, number), index, mixed, results=[mixed])
        return loop.results[0]

    def _assign(self, code: WordCode, base: Value, done: Value, count: Value, last: Value) -> None:
        """Write down from which state each lane plays; lanes that are left over have the last."""
        b, owners = code.b, self._game.frame.owners
        with code.repeat(constant(0), b.udiv(done, count), b.urem(done, count)) as loop:
            lane, state, number = loop.variables
            is_last = b.icmp_unsigned(">", state, last)
            code.store(b.select(is_last, last, state), base, _integer(code, owners, lane))
            lane, number = b.add(lane, constant(1)), b.add(number, constant(1))
            wraps = code.equal(number, count)
            state = b.add(state, b.zext(wraps, i64))
            number = b.select(wraps, constant(0), number)
            loop.again_if(code.less(lane, LANES), lane, state, number)

    def _load(self, code: WordCode, base: Value, states: Value) -> None:
        """Write the fluents of states into their lanes, 64 fluents at a time."""
        game, frame, b = self._game, self._game.frame, code.b
        block = code.place(base, frame.block)
        for integer in range(game.state.words):
            with code.each(constant(WORD * _BITS), WORD) as place:
                lane = b.udiv(place, constant(WORD))
                row: Value = ir.Constant(game.module.word, ir.Undefined)
                for part in range(LANES // _BITS):
                    index = b.add(lane, constant(_BITS * part))
                    owner = code.load(i64, base, _integer(code, frame.owners, index))
                    state = self._state(code, states, owner)
                    bits = code.load(i64, state, game.state.bits + 8 * integer)
                    row = b.insert_element(row, bits, ir.Constant(ir.IntType(32), part))
                code.put(row, block, place)
            b.call(self._transpose, [block])
            fluents = min(_BITS, frame.fluents - _BITS * integer)
            to = code.place(base, frame.states[0] + WORD * _BITS * integer)
            code.copy(to, block, WORD * fluents)

    def _emit_transpose(self) -> ir.Function:
        """Exchange rows and columns of 64 x 64 bits, four times side by side: of (words).

        First in blocks of 32 x 32, then inside of these, and so on (Hacker's Delight, 7-3).
        """
        function = self._game.module.function("transpose", void, [pointer])
        code = WordCode.begin(self._game.module, function)
        b = code.b
        (rows,) = function.args
        with code.repeat(constant(_BITS // 2), constant(2 ** (_BITS // 2) - 1)) as stages:
            size, mask = stages.variables
            sizes, masks = splat(b, size, 4), splat(b, mask, 4)
            with code.repeat(constant(0)) as loop:
                (row,) = loop.variables
                here = b.mul(row, constant(WORD))
                there = b.mul(b.or_(row, size), constant(WORD))
                one, other = code.word(rows, here), code.word(rows, there)
                exchanged = b.and_(b.xor(b.lshr(one, sizes), other), masks)
                code.put(b.xor(one, b.shl(exchanged, sizes)), rows, here)
                code.put(b.xor(other, exchanged), rows, there)
                row = b.and_(b.add(b.or_(row, size), constant(1)), b.not_(size))
                loop.again_if(code.less(row, _BITS), row)
            size = b.lshr(size, constant(1))
            mask = b.xor(mask, b.shl(mask, size))
            stages.again_if(code.unequal(size, 0), size, mask)
        b.ret_void()
        return function

    def _add_scores(self, code: WordCode, base: Value, sums: Value, lanes: Value) -> None:
        wanted = first_lanes(code, lanes)
        for _, role, value, reached in goals_reached(code, self._game, base, wanted):
            if value:
                own = code.place(sums, 8 * role)
                code.b.call(self._credit, [base, own, reached, constant(value)])

    def _emit_credit(self) -> ir.Function:
        """Add a value to the sums of the states of lanes: of (memory, sums, lanes, value)."""
        frame = self._game.frame
        types = [pointer, pointer, self._game.module.word, i64]
        function = self._game.module.function("credit", void, types)
        code = WordCode.begin(self._game.module, function)
        b = code.b
        base, sums, lanes, value = function.args
        for part in range(LANES // _BITS):
            bits = b.extract_element(lanes, ir.Constant(ir.IntType(32), part))
            with code.each_bit(bits) as bit:
                lane = b.add(bit, constant(_BITS * part))
                owner = code.load(i64, base, _integer(code, frame.owners, lane))
                place = b.mul(owner, constant(8 * frame.roles))
                code.store(b.add(code.load(i64, sums, place), value), sums, place)
        b.ret_void()
        return function


def _integer(code: WordCode, array: int, index: Value) -> Value:
    """The place of an element of an array of integers."""
    return code.b.add(constant(array), code.b.shl(index, constant(3)))
