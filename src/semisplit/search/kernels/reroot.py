"""Keeping what is still of use of a tree after a move has been played."""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.kernel import copy_bytes, kernel
from semisplit.search.kernels.memory import ROOT, Kind, edges, integers
from semisplit.search.kernels.tree import copy_edges

_INTERMEDIATE = Kind.INTERMEDIATE.value


@kernel
def copy_subtree(s: Any, to: Any, root: int, depths: int) -> None:
    """Copy a node and what is below it into a tree that is nothing but a root, level by level.

    The edges that have been copied are at the same time the queue of nodes whose edges have not.

    Args:
        s: The old tree.
        to: The new one.
        root: The node in the old tree.
        depths: Where the depth of each node, in moves, can be kept.
    """
    depth = integers(depths)
    copy_edges(s, root, 1, to, ROOT)
    depth[ROOT] = 0
    node = ROOT
    while node < to.edge_count:
        here = edges(to)[node]
        if here.first >= 0:
            first = to.edge_count
            copy_edges(s, here.first, here.count, to, first)
            here.first = first
            to.edge_count += here.count
            to.node_count += here.tried
            for edge in range(first, first + here.count):
                _copy_steps(s, to, edge)
                depth[edge] = depth[node] + (edges(to)[edge].kind != _INTERMEDIATE)
            for edge in range(first, first + here.tried):
                to.deepest = max(to.deepest, depth[edge])
        node += 1


@kernel
def _copy_steps(s: Any, to: Any, number: int) -> None:
    """Copy the steps of an edge that has several of them."""
    edge = edges(to)[number]
    if edge.steps < 0:
        place = -1 - edge.steps
        size = integers(s.steps)[place] + 1
        copy_bytes(to.steps + 4 * to.step_count, s.steps + 4 * place, 4 * size)
        edge.steps = -1 - to.step_count
        to.step_count += size
