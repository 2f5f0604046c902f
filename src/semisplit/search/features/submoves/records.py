"""The memory of statistics of submoves: the table of their numbers, and samples."""

from __future__ import annotations

from enum import IntEnum

from semisplit.search.engine.toolkit.record import Array, Record, f8, i8, record


class KnownSubmoves(IntEnum):
    """The submoves, sequences of steps, that MAST or RAVE know besides single steps."""

    NONE = 0
    PREFIXES = 1
    """Every beginning of a move: the context variants."""
    MOVES = 2
    """Whole moves."""
    SEMIMOVES = 3
    """Whole semimoves."""


@record
class SamplesRecord(Record):
    """What MAST and RAVE know about something.

    The quotient, the average score, is in an array of its own, where many are looked up.
    """

    total: f8  # the sum of weight * score, scores from 0 to 1
    weight: f8  # the sum of weights; samples of RAVE and first samples of MAST weigh 1


@record
class SubmoveRecord(Record):
    """An entry of the table of submoves."""

    key: i8  # the number of the submove without its last step, times 2^32, plus that step's code
    number: i8  # 0 if the entry is empty


@record
class SubmovesOfTree(Record):
    """The table of submoves, whose entries are at most half of it."""

    table: Array[SubmoveRecord]
    mask: i8  # the size of the table, a power of two, minus 1
    count: i8  # submoves that have numbers, the empty one included
    capacity: i8  # submoves that there is room for
    limit: i8  # how many that may become
    needed: i8  # the number of submoves for which an iteration waits
    singles: i8  # numbers from 1 on that single steps have without the table
