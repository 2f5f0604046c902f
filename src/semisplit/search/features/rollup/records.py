"""The memory of roll-up."""

from __future__ import annotations

from semisplit.search.engine.toolkit.record import Array, Record, i4, i8, record


@record
class RollupOfWorker(Record):
    """Edges to be rolled up when no iteration is under way, each after its node."""

    pending: Array[i4]
    size: i8
    count: i8  # integers
