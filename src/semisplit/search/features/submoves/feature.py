"""The table of submoves of a tree, from Python's side."""

from __future__ import annotations

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.toolkit.record import Array, f4, i8, size_of
from semisplit.search.features.feature import Feature
from semisplit.search.features.submoves.kernels import copy_submoves
from semisplit.search.features.submoves.records import KnownSubmoves, SamplesRecord, SubmoveRecord

_FIRST = 1 << 16
"""Submoves that have room at first."""


class SubmovesFeature(Feature):
    """The table grows between calls of kernels; all else is as large as it may ever become."""

    def __init__(self, common: Common):
        super().__init__(common)
        known = common.settings.mast.submoves, common.settings.rave.submoves
        common.settings.contexts = KnownSubmoves.PREFIXES in known

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Make a table, as large as the game asks for at first."""
        for name in ("submoves.table", "mast.submove_samples", "mast.submove_means"):
            tree.arrays.allocate(name, 0)
        settings, codes = self.common.settings, self.common.rules.codes
        uses_singles = not settings.dense and (settings.mast.split or settings.rave.split)
        uses_table = settings.mast.submoves or settings.rave.submoves or uses_singles
        record = tree.record.submoves
        record.count = 1  # the empty one
        if not uses_table:
            record.limit = 1
            self._allocate(tree, 1)
            return
        if codes < _FIRST // 4:
            record.singles = codes
            record.count += codes
        known = size_of(SamplesRecord) + size_of(f4) + size_of(i8)
        entry = 2 * size_of(SubmoveRecord) + self.common.rules.players * known
        record.limit = max(_FIRST, tree.record.max_bytes // entry)
        self._allocate(tree, min(_FIRST, 1 << (4 * record.count).bit_length()))

    def _allocate(self, tree: TreeMemory, capacity: int) -> None:
        arrays, count = tree.arrays, capacity * self.common.rules.players
        arrays.enlarge("mast.submove_samples", count)
        known = len(arrays["mast.submove_means"])
        arrays.enlarge("mast.submove_means", count)
        arrays["mast.submove_means"][known:] = 1.0
        old, new = arrays["submoves.table"], arrays.allocate("submoves.table", 2 * capacity)
        record = tree.record.submoves
        record.capacity, record.mask = capacity, len(new) - 1
        before, now = Array[SubmoveRecord](old), Array[SubmoveRecord](new)
        copy_submoves(before, len(old) - 1, now, len(new) - 1)

    def settle(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Make room for more submoves if many have come in, up to the limit."""
        record = tree.record.submoves
        needed = max(2 * record.count, record.needed)
        if record.capacity < min(needed, record.limit):
            most = min(2 * needed, record.limit)
            self._allocate(tree, 1 << (most - 1).bit_length())
