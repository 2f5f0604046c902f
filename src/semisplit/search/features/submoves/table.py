"""The table of submoves of a tree, and MAST's samples of them."""

from __future__ import annotations

from semisplit.search.allocation.arrays import Arrays
from semisplit.search.allocation.common import Common
from semisplit.search.engine.layout import (
    SamplesRecord,
    SubmoveRecord,
    TreeRecord,
)
from semisplit.search.engine.toolkit.record import Array, f4, i8, size_of
from semisplit.search.features.submoves.kernels import copy_submoves

_FIRST = 1 << 16
"""Submoves that have room at first."""


class SubmoveTable:
    """Grows, between calls of kernels, while all else is as large as it may ever become."""

    def __init__(self, common: Common, tree: TreeRecord, arrays: Arrays):
        """Set up the part of a tree's record that belongs to the table."""
        self._tree = tree
        self._arrays = arrays
        for name in ("submoves", "submove_samples", "submove_scores"):
            arrays.allocate(name, 0)
        self._players = common.rules.players
        settings, codes = common.settings, common.rules.codes
        uses_singles = not settings.dense and (settings.mast.split or settings.rave.split)
        uses_table = settings.mast.submoves or settings.rave.submoves or uses_singles
        tree.submove_count = 1  # the empty one
        if not uses_table:
            tree.submove_limit = 1
            self._allocate(1)
            return
        if codes < _FIRST // 4:
            tree.single_submoves = codes
            tree.submove_count += codes
        known = size_of(SamplesRecord) + size_of(f4) + size_of(i8)
        entry = 2 * size_of(SubmoveRecord) + self._players * known
        tree.submove_limit = max(_FIRST, tree.max_bytes // entry)
        self._allocate(min(_FIRST, 1 << (4 * tree.submove_count).bit_length()))

    def _allocate(self, capacity: int) -> None:
        tree, arrays, count = self._tree, self._arrays, capacity * self._players
        arrays.enlarge("submove_samples", count)
        known = len(arrays["submove_scores"])
        arrays.enlarge("submove_scores", count)
        arrays["submove_scores"][known:] = 1.0
        old, new = arrays["submoves"], arrays.allocate("submoves", 2 * capacity)
        tree.submove_capacity, tree.submove_mask = capacity, len(new) - 1
        before, now = Array[SubmoveRecord](old), Array[SubmoveRecord](new)
        copy_submoves(before, len(old) - 1, now, len(new) - 1)

    def grow(self) -> None:
        """Make room for more submoves if many have come in, up to the limit."""
        tree = self._tree
        needed = max(2 * tree.submove_count, tree.submove_needed)
        if tree.submove_capacity < min(needed, tree.submove_limit):
            most = min(2 * needed, tree.submove_limit)
            self._allocate(1 << (most - 1).bit_length())
