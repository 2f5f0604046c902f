"""The stack of a machine: frames in memory that the caller provides, and when to give up.

A frame holds

    int32 step    which modifier was applied, numbered as the machine was emitted
    int32 retry   where to go on if it fails
    int32 number  the modifier's number in the rules, if the sink wants to know paths
    int32 square  where it was applied
    int64 old     what is needed to undo it
    slots         what else can be done at the site (see `region`)

The keeper's frames are his own business.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, i64, pointer
from semisplit.compiler.runtime.abi import Status
from semisplit.language.rbg.native.board.state import StateCode

STEP, RETRY, NUMBER, SQUARE, OLD = 0, 4, 8, 12, 16


class Stack:
    """Where a machine is, and the blocks in which it ends."""

    def __init__(self, code: StateCode, context: ContextCode, base: Value):
        """Begin at the entry of a function.

        Args:
            code: Where to emit.
            context: Limits and counters of the caller.
            base: Where frames may be written.
        """
        self.code = code
        self.context = context
        self.base = base
        self.top = code.local(pointer)
        """A variable: the frame of the current site, unless its depth is known."""
        self.square = code.local(i64)
        """A variable: the current square."""
        self.end = code.local(pointer)
        """A variable: the end of the memory for frames."""
        code.b.store(base, self.top)
        self._stops: dict[Status, ir.Block] = {}
        self.failed, self.exhausted, self.limited = code.blocks("failed", "exhausted", "limited")
        """Where to go if nothing is possible at a site, if nothing is left at all, if a limit is
        hit."""

    def clear(self) -> None:
        """Emit forgetting all frames."""
        self.code.b.store(self.base, self.top)

    def here(self) -> Value:
        """The current square."""
        return self.code.b.load(self.square, typ=i64)

    def check_room(self, least: int, more: int) -> None:
        """Emit the check that there is room for frames.

        Args:
            least: Bytes that must be there.
            more: Bytes that may be used beyond them, if they are there.
        """
        code, b = self.code, self.code.b
        end = code.place(self.base, least)
        memory_end = self.context.load("frames_end", pointer)
        self.give_up_if(b.icmp_unsigned(">", end, memory_end), Status.LONG_MOVE)
        longest = code.place(self.base, least + more)
        shorter = code.less(longest, memory_end)
        b.store(b.select(shorter, longest, memory_end), self.end)

    def check_work(self) -> None:
        """Emit counting a failure, and giving up after too many."""
        self.give_up_if(self.context.is_out_of_work(), Status.MUCH_WORK)

    def check_status(self) -> None:
        """Emit giving up if something that was called has."""
        self.code.jump_if(self.context.has_failed(), self.limited)

    def give_up_if(self, condition: Value, status: Status) -> None:
        """Emit giving up with a status under a condition."""
        if status not in self._stops:
            self._stops[status] = self.code.block("stop")
            with self.code.b.goto_block(self._stops[status]):
                self.context.store("status", status)
                self.code.b.branch(self.limited)
        self.code.jump_if(condition, self._stops[status])
