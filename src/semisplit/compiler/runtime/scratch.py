"""The memory that calls of compiled code work in."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.compiler.runtime.abi import Context, Status
from semisplit.core.errors import PlayLimit, WorkLimit
from semisplit.core.limits import MAX_KEEPER_MOVES, MAX_MOVE_LENGTH, MAX_MOVES

MAX_WORK = 200_000_000
"""Failures after which a search for moves is given up."""
_LINES = 128
"""Bytes of two lines of the processor's caches, which some fetch together."""
_CLEARED = range(1 << 20, 1 << 25)
"""Sizes of memory that C libraries may take from what was freed before, and then have to clear."""
_MESSAGES = {
    Status.LONG_MOVE: f"a move or pattern applies more than {MAX_MOVE_LENGTH} modifiers;"
    " the rules repeat one without an end",
    Status.MUCH_WORK: "looking for moves takes too long; the rules leave too much open",
    Status.LONG_KEEPER: f"the keeper made {MAX_KEEPER_MOVES} moves in a row;"
    " the rules never let a player move",
    Status.LONG_GAME: f"the game did not end after {MAX_MOVES} moves",
    Status.NO_GPU: "the GPU failed to make playouts",
}


class Scratch:
    """The memory of one thread."""

    def __init__(self, frame_bytes: int, group_bytes: int):
        self.context = Context.from_buffer(apart(ctypes.sizeof(Context)).data)
        self.address = ctypes.addressof(self.context)
        self._frames = _memory(frame_bytes)
        self._groups = _memory(group_bytes)
        self.buffer = _memory(1 << 16)

    def reset(self) -> None:
        """Prepare for a call."""
        context = self.context
        ctypes.memset(ctypes.addressof(context), 0, ctypes.sizeof(context))
        context.work = context.max_work = MAX_WORK
        context.max_moves = MAX_MOVES
        context.enough = 2**62
        context.frames, context.frames_end = _extent(self._frames)
        context.groups, _ = _extent(self._groups)

    def use_buffer(self) -> None:
        """Let moves be written."""
        self.context.buffer, self.context.buffer_end = _extent(self.buffer)

    def grow_buffer(self, size: int) -> None:
        """Make room for more moves."""
        self.buffer = _memory(2 * size)

    def check(self) -> None:
        """Raise what made the last call stop."""
        raise_status(Status(self.context.status))


def raise_status(status: Status) -> None:
    """Raise what a status means, if it is not that all is well."""
    if status != Status.OK:
        raise (WorkLimit if status == Status.MUCH_WORK else PlayLimit)(_MESSAGES[status])


def apart(size: int) -> NDArray[Any]:
    """Cleared bytes in lines of their own.

    A line of the processor's caches that one thread writes has to be fetched again by all others
    who need anything in it.
    """
    if size in _CLEARED:
        return np.frombuffer(_memory(size), "u1")
    memory = np.zeros(-(-size // _LINES) * _LINES + _LINES, "u1")
    begin = -memory.ctypes.data % _LINES
    return memory[begin : begin + size]


def _memory(size: int) -> mmap.mmap:
    """Memory whose pages cost nothing as long as they are not touched."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    # Otherwise processes that are forked would work in the same memory.
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def _extent(memory: mmap.mmap) -> tuple[int, int]:
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return begin, begin + len(memory)
