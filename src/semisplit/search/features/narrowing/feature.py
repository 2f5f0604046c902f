"""The memory of a narrowed search, from Python's side."""

from __future__ import annotations

from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.features.feature import Feature
from semisplit.search.features.narrowing.records import MAX_NARROWED, NARROWED_SIZE


class NarrowingFeature(Feature):
    """Notes about nodes that are narrowed; `narrowing.py` begins and ends it."""

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Make room for notes."""
        tree.arrays.allocate("narrowing.nodes", MAX_NARROWED * NARROWED_SIZE)

    def clear(self, tree: TreeMemory) -> None:
        """Forget the notes."""
        tree.record.narrowing.count = 0
