"""Submoves and their numbers.

A submove, a sequence of steps since the last nodal state, is known as a pair: the number of the
submove without its last step, and that step. A table finds the number of a pair; number 0 is the
empty submove. Submoves of one step need no table: if a game has not too many steps, their numbers
are the next ones. Numbers never change, so they can be kept, and looking up a longer submove costs
one search if the number of the shorter one is at hand.

The table has open addressing: a pair is at the place that its hash says or behind it. At least half
of the table is empty. Each four steps are together, as what is looked up at the same time often
differs by one square.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from semisplit.runtime.abi import End
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import Chain, integers, submoves

NEEDS_SUBMOVES = 101
"""The reason if an iteration has to wait until the table has grown."""
UNKNOWN = -1
"""A submove that is not in the table."""
SINGLE = 2**31 - 1
"""In place of a submove before a step: the step counts wherever it is made."""
_PREFIX, _MOVE = Chain.PREFIX.value, Chain.MOVE.value
_END_NOTHING, _END_MOVE = End.NOTHING.value, End.MOVE.value
_TOGETHER, _LOWEST = 2, 3
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@kernel
def _place(table: Any, mask: int, key: int) -> int:
    """Where in the table a pair is, or would be put."""
    bucket = int(np.int64((np.uint64(key >> _TOGETHER) * _FACTOR) >> _SHIFT))
    place = ((bucket << _TOGETHER) | (key & _LOWEST)) & mask
    while table[place].key != key and table[place].number != 0:
        place = (place + 1) & mask
    return place


@kernel
def find_submove(s: Any, before: int, step: int) -> int:
    """The number of a submove and one step more."""
    return find_in(submoves(s), s.submove_mask, s.single_submoves, before, step)


@kernel
def find_in(table: Any, mask: int, singles: int, before: int, step: int) -> int:
    """The same, for loops that should not look at the engine again and again."""
    if before == UNKNOWN:
        return UNKNOWN
    if before == 0 and singles:
        return 1 + step
    number = table[_place(table, mask, (before << 32) | step)].number
    return number if number != 0 else UNKNOWN


@kernel
def add_submove(s: Any, before: int, step: int) -> int:
    """The same, and from now on it is known, if there is room in the table."""
    if before == UNKNOWN:
        return UNKNOWN
    if before == 0 and s.single_submoves:
        return 1 + step
    key = (before << 32) | step
    entry = submoves(s)[_place(submoves(s), s.submove_mask, key)]
    if entry.number == 0:
        if s.submove_count == s.submove_capacity:
            return UNKNOWN
        entry.key = key
        entry.number = s.submove_count
        s.submove_count += 1
    return entry.number


@kernel
def is_complete(chain: int, end: int) -> bool:
    """Whether a chain of a kind is complete at a step of the trace."""
    if chain == _MOVE:
        return end == _END_MOVE
    return chain == _PREFIX or end != _END_NOTHING


@kernel
def has_submoves(s: Any, count: int) -> bool:
    """Whether so many more have room; if not, but there could be, the iteration is to wait."""
    needed = s.submove_count + count
    if needed <= s.submove_capacity or needed > s.submove_limit:
        return True
    s.submove_needed = needed
    s.failure = NEEDS_SUBMOVES
    return False


@kernel
def find_all(s: Any, submove: int, steps: int, length: int) -> int:
    """The number of a submove and some steps more."""
    words = integers(steps)
    for i in range(length):
        submove = find_submove(s, submove, words[i])
    return submove


@kernel
def add_all(s: Any, submove: int, steps: int, length: int) -> int:
    """The same, and from now on it is known."""
    words = integers(steps)
    for i in range(length):
        submove = add_submove(s, submove, words[i])
    return submove


@kernel
def next_context(s: Any, submove: int, steps: int, length: int) -> int:
    """The context behind some steps; dots do not change it."""
    words = integers(steps)
    for i in range(length):
        if words[i] >= s.first_modifier:
            submove = add_submove(s, submove, words[i])
    return submove


@kernel
def copy_submoves(s: Any, to: Any) -> None:
    """Fill the empty, larger table of an engine with the submoves of another."""
    table = submoves(s)
    for place in range(s.submove_mask + 1):
        if table[place].number != 0:
            key = table[place].key
            entry = submoves(to)[_place(submoves(to), to.submove_mask, key)]
            entry.key = table[place].key
            entry.number = table[place].number
