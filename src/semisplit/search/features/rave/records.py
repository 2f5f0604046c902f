"""The memory of RAVE."""

from __future__ import annotations

from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f4,
    i4,
    i8,
    record,
    record_of,
)
from semisplit.search.features.rave.settings import Rave
from semisplit.search.features.submoves.records import SamplesRecord


@record_of(Rave)
class RaveRecord(ParameterRecord):
    """The parameters of RAVE, and what follows from them."""

    split: i8  # 1 if it knows single steps
    submoves: i8  # `KnownSubmoves`
    kinds: i8  # of samples of each edge: 0, 1, or 2, steps and submoves


@record
class RaveOfTree(Record):
    """What RAVE knows about the edges of a tree."""

    elements: Array[i4]  # the submove as which it knows each edge; 0 if there was no room for it
    samples: Array[SamplesRecord]  # `RaveRecord.kinds` for each edge
    means: Array[f4]  # the average scores of these


@record
class RaveOfWorker(Record):
    """What was played in an iteration, each with the number of the latest one.

    It is the worker's and not the tree's, as each worker has iterations of its own.
    """

    step_stamps: Array[i8]  # single steps, if `dense`, arranged like MAST's samples
    submove_stamps: Array[i8]  # submoves, in the same way
    estimates: Array[f4]  # those for the edges of a node, if they have to be looked for
