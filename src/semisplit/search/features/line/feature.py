"""The memory of the best line, from Python's side."""

from __future__ import annotations

from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.features.feature import Feature
from semisplit.search.features.line.records import MAX_LINE


class LineFeature(Feature):
    """The best line found, which `line.py` reads."""

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Make room for a line, where no other player keeps it from being played."""
        if self.common.rules.players == 1:
            tree.arrays.allocate("line.steps", MAX_LINE)
