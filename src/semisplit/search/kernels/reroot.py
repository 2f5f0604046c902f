"""Keeping what is still of use of a tree after a move has been played."""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.kernel import copy_bytes, kernel
from semisplit.search.kernels.memory import Kind, edges, integers, nodes
from semisplit.search.kernels.tree import copy_edges

_INTERMEDIATE = Kind.INTERMEDIATE.value


@kernel
def copy_subtree(s: Any, to: Any, root: int, depths: int) -> None:
    """Copy what is below a node into an empty tree, level by level.

    The nodes that have been copied are at the same time the queue of those whose edges have not.

    Args:
        s: The old tree.
        to: The new one.
        root: The node in the old tree.
        depths: Where the depth of each node, in moves, can be kept.
    """
    depth = integers(depths)
    depth[_copy_node(s, to, root)] = 0
    done = 0
    while done < to.node_count:
        node = nodes(to)[done]
        done += 1
        if node.first < 0:
            continue
        first = to.edge_count
        copy_edges(s, node.first, node.count, to, first)
        to.edge_count += node.count
        node.first = first
        for number in range(first, first + node.count):
            edge = edges(to)[number]
            if edge.steps < 0:
                place = -1 - edge.steps
                size = integers(s.steps)[place] + 1
                copy_bytes(to.steps + 4 * to.step_count, s.steps + 4 * place, 4 * size)
                edge.steps = -1 - to.step_count
                to.step_count += size
            if edge.node >= 0:
                edge.node = _copy_node(s, to, edge.node)
                is_nodal = nodes(to)[edge.node].kind != _INTERMEDIATE
                depth[edge.node] = depth[done - 1] + is_nodal
                to.deepest = max(to.deepest, depth[edge.node])


@kernel
def _copy_node(s: Any, to: Any, number: int) -> int:
    """Copy a node; it still has the edges of the old tree."""
    old, new = nodes(s)[number], nodes(to)[to.node_count]
    new.first = old.first
    new.count = old.count
    new.tried = old.tried
    new.kind = old.kind
    to.node_count += 1
    return to.node_count - 1
