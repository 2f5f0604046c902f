"""Submoves and their numbers.

A submove, a sequence of steps since the last nodal state, is known as a pair: the number of the
submove without its last step, and that step. A table finds the number of a pair; number 0 is the
empty submove. Submoves of one step need no table: if a game has not too many steps, their numbers
are the next ones. Numbers never change, so they can be kept, and looking up a longer submove costs
one search if the number of the shorter one is at hand.

The table has open addressing: a pair is at the place that its hash says or after it. At least half
of the table is empty. Each four steps are together, as what is looked up at the same time often
differs by one square.
"""

from __future__ import annotations

import numpy as np

from semisplit.compiler.runtime.abi import End
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.share import SUBMOVE_LOCK, lock_at
from semisplit.search.engine.toolkit.atomic import lock, publish_i8, unlock
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.record import Array, address_of, i4, offset_of
from semisplit.search.features.submoves.records import KnownSubmoves, SubmoveRecord
from semisplit.search.parallel.records import Sharing

NEEDS_SUBMOVES = 101
"""The reason if an iteration has to wait until the table has grown."""
UNKNOWN = -1
"""A submove that is not in the table."""
SINGLE = 2**31 - 1
"""In place of a submove before a step: the step counts wherever it is made."""
_PREFIXES, _MOVES = KnownSubmoves.PREFIXES.value, KnownSubmoves.MOVES.value
_END_NOTHING, _END_MOVE = End.NOTHING.value, End.MOVE.value
_ALONE, _NUMBER = Sharing.ALONE.value, offset_of(SubmoveRecord, "number")
_TOGETHER, _LOWEST = 2, 3
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@kernel
def _place(table: Array[SubmoveRecord], mask: int, key: int) -> int:
    """Where in the table a pair is, or would be put."""
    bucket = int(np.int64((np.uint64(key >> _TOGETHER) * _FACTOR) >> _SHIFT))
    place = ((bucket << _TOGETHER) | (key & _LOWEST)) & mask
    while table[place].key != key and table[place].number != 0:
        place = (place + 1) & mask
    return place


@kernel
def find_submove(s: Workspace, before: int, step: int) -> int:
    """The number of a submove and one step more."""
    return find_in(
        s.tree.submoves.table, s.tree.submoves.mask, s.tree.submoves.singles, before, step
    )


@kernel
def find_in(table: Array[SubmoveRecord], mask: int, singles: int, before: int, step: int) -> int:
    """The number of a submove and one step more, in a table that is at hand."""
    if before == UNKNOWN:
        return UNKNOWN
    if before == 0 and singles:
        return 1 + step
    number = table[_place(table, mask, (before << 32) | step)].number
    return number if number != 0 else UNKNOWN


@kernel
def add_submove(s: Workspace, before: int, step: int) -> int:
    """The number of a submove and one step more, which is entered if there is room."""
    tree = s.tree
    if before == UNKNOWN:
        return UNKNOWN
    if before == 0 and tree.submoves.singles:
        return 1 + step
    key = (before << 32) | step
    place = _place(tree.submoves.table, tree.submoves.mask, key)
    if tree.submoves.table[place].number != 0:
        return tree.submoves.table[place].number
    if s.settings.parallel.sharing == _ALONE:
        return _put(s, place, key)
    return _put_together(s, key)


@large_kernel
def _put_together(s: Workspace, key: int) -> int:
    """Give a submove a number, as others may do: simulations look submoves up and add some."""
    lock(lock_at(s, SUBMOVE_LOCK))
    number = _put(s, _place(s.tree.submoves.table, s.tree.submoves.mask, key), key)
    unlock(lock_at(s, SUBMOVE_LOCK))
    return number


@kernel
def _put(s: Workspace, place: int, key: int) -> int:
    """Give a submove a number, if it has none at its place, and if there is room."""
    tree, entry = s.tree, s.tree.submoves.table[place]
    if entry.number == 0:
        if tree.submoves.count == tree.submoves.capacity:
            return UNKNOWN
        entry.key = key
        publish_i8(address_of(tree.submoves.table, place) + _NUMBER, tree.submoves.count)
        tree.submoves.count += 1
    return entry.number


@kernel
def is_complete(known: int, end: int) -> bool:
    """Whether a step of the trace completes one of the submoves that MAST or RAVE know."""
    if known == _MOVES:
        return end == _END_MOVE
    return known == _PREFIXES or end != _END_NOTHING


@kernel
def has_submoves(s: Workspace, count: int) -> bool:
    """Whether RAVE's elements have room for so many more; if there could be, an iteration waits."""
    if s.settings.rave.submoves == 0:
        return True
    needed = s.tree.submoves.count + count
    if needed <= s.tree.submoves.capacity or needed > s.tree.submoves.limit:
        return True
    s.tree.submoves.needed = needed
    s.worker.failure = NEEDS_SUBMOVES
    return False


@kernel
def find_all(s: Workspace, submove: int, steps: Array[i4], length: int) -> int:
    """The number of a submove and some steps more."""
    for i in range(length):
        submove = find_submove(s, submove, steps[i])
    return submove


@kernel
def add_all(s: Workspace, submove: int, steps: Array[i4], length: int) -> int:
    """The number of a submove and some steps more, which is entered if there is room."""
    for i in range(length):
        submove = add_submove(s, submove, steps[i])
    return submove


@kernel
def next_context(s: Workspace, submove: int, steps: Array[i4], length: int) -> int:
    """The context after some steps; silent ones do not change it."""
    for i in range(length):
        if steps[i] >= s.rules.silent:
            submove = add_submove(s, submove, steps[i])
    return submove


@kernel
def copy_submoves(
    table: Array[SubmoveRecord], mask: int, to: Array[SubmoveRecord], to_mask: int
) -> None:
    """Fill an empty, larger table with the submoves of another."""
    for place in range(mask + 1):
        if table[place].number != 0:
            entry = to[_place(to, to_mask, table[place].key)]
            entry.key = table[place].key
            entry.number = table[place].number
