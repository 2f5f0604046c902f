"""The memory of MAST, from Python's side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.toolkit.record import Array, fill_record, i4
from semisplit.search.features.feature import Feature
from semisplit.search.features.mast.kernels import decay_mast, mast_value
from semisplit.search.features.mast.settings import Decay

_BEHIND_MEANS = 64
"""Room that compiled games need after the average scores of steps."""


class MastFeature(Feature):
    """MAST."""

    def __init__(self, common: Common):
        super().__init__(common)
        mast, record = common.variant.mast, common.settings.mast
        if mast is None:
            return
        fill_record(record, mast)
        record.in_simulation, record.in_rest = True, common.variant.mast_in_rest
        record.split, record.submoves = common.coding.known(mast.variant)
        record.interval = {Decay.MOVE: 0, Decay.BATCH: mast.batch, Decay.SIMULATION: 1}[mast.decay]

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Make room for the samples of single steps."""
        tree.record.mast.scale = 1.0
        rules, settings = self.common.rules, self.common.settings
        if settings.mast.split and settings.dense:
            steps = rules.players * rules.codes
            tree.arrays.allocate("mast.step_samples", steps)
            tree.arrays.allocate("mast.step_means", steps + _BEHIND_MEANS)[:steps] = 1.0

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Let guided playouts of compiled games draw at random as often."""
        worker.context.epsilon = int(self.common.settings.mast.epsilon * 2**53)

    def play(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Forget a part of what was seen, if it is after moves that MAST forgets."""
        mast = self.common.variant.mast
        if mast and mast.decay == Decay.MOVE:
            decay_mast(worker.at(tree))

    def value(
        self, tree: TreeMemory, worker: WorkerMemory, player: int, codes: Sequence[int]
    ) -> float | None:
        """The average score of a move or of its beginning; None if MAST is not used."""
        if self.common.variant.mast is None:
            return None
        known = np.array(self.common.coding.encode(codes), "i4")
        return float(mast_value(worker.at(tree), player, 0, Array[i4](known), len(known)))
