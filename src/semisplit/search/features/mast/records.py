"""The memory of MAST."""

from __future__ import annotations

from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f4,
    f8,
    i8,
    record,
    record_of,
)
from semisplit.search.features.mast.settings import Mast
from semisplit.search.features.submoves.records import SamplesRecord


@record_of(Mast)
class MastRecord(ParameterRecord):
    """The parameters of MAST, and what follows from them."""

    in_simulation: i8  # 1 if simulations are guided
    in_rest: i8  # 1 if the rest of a move that is begun in the tree is
    split: i8  # 1 if it knows single steps
    submoves: i8  # `KnownSubmoves`
    interval: i8  # simulations after which samples decay; 0 if that is not after simulations


@record
class MastOfTree(Record):
    """MAST's samples of a tree, which all of its workers gather together.

    Those of single steps are there if `SettingsRecord.dense`; those of a player lie together. Of
    each submove, those of all players lie together.
    """

    step_samples: Array[SamplesRecord]
    step_means: Array[f4]  # the average scores of these, 1 if there are none
    submove_samples: Array[SamplesRecord]
    submove_means: Array[f4]  # the average scores of these, 1 if there are none
    scale: f8  # the weight of a new sample
