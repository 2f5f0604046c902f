"""The memory of a proof: what is where.

Kernels get four records together, as `s`:

- `GameRecord`: the functions of the compiled game, and sizes. It never changes.
- `GoalRecord`: what is to be proven.
- `TableRecord`: what has been found out about positions, as far as there was room to keep it.
- `WorkerRecord`: the path from the root to where the search is, and counters.

A state is an array of words of 64 bits.
"""

from __future__ import annotations

from typing import NamedTuple

from semisplit.compiler.runtime.abi import Context
from semisplit.search.engine.toolkit.record import Array, Record, i4, i8, record

INFINITE = (1 << 20) - 1
"""A proof or disproof number of what is refuted or proven; others are smaller."""
MOST_DISTANCE = (1 << 12) - 1
"""Moves to the end of the game, as far as the table counts them."""
NEVER = 1 << 30
"""The level on which a disproof depends if it depends on none."""
ALWAYS = -1
"""The level on which a disproof depends that holds in no position: the search could not go on."""
DEAD, NODAL, ENDLESS = 1, 2, 4
"""Flags of children: it is a semimove that cannot be completed; it completes a move; its disproof
takes play without an end."""
SLOTS = 4
"""Positions that compete for room in the table: so many fit into a line of a cache."""

BUFFER_END = Context.FIELDS.index("buffer_end")
"""Where this is in a context."""
GOING_ON, DONE, FAILED = 0, 1, 2
"""How a call of `prove` ended: it made as many positions as it should, everything is proven, or a
limit of the game was hit."""
LONG_LIST = 100
"""The reason if a position has too many moves; others are those of compiled games."""


@record
class ChildRecord(Record):
    """What a move leads to."""

    key: i8
    check: i8
    proof: i4
    disproof: i4
    depends: i4  # the lowest level that its disproof depends on, NEVER or ALWAYS
    distance: i4  # moves to the end of the game, if it is proven or refuted
    flags: i4
    player: i4  # who decides there


@record
class FrameRecord(Record):
    """A position on the path."""

    key: i8
    check: i8
    begin: i8  # positions that had been made when the search came here
    first: i4  # its first child
    count: i4  # its children; -1 if they are not known yet
    attacks: i4  # 1 if the attacker decides
    proof_limit: i4
    disproof_limit: i4
    child: i4  # the one that is being searched


@record
class EntryRecord(Record):
    """An entry of the table."""

    check: i8  # 0 if it is empty
    data: i8  # see `pack`


@record
class GameRecord(Record):
    """What never changes."""

    # Addresses of functions of the compiled game (see `compiler.runtime.abi`):
    list: i8
    apply: i8
    apply_each: i8  # 0 if the game has none
    # How they are used:
    flat: i8  # 1 if only codes are listed
    list_whole: i8  # counts the moves that can be completed; 0 if that need not be asked
    writes_whole: i8  # 1 if it takes room for what it counts
    lanes: i8
    # States:
    state_words: i8
    key_words: i8  # so many of them say everything
    objective: i8  # where in a state, in integers, the score is that is fought for
    other_score: i8
    forgetful: Array[i4]  # 1 for each step, plus `first_step`, after which the square is forgotten
    first_step: i8
    steps: i8  # the size of this array
    # How to search:
    epsilon: i8  # times 256
    breadth: i8  # 1 if open children count
    # Limits:
    most_levels: i8
    most_children: i8  # on the whole path
    buffer_size: i8  # in integers
    max_work: i8


@record
class GoalRecord(Record):
    """What is to be proven: that the attacker gets the score to a threshold, or keeps it below."""

    threshold: i8
    attacker: i8  # a player, from 1
    raises: i8  # 1 if the score is to be the threshold or more
    salt: i8  # makes positions those of this goal


@record
class TableRecord(Record):
    """What has been found out about positions."""

    entries: Array[EntryRecord]
    mask: i8  # of the number of a group of slots, as far as they are in use
    whole_mask: i8
    used: i8  # entries in use
    replaced: i8  # those that had to make room for others


@record
class WorkerRecord(Record):
    """The search as it goes on."""

    context: Array[i8]
    frames: Array[FrameRecord]
    children: Array[ChildRecord]
    states: Array[i8]  # that of the root, then those of the children
    buffer: Array[i4]
    on_path: Array[i4]  # how many keys on the path end with these bits
    level: i8  # of the position that is being looked at
    nodes: i8  # positions that have been made
    looked_up: i8  # how often the table was asked
    failure: i8
    # What terminal positions were like:
    lowest_reached: i8  # the lowest score that was the threshold or more
    highest_below: i8  # and the highest below it
    lowest_sum: i8  # of both scores
    highest_sum: i8
    # The position to be proven, for its line:
    proof: i4
    disproof: i4
    distance: i4
    flags: i4
    depends: i4


class Workspace(NamedTuple):
    """What kernels get."""

    game: GameRecord
    goal: GoalRecord
    table: TableRecord
    worker: WorkerRecord
