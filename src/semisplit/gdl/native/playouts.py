"""Emitting playouts: 256 at once from the same state, until the last one that is wanted has ended.

All lanes always play, whether they are wanted or not. So playout i depends on nothing but the
seed and i: it is lane i mod 256 of batch i / 256, whose random numbers come from the seed plus
the number of the batch.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i64, pointer, void
from semisplit.gdl.native.choice import emit_choice, emit_seeding
from semisplit.gdl.native.layout import LANES, WORD
from semisplit.gdl.native.states import Game, States
from semisplit.gdl.native.words import ONES, ZERO, WordCode
from semisplit.runtime.abi import Status


class Playouts:
    """The functions for playouts. Whole moves and semimoves are drawn alike: role by role."""

    def __init__(self, game: Game, states: States):
        self._game = game
        self._states = states
        self._choose = emit_choice(game.module, game.frame)
        batch = self._emit_batch()
        for name in ("orthodox_playouts", "semisplit_playouts"):
            self._emit_all(name, batch)

    def _emit_batch(self) -> ir.Function:
        """A batch of playouts: of (state, seed, how many are wanted, sums, context).

        Returns where in memory the final fluents are.
        """
        game, frame, states = self._game, self._game.frame, self._states
        types = [pointer, i64, i64, pointer, pointer]
        function = game.module.function("batch", pointer, types)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, seed, count, sums, context_place = function.args
        context = ContextCode(code, context_place)
        base = game.frame_of(code, context_place)
        words, others = (code.place(base, place) for place in frame.states)
        b.call(states.load, [state, words])
        emit_seeding(code, frame, base, seed)
        wanted = _first_lanes(code, count)
        most = context.load("max_moves")
        with code.repeat(constant(0), words, others, ONES) as loop:
            number, words, others, live = loop.variables
            live = b.and_(live, states.emit_moves(code, base, words))
            playing = b.and_(live, wanted)
            is_over = b.not_(code.in_any(playing))
            loop.leave_if(is_over, words)
            with code.if_(code.equal(number, most), likely=False):
                context.store("status", Status.LONG_GAME)
            loop.leave_if(code.equal(number, most), words)
            code.put(live, base, frame.live)
            made = code.count_lanes(playing)
            context.count("moves", made)
            context.count("states", made)
            for role in range(frame.roles):
                self._emit_choice(code, base, role, live)
            game.compute(code, "next", base, words, others)
            loop.again(b.add(number, constant(1)), others, words, live)
        (words,) = loop.results
        game.compute(code, "goals", base, words, words)
        self._add_scores(code, base, sums, wanted)
        b.ret(words)
        return function

    def _emit_choice(self, code: WordCode, base: Value, role: int, live: Value) -> None:
        """Draw a move if the role has a choice in some lane; its only move is already made."""
        frame, b = self._game.frame, code.b
        if frame.moves[role] < 2:
            return
        many = code.word(base, frame.many[role])
        with code.if_(code.in_any(b.and_(many, live))):
            legal, does = (code.place(base, place[role]) for place in (frame.legal, frame.does))
            b.call(self._choose, [base, legal, does, constant(frame.chunks[role])])
            code.store(does, base, frame.made + 8 * role)

    def _add_scores(self, code: WordCode, base: Value, sums: Value, wanted: Value) -> None:
        frame, b = self._game.frame, code.b
        for role in range(frame.roles):
            left = wanted
            score: Value = constant(0)
            for number, (owner, value, _) in enumerate(self._game.circuit.program.goals):
                if owner == role:
                    # The highest value comes first, and counts.
                    reached = b.and_(left, code.word(base, frame.goals + WORD * number))
                    left = code.without(left, reached)
                    score = b.add(score, b.mul(code.count_lanes(reached), constant(value)))
            code.store(b.add(code.load(i64, sums, 8 * role), score), sums, 8 * role)

    def _emit_all(self, name: str, batch: ir.Function) -> None:
        game, states = self._game, self._states
        types = [pointer, i64, i64, pointer, pointer]
        function = game.module.function(name, void, types, public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, seed, count, sums, context_place = function.args
        context = ContextCode(code, context_place)
        with code.repeat(seed, count) as loop:
            seed, left = loop.variables
            wanted = b.select(code.less(left, LANES), left, constant(LANES))
            words = b.call(batch, [state, seed, wanted, sums, context_place])
            left = b.sub(left, wanted)
            failed = context.has_failed()
            more = b.and_(code.unequal(left, 0), b.not_(failed))
            loop.again_if(more, b.add(seed, constant(1)), left, results=[words, wanted])
        words, wanted = loop.results
        b.call(states.pack, [state, words, b.sub(wanted, constant(1))])
        b.call(states.settle, [state, game.frame_of(code, context_place)])
        b.ret_void()


def _first_lanes(code: WordCode, count: Value) -> Value:
    """So many lanes, the first ones."""
    b = code.b
    result: Value = ZERO
    for part in range(4):
        # How many of the 64 lanes of this part.
        left = b.sub(count, constant(64 * part))
        left = b.select(b.icmp_signed("<", left, constant(0)), constant(0), left)
        is_full = b.icmp_signed(">=", left, constant(64))
        some = b.sub(b.shl(constant(1), b.and_(left, constant(63))), constant(1))
        bits = b.select(is_full, constant(-1), some)
        result = b.insert_element(result, bits, ir.Constant(ir.IntType(32), part))
    return result
