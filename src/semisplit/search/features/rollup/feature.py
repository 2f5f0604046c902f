"""The memory of roll-up, from Python's side."""

from __future__ import annotations

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.features.feature import Feature
from semisplit.search.features.rollup.kernels import roll_up_noted
from semisplit.search.parallel.records import Sharing

_MAX_PENDING = 1 << 16
"""Room for edges that are to be rolled up, in integers, an even number."""


class RollupFeature(Feature):
    """Roll-up: at once if a worker is alone, otherwise when no iteration is under way."""

    def __init__(self, common: Common):
        super().__init__(common)
        common.settings.rolls_up = common.variant.rolls_up

    @property
    def _waits(self) -> bool:
        settings = self.common.settings
        return bool(settings.rolls_up and settings.parallel.sharing != Sharing.ALONE)

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Make room for edges that have to wait."""
        if self._waits:
            worker.record.rollup.size = _MAX_PENDING
            worker.arrays.allocate("rollup.pending", _MAX_PENDING)

    def settle(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Roll up the edges that had to wait."""
        if self._waits:
            roll_up_noted(worker.at(tree))
