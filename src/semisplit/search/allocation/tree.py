"""A tree: its nodes, and what has been learnt while it grew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from semisplit.compiler.runtime.scratch import apart
from semisplit.core.errors import InputError
from semisplit.core.steps import Steps
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree_pool import give_back, take
from semisplit.search.engine.layout import ROOT, TreeRecord
from semisplit.search.engine.records import EdgeRecord, NodeKind, UctTermsRecord
from semisplit.search.engine.subtree import copy_subtree
from semisplit.search.engine.toolkit.lanes import LANES
from semisplit.search.engine.toolkit.record import (
    Array,
    copy_of,
    i4,
    record_apart,
    size_of,
)
from semisplit.search.engine.tree import tree_bytes


class TreeMemory:
    """The record of a tree, and the arrays that it points to.

    They are as long as they may ever become: what is not used is not there. Only the table of
    submoves grows.
    """

    def __init__(self, common: Common, max_bytes: int):
        """Make a tree that is nothing but a root.

        Args:
            common: The game and the settings.
            max_bytes: How much memory nodes may take, and the table of submoves as well.
        """
        self.common = common
        self.record = record_apart(TreeRecord)
        self.record.max_bytes = max_bytes
        self.arrays = Arrays(self.record)
        """What it keeps from move to move."""
        self._nodes: dict[str, NDArray[Any]] = {}
        finalize(self, give_back, self._nodes)
        self.arrays.put("root", apart(common.rules.state_bytes))
        self._columns = {"edges": 1, "uct_terms": 1}
        """The arrays that have entries for each edge, and how many."""
        for feature in common.features:
            self._columns |= feature.columns()
            feature.prepare_tree(self)
        self.clear()

    def clear(self) -> None:
        """Forget all nodes but the root."""
        if not self._nodes:
            self._install(self._new_nodes())
        tree = self.record
        tree.generation += 1
        tree.step_count = tree.full = tree.deepest = 0
        tree.node_count = tree.edge_count = 1
        self.edges[ROOT] = (0.0, 0, 0, -1, 0, 0, NodeKind.NODAL)
        for feature in self.common.features:
            feature.clear(self)

    def _new_nodes(self) -> dict[str, NDArray[Any]]:
        """Arrays as large as the memory limit allows."""
        tree, kind = self.record, self.arrays.kind
        # One leads to the root, and vectors may reach beyond the last.
        edges = tree.max_bytes // (size_of(EdgeRecord) + size_of(UctTermsRecord)) + 1 + LANES
        counts = {name: edges * width for name, width in self._columns.items()}
        counts["steps"] = tree.max_bytes // size_of(i4) + 1
        try:
            return {name: take(count, kind(name)) for name, count in counts.items()}
        except MemoryError:
            raise InputError(
                f"there is no room for a tree of {tree.max_bytes / 2**20:.0f} MiB;"
                " give the search less memory"
            ) from None

    def _install(self, nodes: dict[str, NDArray[Any]]) -> None:
        self._nodes.update(nodes)
        for name, array in nodes.items():
            self.arrays.put(name, array)

    def keep_subtree(self, node: int) -> None:
        """Make a node the root and forget all that is not below it.

        While it is copied there are two trees. If there is no room for that, all is forgotten.
        """
        try:
            new = self._new_nodes()
        except InputError:
            self.clear()
            return
        old, nodes = copy_of(self.record), dict(self._nodes)
        depths = Array[i4](np.empty(old.edge_count, "i4"))
        self._install(new)
        self.clear()
        copy_subtree(self.common.rules, self.common.settings, old, self.record, node, depths)
        give_back(nodes)

    def set_root(self, state: bytes, previous: Steps = ()) -> None:
        """Let iterations begin in a state, to which a move led if there was one before it."""
        self.arrays["root"][:] = np.frombuffer(state, "u1")
        for feature in self.common.features:
            feature.set_root(self, previous)

    def reorder(self, first: int, order: Sequence[int]) -> None:
        """Give some edges that lie together another order, by their numbers from the first."""
        for name, width in self._columns.items():
            part = self._nodes[name][first * width : (first + len(order)) * width]
            part[:] = part.reshape(len(order), width)[np.array(order, int)].ravel()

    @property
    def used_bytes(self) -> int:
        """The memory that nodes take."""
        return int(tree_bytes(self.common.settings, self.record))

    @property
    def edges(self) -> NDArray[Any]:
        """The edges, and the nodes they lead to."""
        return self._nodes["edges"]

    @property
    def uct_terms(self) -> NDArray[Any]:
        """What selection needs of each edge."""
        return self._nodes["uct_terms"]

    def codes(self, edge: int) -> list[int]:
        """The codes of an edge."""
        steps, several = int(self.edges[edge]["steps"]), self._nodes["steps"]
        if steps >= 0:
            return [steps]
        place = -1 - steps
        codes: list[int] = several[place + 1 : place + 1 + several[place]].tolist()
        return codes
