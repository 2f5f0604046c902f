"""Choosing among groups."""

from __future__ import annotations

from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.select import select_child
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.random import below
from semisplit.search.engine.tree import swap_edges
from semisplit.search.features.groups.records import (
    GROUP_THRESHOLD,
)

_GROUP = NodeKind.GROUP.value


@large_kernel
def choose_group(s: Workspace, node: int, player: int, root_log: float) -> int:
    """The group to go on with at a node: with equal probability at first, then by UCT."""
    here = s.tree.edges[node]
    if s.tree.full and not s.rules.choosers:
        # What has not been tried would lead to nothing that can be kept.
        if here.visits < _threshold(s, here.first):
            return here.first + below(s, here.tried)
        return select_child(s, node, player, root_log)
    if here.visits < _threshold(s, here.first):
        return draw_group(s, node)
    if here.tried < here.count:
        return _try_group(s, node, here.tried + below(s, here.count - here.tried))
    return select_child(s, node, player, root_log)


@kernel
def draw_group(s: Workspace, node: int) -> int:
    """One of the groups of a node, each as likely as the others."""
    return _try_group(s, node, below(s, s.tree.edges[node].count))


@kernel
def _try_group(s: Workspace, node: int, number: int) -> int:
    """A group of a node; if it has not been tried, it moves to the place after those that have."""
    here = s.tree.edges[node]
    if number < here.tried:
        return here.first + number
    swap_edges(s, here.first + number, here.first + here.tried)
    return here.first + here.tried


@kernel
def _threshold(s: Workspace, group: int) -> int:
    return s.tree.steps[-1 - s.tree.edges[group].steps + GROUP_THRESHOLD]


@kernel
def count_groups(s: Workspace) -> None:
    """Note which groups have been visited for the first time in an iteration."""
    edges, here = s.tree.edges, s.worker.path
    for i in range(s.worker.path_length):
        node, edge = edges[here[i].node], here[i].edge
        if edges[edge].kind == _GROUP and edge == node.first + node.tried:
            node.tried += 1
            s.tree.node_count += 1
