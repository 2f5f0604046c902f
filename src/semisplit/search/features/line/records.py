"""The memory of the best line."""

from __future__ import annotations

from semisplit.search.engine.records import TraceRecord
from semisplit.search.engine.toolkit.record import Array, Record, f8, i8, record, u8

MAX_LINE = 1 << 16
"""Steps of the longest line that is kept."""


@record
class LineOfTree(Record):
    """The best line found, in games of one player."""

    score: f8  # from 0 to 1; 0 if there is none, as then any line would do
    simulation: i8  # the number of the simulation that found it
    seed: u8  # that of the playout with which it ends, unless its steps are here
    length: i8
    steps: Array[TraceRecord]  # at most `MAX_LINE`
