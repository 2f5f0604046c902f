"""Emitting `apply` and `play`: making steps in single states."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer
from semisplit.compiler.runtime.abi import AT, PLAYER
from semisplit.language.gdl.native.state.layout import INSIDE, WORD
from semisplit.language.gdl.native.state.states import Game, States, all_lanes
from semisplit.language.gdl.native.state.words import WordCode


class Steps:
    """The functions that make steps."""

    def __init__(self, game: Game, states: States):
        self._game = game
        self._states = states
        self.choose = self._emit_choose()
        self.complete = self._emit_complete()
        self._emit_apply()
        self._emit_play()

    def _emit_choose(self) -> ir.Function:
        """Write down that a role has chosen: of (state, code)."""
        game = self._game
        function = game.module.function("note", ir.VoidType(), [pointer, i32])
        code = WordCode.begin(game.module, function)
        state, move = function.args
        role = code.b.zext(game.role_of(code, move), i64)
        place = code.b.add(code.b.shl(role, constant(2)), constant(game.state.chosen))
        code.store(code.b.add(move, ir.Constant(i32, 1)), state, place)
        code.b.ret_void()
        return function

    def _emit_complete(self) -> ir.Function:
        """Make the moves that have been chosen if nobody has to choose any more.

        Of (state, memory), in which the moves of the state have been found. Returns 1 if the state
        is nodal now.
        """
        game, states = self._game, self._states
        function = game.module.function("complete", i32, [pointer, pointer])
        code = WordCode.begin(game.module, function)
        b = code.b
        state, base = function.args
        player = states.chooser(code, state, base)
        with code.if_(code.unequal(player, 0)):
            code.store(player, state, PLAYER)
            code.store(ir.Constant(i32, INSIDE), state, AT)
            b.ret(ir.Constant(i32, 0))
        for role in range(game.frame.roles):
            self._emit_made(code, state, base, role)
        all_lanes(code, game, base)
        words, new = (code.place(base, place) for place in game.frame.states)
        game.make_moves(code, base, words, new, words)
        b.call(states.pack, [state, new, constant(0)])
        b.call(states.settle, [state, base])
        b.ret(ir.Constant(i32, 1))
        return function

    def _emit_made(self, code: WordCode, state: Value, base: Value, role: int) -> None:
        """Where a role has chosen, its move is made; elsewhere the only legal one already is."""
        game, frame, b = self._game, self._game.frame, code.b
        chosen = code.load(i32, state, game.state.chosen + 4 * role)
        with code.if_(code.unequal(chosen, 0)):
            does = code.place(base, frame.does[role])
            code.fill_zero(does, WORD * frame.moves[role])
            number = b.sub(b.zext(chosen, i64), constant(frame.first_codes[role] + 1))
            code.put(code.all, does, b.mul(number, constant(WORD)))
            code.store(does, base, frame.made + 8 * role)

    def _emit_apply(self) -> None:
        game = self._game
        function = game.module.function("apply", i32, [pointer, pointer, i64, pointer], public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, steps, count, context = function.args
        with code.repeat(constant(0)) as loop:
            (number,) = loop.variables
            move = code.load(i32, steps, b.shl(number, constant(2)))
            b.call(self.choose, [state, move])
            next_ = b.add(number, constant(1))
            loop.again_if(code.less(next_, count), next_)
        base = game.frame_of(code, context)
        b.call(self._states.look, [state, base])
        b.ret(b.call(self.complete, [state, base]))

    def _emit_play(self) -> None:
        game = self._game
        function = game.module.function("play", i32, [pointer, pointer, i64, pointer], public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, steps, count, context = function.args
        base = game.frame_of(code, context)
        illegal = code.block("illegal")
        with code.loop(constant(0)) as loop:
            (number,) = loop.variables
            loop.leave_if(code.equal(number, count))
            move = code.load(i32, steps, b.shl(number, constant(2)))
            role = game.role_of(code, move)
            player = code.load(i32, state, PLAYER)
            code.jump_unless(code.equal(b.add(role, ir.Constant(i32, 1)), player), illegal)
            b.call(self._states.look, [state, base])
            places = [*map(game.legal_place, range(len(game.circuit.program.moves)))]
            place = code.look_up(32, places, b.zext(move, i64))
            code.jump_unless(code.in_first(code.word(base, b.zext(place, i64))), illegal)
            b.call(self.choose, [state, move])
            b.call(self.complete, [state, base])
            loop.again(b.add(number, constant(1)))
        b.ret(ir.Constant(i32, 1))
        code.emit_in(illegal)
        b.ret(ir.Constant(i32, 0))
