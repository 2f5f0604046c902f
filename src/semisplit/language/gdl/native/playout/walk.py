"""Emitting playouts one by one, from states for which it is not proven whose turn it is.

The proof is about all states that can be reached. Others can be written down, and played.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.random import Random
from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import PLAYER, SCORES, Status
from semisplit.language.gdl.ground.rows import Flags
from semisplit.language.gdl.native.evaluate.listing import Listing
from semisplit.language.gdl.native.evaluate.steps import Steps
from semisplit.language.gdl.native.state.states import Game, States
from semisplit.language.gdl.native.state.words import WordCode


class Walk:
    """Two functions: whether it is proven whose turn it is, and playouts if it is not."""

    def __init__(self, game: Game, states: States, steps: Steps, listing: Listing):
        self._game = game
        self._states = states
        self._steps = steps
        self._listing = listing
        self.is_proven = emit_is_proven(game)
        self.play = self._emit_play()

    def _emit_play(self) -> ir.Function:
        """Playouts: of (state, seed, count, sums, context)."""
        game, frame = self._game, self._game.frame
        types = [pointer, i64, i64, pointer, pointer]
        function = game.module.function("walk", void, types)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, seed, count, sums, context_place = function.args
        context = ContextCode(code, context_place)
        base = game.frame_of(code, context_place)
        here = code.place(base, frame.spare)
        random = Random(code, seed)
        with code.repeat(count) as loop:
            (left,) = loop.variables
            code.copy(here, state, game.state.bytes)
            b.call(self._states.settle, [here, base])
            with code.loop(constant(0)) as moves:
                (made,) = moves.variables
                moves.leave_if(code.equal(code.load(i32, here, PLAYER), 0))
                is_long = code.equal(made, context.load("max_moves"))
                with code.if_(is_long, likely=False):
                    context.store("status", Status.LONG_GAME)
                moves.leave_if(is_long)
                b.call(self._states.look, [here, base])
                for role in range(frame.roles):
                    self._choose(code, base, here, role, random)
                b.call(self._steps.complete, [here, base])
                context.count("moves")
                context.count("states")
                moves.again(b.add(made, constant(1)))
            for role in range(frame.roles):
                score = b.sext(code.load(i32, here, SCORES + 4 * role), i64)
                code.store(b.add(code.load(i64, sums, 8 * role), score), sums, 8 * role)
            left = b.sub(left, constant(1))
            goes_on = b.and_(code.unequal(left, 0), b.not_(context.has_failed()))
            loop.again_if(goes_on, left)
        code.copy(state, here, game.state.bytes)
        b.ret_void()
        return function

    def _choose(self, code: WordCode, base: Value, state: Value, role: int, random: Random) -> None:
        number = self._listing.collected(code, base, role)
        place = code.b.shl(random.below(number), constant(2))
        move = code.load(i32, code.place(base, self._game.frame.lists[role]), place)
        code.b.call(self._steps.choose, [state, move])


def emit_is_proven(game: Game) -> ir.Function:
    """Whether the clock is in one of its states: of (state)."""
    turns = game.turns
    function = game.module.function("is_proven", i1, [pointer])
    code = WordCode.begin(game.module, function)
    b = code.b
    (state,) = function.args
    (mask,) = _integers(game, np.ones((1, len(turns.clock)), bool))
    ticks = _integers(game, turns.ticks)
    places = [place for place, bits in enumerate(mask) if bits]
    here = [
        b.and_(code.load(i64, state, game.state.bits + 8 * place), constant(mask[place]))
        for place in places
    ]
    table = [row[place] for row in ticks for place in places]
    with code.loop(constant(0)) as loop:
        (row,) = loop.variables
        loop.leave_if(code.equal(row, len(ticks)), ir.Constant(i1, 0))
        differs = constant(0)
        for number, bits in enumerate(here):
            index = b.add(b.mul(row, constant(len(places))), constant(number))
            differs = b.or_(differs, b.xor(bits, code.look_up(64, table, index)))
        loop.leave_if(code.equal(differs, 0), ir.Constant(i1, 1))
        loop.again(b.add(row, constant(1)))
    b.ret(loop.results[0])
    return function


def _integers(game: Game, clocks: Flags) -> list[list[int]]:
    """Rows with the fluents of the clock as the integers that states have."""
    bits = np.zeros((len(clocks), 64 * game.state.words), bool)
    bits[:, game.turns.clock] = clocks
    rows: list[list[int]] = np.packbits(bits, axis=1, bitorder="little").view("<u8").tolist()
    return rows
