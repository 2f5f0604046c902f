"""Emitting functions between states, whose fluents are bits, and the words gates work on."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i8, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import AT, PLAYER, SCORES
from semisplit.language.gdl.native.state.layout import ALIGN, Frame, StateLayout
from semisplit.language.gdl.native.state.words import WordCode, WordModule
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.turns import Turns


@dataclass
class Game:
    """A game while it is compiled: what its functions share."""

    module: WordModule
    circuit: Circuit
    frame: Frame
    turns: Turns
    state: StateLayout
    sections: dict[str, ir.Function]
    """The functions that compute gates: `moves`, `next` and `goals`."""

    def frame_of(self, code: WordCode, context: Value) -> Value:
        """The memory to work in."""
        address = ContextCode(code, context).load("frames")
        round_ = code.b.and_(code.b.add(address, constant(ALIGN - 1)), constant(-ALIGN))
        return code.b.inttoptr(round_, pointer)

    def compute(self, code: WordCode, section: str, base: Value, state: Value) -> None:
        """Compute the gates of a section other than `next`."""
        self._call(code, section, base, state, state, state)

    def make_moves(
        self, code: WordCode, base: Value, state: Value, new: Value, reset: Value
    ) -> None:
        """Compute the next fluents where a move is made; elsewhere they come from `reset`."""
        self._call(code, "next", base, state, new, reset)

    def _call(self, code: WordCode, section: str, base: Value, *words: Value) -> None:
        made = code.place(base, self.frame.made)
        code.b.call(self.sections[section], [base, *words, made])

    def legal_place(self, move: int) -> int:
        """Where it says whether a move, given by its code, is legal."""
        role, _ = self.circuit.program.moves[move]
        return self.frame.legal[role] + self.frame.word * (move - self.frame.first_codes[role])

    def role_of(self, code: WordCode, move: Value) -> Value:
        """The role, from 0, of a code, both 32 bits wide."""
        roles = [role for role, _ in self.circuit.program.moves]
        return code.look_up(32, roles, code.b.zext(move, i64))


class States:
    """The functions for single states."""

    def __init__(self, game: Game):
        self._game = game
        self.load = self._emit_load()
        self.pack = self._emit_pack()
        self.summarize = self._emit_summarize()
        self.look = self._emit_look()
        self.settle = self._emit_settle()

    def _begin(self, name: str, *arguments: ir.Type, result: ir.Type = void) -> WordCode:
        function = self._game.module.function(name, result, arguments)
        return WordCode.begin(self._game.module, function)

    def _emit_load(self) -> ir.Function:
        """Write the fluents of a state into all lanes: of (state, words)."""
        code = self._begin("load", pointer, pointer)
        layout, b = self._game.state, code.b
        state, words = code.b.function.args
        if layout.fluents:
            with code.repeat(constant(0)) as loop:
                (fluent,) = loop.variables
                integer = b.lshr(fluent, constant(6))
                bits = code.load(
                    i64, state, b.add(b.shl(integer, constant(3)), constant(layout.bits))
                )
                bit = b.and_(b.lshr(bits, b.and_(fluent, constant(63))), constant(1))
                code.put(code.in_every(bit), words, b.mul(fluent, constant(self._game.frame.word)))
                next_ = b.add(fluent, constant(1))
                loop.again_if(code.less(next_, layout.fluents), next_)
        b.ret_void()
        return b.function

    def _emit_pack(self) -> ir.Function:
        """Write the fluents of a lane into an otherwise empty state: of (state, words, lane)."""
        code = self._begin("pack", pointer, pointer, i64)
        layout, b = self._game.state, code.b
        state, words, lane = b.function.args
        code.fill_zero(code.place(state, AT), layout.bytes)
        if layout.fluents:
            byte, bit = b.lshr(lane, constant(3)), b.trunc(b.and_(lane, constant(7)), i8)
            with code.repeat(constant(0)) as loop:
                (fluent,) = loop.variables
                place = b.add(b.mul(fluent, constant(self._game.frame.word)), byte)
                value = b.and_(b.lshr(code.load(i8, words, place), bit), ir.Constant(i8, 1))
                to = b.add(b.shl(b.lshr(fluent, constant(6)), constant(3)), constant(layout.bits))
                value = b.shl(b.zext(value, i64), b.and_(fluent, constant(63)))
                code.store(b.or_(code.load(i64, state, to), value), state, to)
                next_ = b.add(fluent, constant(1))
                loop.again_if(code.less(next_, layout.fluents), next_)
        b.ret_void()
        return b.function

    def _emit_summarize(self) -> ir.Function:
        """Say where a role has a move, and where several: of (moves, number, some, many)."""
        code = self._begin("summarize", pointer, i64, pointer, pointer)
        b = code.b
        moves, number, some_place, many_place = b.function.args
        with code.loop(constant(0), code.zero, code.zero) as loop:
            move, some, many = loop.variables
            loop.leave_if(code.equal(move, number), some, many)
            legal = code.word(moves, b.mul(move, constant(self._game.frame.word)))
            many = b.or_(many, b.and_(some, legal))
            loop.again(b.add(move, constant(1)), b.or_(some, legal), many)
        some, many = loop.results
        code.put(some, some_place)
        code.put(many, many_place)
        b.ret_void()
        return b.function

    def emit_moves(self, code: WordCode, base: Value, words: Value) -> Value:
        """Emit finding the moves in all lanes; returns where the game is not over."""
        game, frame, b = self._game, self._game.frame, code.b
        game.compute(code, "moves", base, words)
        goes_on = code.invert(code.word(base, frame.terminal))
        for role in range(frame.roles):
            legal = code.place(base, frame.legal[role])
            code.store(legal, base, frame.made + 8 * role)
            some, many = (code.place(base, place[role]) for place in (frame.some, frame.many))
            b.call(self.summarize, [legal, constant(frame.moves[role]), some, many])
            goes_on = b.and_(goes_on, code.word(some))
        return goes_on

    def _emit_look(self) -> ir.Function:
        """Find the moves of a state; whether the game is not over: of (state, memory)."""
        code = self._begin("look", pointer, pointer, result=ir.IntType(1))
        state, base = code.b.function.args
        words = code.place(base, self._game.frame.states[0])
        code.b.call(self.load, [state, words])
        code.b.ret(code.in_first(self.emit_moves(code, base, words)))
        return code.b.function

    def chooser(self, code: WordCode, state: Value, base: Value) -> Value:
        """The first role, from 1, with a choice that it has not made yet; 0 if there is none."""
        game, b = self._game, code.b
        found: Value = ir.Constant(i32, 0)
        for role in reversed(range(game.frame.roles)):
            many = code.in_first(code.word(base, game.frame.many[role]))
            chosen = code.load(i32, state, game.state.chosen + 4 * role)
            waits = b.and_(many, code.equal(chosen, 0))
            found = b.select(waits, ir.Constant(i32, role + 1), found)
        return found

    def _emit_settle(self) -> ir.Function:
        """Write the head of a state in which nobody has chosen: of (state, memory)."""
        game = self._game
        code = self._begin("settle", pointer, pointer)
        b = code.b
        state, base = b.function.args
        goes_on = b.call(self.look, [state, base])
        code.store(ir.Constant(i32, 0), state, AT)
        with code.if_else(goes_on) as (then, otherwise):
            with then:
                player = self.chooser(code, state, base)
                player = b.select(code.equal(player, 0), ir.Constant(i32, 1), player)
                code.store(player, state, PLAYER)
            with otherwise:
                code.store(ir.Constant(i32, 0), state, PLAYER)
                words = code.place(base, game.frame.states[0])
                game.compute(code, "goals", base, words)
                for role in range(game.frame.roles):
                    score: Value = ir.Constant(i32, 0)
                    # The highest value comes first, and counts.
                    goals = [*enumerate(game.circuit.program.goals)]
                    for number, (owner, value, _) in reversed(goals):
                        if owner == role:
                            holds = code.in_first(
                                code.word(base, game.frame.goals + game.frame.word * number)
                            )
                            score = b.select(holds, ir.Constant(i32, value), score)
                    code.store(score, state, SCORES + 4 * role)
        b.ret_void()
        return b.function


def all_lanes(code: WordCode, game: Game, base: Value) -> None:
    """Let every lane play on."""
    code.put(code.all, base, game.frame.live)
