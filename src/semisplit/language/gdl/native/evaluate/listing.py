"""Emitting `list_moves`, `list_semimoves` and `list_actions`."""

from __future__ import annotations

from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import PLAYER
from semisplit.language.gdl.native.state.layout import WORD
from semisplit.language.gdl.native.state.states import Game, States
from semisplit.language.gdl.native.state.words import WordCode

_MOST = 2**62
"""What is counted when there are as many moves or more."""


class Listing:
    """The functions that list moves.

    A (semi)move has a step for each role whose moves are listed; the last role's change fastest.
    """

    def __init__(self, game: Game, states: States):
        self._game = game
        self._states = states
        self._collect = self._emit_collect()
        self._product = self._emit_product()
        self.list_moves = self._emit("list_moves", whole=True)
        self._emit("list_semimoves", whole=False)
        self._emit_actions()

    def _emit_collect(self) -> ir.Function:
        """Write down the codes that are legal; how many: of (moves, number, first code, list)."""
        function = self._game.module.function("collect", i64, [pointer, i64, i64, pointer])
        code = WordCode.begin(self._game.module, function)
        b = code.b
        moves, number, first, listed = function.args
        with code.loop(constant(0), constant(0)) as loop:
            move, count = loop.variables
            loop.leave_if(code.equal(move, number), count)
            # Written in any case, and written over by the next one if it is not legal.
            at = b.trunc(b.add(first, move), i32)
            code.store(at, listed, b.shl(count, constant(2)))
            bits = code.load(i64, moves, b.mul(move, constant(WORD)))
            legal = b.and_(bits, constant(1))
            loop.again(b.add(move, constant(1)), b.add(count, legal))
        b.ret(loop.results[0])
        return function

    def _count_product(self, code: WordCode, base: Value, context: ContextCode) -> None:
        """Count all combinations, as far as numbers go."""
        b, frame = code.b, self._game.frame
        product: Value = constant(1)
        for role in range(frame.roles):
            count = code.load(i64, base, frame.counts + 8 * role)
            factor = b.select(code.equal(count, 0), constant(1), count)
            is_too_much = b.icmp_unsigned(">", product, b.udiv(constant(_MOST), factor))
            product = b.select(is_too_much, constant(_MOST), b.mul(product, factor))
        context.count("found", product)

    def _emit_product(self) -> ir.Function:
        """List all combinations of the codes of roles: of (memory, context).

        The memory has the number of codes of each role, 0 for those without a step.
        """
        game, frame = self._game, self._game.frame
        function = game.module.function("product", void, [pointer, pointer])
        code = WordCode.begin(game.module, function)
        b = code.b
        base, context_place = function.args
        context = ContextCode(code, context_place)
        with code.if_(code.equal(context.load("buffer"), 0)):
            self._count_product(code, base, context)
            b.ret_void()
        roles = range(frame.roles)
        counts = [code.load(i64, base, frame.counts + 8 * role) for role in roles]
        takes_part = [code.unequal(count, 0) for count in counts]
        length = constant(0)
        for part in takes_part:
            length = b.add(length, b.zext(part, i64))
        size = b.shl(b.add(length, constant(1)), constant(2))
        for role in roles:
            code.store(constant(0), base, frame.digits + 8 * role)
        buffer, end = context.load("buffer"), context.load("buffer_end")
        places = context.load("places")
        again, end_block = code.fall_into("again"), code.block("listed")
        found = context.load("found")
        with code.if_(code.unequal(places, 0)):
            at = b.trunc(b.lshr(context.load("written"), constant(2)), i32)
            code.store(at, b.inttoptr(places, pointer), b.shl(found, constant(2)))
        begin = b.add(buffer, context.load("written"))
        context.count("written", size)
        with code.if_(b.icmp_unsigned("<=", b.add(begin, size), end)):
            to = b.inttoptr(begin, pointer)
            code.store(b.trunc(length, i32), to)
            place: Value = constant(4)
            for role, part in zip(roles, takes_part):
                with code.if_(part):
                    digit = code.load(i64, base, frame.digits + 8 * role)
                    listed = code.place(base, frame.lists[role])
                    code.store(code.load(i32, listed, b.shl(digit, constant(2))), to, place)
                place = b.add(place, b.select(part, constant(4), constant(0)))
        enough = b.icmp_unsigned(">=", context.count("found"), context.load("enough"))
        code.jump_if(enough, end_block)
        # On to the next combination, like a counter.
        for role in reversed(roles):
            digit_place = frame.digits + 8 * role
            with code.if_(takes_part[role]):
                digit = b.add(code.load(i64, base, digit_place), constant(1))
                wraps = code.equal(digit, counts[role])
                code.store(b.select(wraps, constant(0), digit), base, digit_place)
                code.jump_unless(wraps, again)
        b.branch(end_block)
        code.emit_in(end_block)
        b.ret_void()
        return function

    def _emit(self, name: str, *, whole: bool) -> ir.Function:
        game, frame = self._game, self._game.frame
        function = game.module.function(name, void, [pointer, pointer], public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, context = function.args
        base = game.frame_of(code, context)
        with code.if_(b.not_(b.call(self._states.look, [state, base]))):
            b.ret_void()
        player = code.load(i32, state, PLAYER)
        for role in range(frame.roles):
            takes_part = code.equal(player, role + 1)
            if whole:
                many = code.in_first(code.word(base, frame.many[role]))
                chosen = code.load(i32, state, game.state.chosen + 4 * role)
                takes_part = b.or_(takes_part, b.and_(many, code.equal(chosen, 0)))
            count = code.value_if(takes_part, partial(self.collected, code, base, role))
            code.store(count, base, frame.counts + 8 * role)
        b.call(self._product, [base, context])
        b.ret_void()
        return function

    def collected(self, code: WordCode, base: Value, role: int) -> Value:
        """Emit listing the legal moves of a role; returns how many there are."""
        frame = self._game.frame
        legal, listed = code.place(base, frame.legal[role]), code.place(base, frame.lists[role])
        first, number = constant(frame.first_codes[role]), constant(frame.moves[role])
        return code.b.call(self._collect, [legal, number, first, listed])

    def _emit_actions(self) -> None:
        game, frame = self._game, self._game.frame
        function = game.module.function("list_actions", void, [pointer, pointer], public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, context_place = function.args
        context = ContextCode(code, context_place)
        base = game.frame_of(code, context_place)
        with code.if_(b.not_(b.call(self._states.look, [state, base]))):
            b.ret_void()
        player = code.load(i32, state, PLAYER)
        for role in range(frame.roles):
            with code.if_(code.equal(player, role + 1)):
                legal = code.place(base, frame.legal[role])
                buffer = b.inttoptr(context.load("buffer"), pointer)
                first, number = constant(frame.first_codes[role]), constant(frame.moves[role])
                context.count("found", b.call(self._collect, [legal, number, first, buffer]))
                b.ret_void()
        b.ret_void()
