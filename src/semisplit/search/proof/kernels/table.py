"""The table of positions: keys, looking up, storing.

A position's key is two numbers of 64 bits. The first one, and some bits of the second, tell where
in the table it may be; the second is kept there and compared. Two positions are taken for one if
the other bits of the second number agree, 54 in a table of a gigabyte, with one of the four that
compete for the same room. A search that asks n times ever makes this mistake with a chance below
4n / 2^54, which is 2e-7 for a thousand million questions.

At first only a part of the table is in use: small searches need not touch all of its memory.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from semisplit.compiler.runtime.abi import AT
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, address_of, i8, integers_at
from semisplit.search.proof.kernels.memory import (
    ENDLESS,
    INFINITE,
    MOST_DISTANCE,
    SLOTS,
    ChildRecord,
    Workspace,
)

_FIRST, _SECOND, _THIRD, _FOURTH = (
    0x1E3779B97F4A7C15,
    0x3F58476D1CE4E5B9,
    0x14D049BB133111EB,
    0x2545F4914F6CDD1D,
)
"""Odd numbers without a pattern."""
_LOWER = (1 << 35) - 1
_KEY_BITS = 14
"""Bits of the number of a group of slots that are those of the first number of the key."""
_VERTEX = 2
"""Which integer of a state may be forgotten."""


@kernel
def _mix(known: int, word: int, factor: int) -> int:
    known = (known ^ word) * factor
    return known ^ (known >> 29 & _LOWER)


@kernel
def set_key(s: Workspace, child: ChildRecord, state: Array[i8]) -> None:
    """Work out the key of a state."""
    game, head = s.game, integers_at(address_of(state, 0))
    vertex = head[_VERTEX]
    step = head[AT >> 2] + game.first_step
    if 0 <= step < game.steps and game.forgetful[step]:
        head[_VERTEX] = 0
    key, check = s.goal.salt, s.goal.salt ^ _FOURTH
    for i in range(game.key_words):
        key = _mix(key, state[i], _FIRST)
        check = _mix(check, state[i], _SECOND)
    head[_VERTEX] = vertex
    child.key = _mix(key, key >> 32, _THIRD)
    check = _mix(check, check >> 31, _FOURTH)
    # An entry with 0 is empty.
    child.check = check if check != 0 else 1


@kernel
def pack(child: ChildRecord, work: int) -> int:
    """What the table keeps of a position, as one number.

    That is 20 bits for each of both numbers, 12 for the distance, 8 for the logarithm of the work,
    and one that says whether its disproof takes play without an end.
    """
    size = 0
    while work > 0:
        work >>= 1
        size += 1
    numbers = child.proof | child.disproof << 20
    endless = (child.flags & ENDLESS) != 0
    return numbers | min(child.distance, MOST_DISTANCE) << 40 | size << 52 | endless << 60


def _prefetching(typing: Any, address: Any) -> Any:

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        flags = [ir.Constant(number, flag) for flag in (0, 3, 1)]
        builder.call(function, [builder.inttoptr(args[0], byte), *flags])
        return context.get_dummy_value()

    return types.void(types.int64), generate


_prefetch: Any = intrinsic(_prefetching)
"""Lets the processor fetch memory that will soon be read, given its address."""


@kernel
def fetch(s: Workspace, child: ChildRecord) -> None:
    """Let the entries among which a position may be come from memory."""
    _prefetch(address_of(s.table.entries, _first_slot(s, child)))


@kernel
def _first_slot(s: Workspace, child: ChildRecord) -> int:
    """Where the entries are among which a position may be."""
    mask = s.table.mask
    upper = (child.check & mask >> _KEY_BITS) << _KEY_BITS
    return (child.key & mask & (1 << _KEY_BITS) - 1 | upper) * SLOTS


@kernel
def look_up(s: Workspace, child: ChildRecord) -> bool:
    """Take what is known about a position from the table; whether anything is."""
    table, check = s.table, child.check
    s.worker.looked_up += 1
    first = _first_slot(s, child)
    for slot in range(first, first + SLOTS):
        entry = table.entries[slot]
        if entry.check == check:
            data = entry.data
            child.proof = data & INFINITE
            child.disproof = data >> 20 & INFINITE
            child.distance = data >> 40 & MOST_DISTANCE
            child.flags = child.flags & ~ENDLESS | (data >> 60 & 1) * ENDLESS
            return True
    return False


@kernel
def store(s: Workspace, child: ChildRecord, work: int) -> None:
    """Keep what is known about a position, in place of that which took the least work."""
    table, check = s.table, child.check
    first = _first_slot(s, child)
    chosen, least = first, 1 << 62
    for slot in range(first, first + SLOTS):
        entry = table.entries[slot]
        if entry.check == check:
            chosen, least = slot, -2
            break
        size = entry.data >> 52 & 0xFF if entry.check != 0 else -1
        if size < least:
            chosen, least = slot, size
    table.used += least == -1
    table.replaced += least >= 0
    table.entries[chosen].check = check
    table.entries[chosen].data = pack(child, work)
    if table.mask < table.whole_mask and 2 * table.used > (table.mask + 1) * SLOTS:
        _use_more(s)


@kernel
def _use_more(s: Workspace) -> None:
    """Use twice as much of the table: half of the entries move to the new part."""
    table, groups = s.table, s.table.mask + 1
    for slot in range(groups * SLOTS):
        entry = table.entries[slot]
        if entry.check & groups >> _KEY_BITS:
            moved = table.entries[slot + groups * SLOTS]
            moved.check, moved.data = entry.check, entry.data
            entry.check = 0
    table.mask = 2 * groups - 1
