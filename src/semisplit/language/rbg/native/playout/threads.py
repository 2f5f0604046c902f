"""Playouts as one of many threads makes them, see `compiler.emit.threads`."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from semisplit.compiler.emit.threads import Memory, Thread, emit_thread
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.reach import MAX_DEPTH
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.native.playout.orthodox import memory_size
from semisplit.language.rbg.native.playout.playout import Play


def emit_play_thread(program: Program, play: Play, stride: int) -> None:
    """The function of a thread, in whose loop the turns of all games follow each other.

    States of callers lie so many bytes from each other.
    """
    module = program.module

    def emit(thread: Thread, code: StateCode) -> Memory:
        seed = thread.begin(stride)
        stack = Stack(code, thread.context, thread.frames)
        machine, over = play.emit(program, stack, seed)
        thread.end(over, stack.limited)
        groups = memory_size(8 * module.squares.words, program.levels, machine.deepest)
        return Memory(program.frame_bytes, groups if play.collects else 0)

    _emit(program, emit)


def emit_listed_thread(program: Program, playout: ir.Function, stride: int) -> None:
    """Emit the function of a thread for playouts that are a function."""

    def emit(thread: Thread, code: StateCode) -> Memory:
        seed = thread.begin(stride)
        code.b.call(playout, [code.state, seed, thread.context.base])
        over, limited = code.blocks("over", "limited")
        code.b.cbranch(thread.context.has_failed(), limited, over)
        thread.end(over, limited)
        # A semimove is written down at a time: its length and its codes.
        return Memory(program.frame_bytes, 4 * (program.levels + MAX_DEPTH + 2))

    _emit(program, emit)


def _emit(program: Program, emit: Callable[[Thread, StateCode], Memory]) -> None:
    module = program.module

    def begin(function: ir.Function) -> StateCode:
        entry = function.append_basic_block("entry")
        return StateCode(module, ir.IRBuilder(entry), function.args[1])

    players = len(program.game.description.players)
    emit_thread(module, begin, players, module.layout.bytes, emit)
