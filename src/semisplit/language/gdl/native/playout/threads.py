"""Emitting the function of a GPU's threads: each plays in lanes of its own."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.threads import Memory, Thread, emit_thread
from semisplit.compiler.runtime.abi import Status
from semisplit.language.gdl.native.playout.playouts import Playouts
from semisplit.language.gdl.native.playout.walk import emit_is_proven
from semisplit.language.gdl.native.state.states import Game
from semisplit.language.gdl.native.state.words import WordCode


def emit_play_thread(game: Game, playouts: Playouts) -> None:
    """The function, which plays all games of a piece at once."""

    def begin(function: ir.Function) -> WordCode:
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        return WordCode(game.module, builder, function.args[1])

    def emit(thread: Thread, code: WordCode) -> Memory:
        seed = thread.begin(game.state.bytes)
        if game.turns.slots:
            is_proven = code.b.call(emit_is_proven(game), [code.state])
            with code.if_(code.b.not_(is_proven), likely=False):
                thread.context.store("status", Status.LEFT)
                thread.end_piece()
        base, context = thread.frames, thread.context.base
        for place in game.frame.fillers:
            code.put(code.zero, base, place)
        code.b.call(playouts.play, [base, context, code.state, seed, thread.left(), thread.sums])
        thread.end_piece()
        return Memory(game.frame.bytes, 0)

    emit_thread(game.module, begin, game.frame.roles, game.state.bytes, emit)
