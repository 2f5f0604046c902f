"""Finding the node after a move, and keeping what is below it when the move has been played."""

from __future__ import annotations

from semisplit.search.engine.candidates import edge_steps
from semisplit.search.engine.layout import ROOT, RulesRecord, SettingsRecord, TreeRecord, Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.kernel import copy_bytes, kernel
from semisplit.search.engine.toolkit.record import Array, address_of, i4, size_of
from semisplit.search.engine.tree import copy_edges
from semisplit.search.features.groups.records import GROUP_SIZE

_INTERMEDIATE, _NODAL, _TERMINAL, _CHOOSER, _GROUP = (kind.value for kind in list(NodeKind)[:5])
_STEP = size_of(i4)


@kernel
def find_node(s: Workspace, steps: Array[i4], length: int) -> int:
    """The node that the steps of a move lead to from the root; -1 if there is none.

    Nodes whose edges are still to be looked at wait where an iteration has its way, each with the
    number of steps that have been made before it.
    """
    edges, waiting, count = s.tree.edges, s.worker.path, 1
    waiting[0].node = ROOT
    waiting[0].trace = 0
    while count > 0:
        count -= 1
        node, made = waiting[count].node, waiting[count].trace
        first = edges[node].first
        for edge in range(first, first + edges[node].tried):
            reached = _follow(s, edge, steps, made, length)
            if reached < 0 or edges[edge].visits == 0:
                continue
            if edges[edge].kind == _INTERMEDIATE or edges[edge].kind == _GROUP:
                waiting[count].node = edge
                waiting[count].trace = reached
                count += 1
            elif reached == length:
                return edge
    return -1


@kernel
def _follow(s: Workspace, edge: int, steps: Array[i4], made: int, length: int) -> int:
    """How many steps have been made after an edge; -1 if it does not go on with them."""
    own, count = edge_steps(s, edge)
    for i in range(count):
        step = own[i]
        if step < s.rules.silent:
            continue
        if made == length or step != steps[made]:
            return -1
        made += 1
    return made


@kernel
def copy_subtree(
    rules: RulesRecord,
    settings: SettingsRecord,
    tree: TreeRecord,
    to: TreeRecord,
    root: int,
    depths: Array[i4],
) -> None:
    """Copy a node and what is below it into a tree that is nothing but a root, level by level.

    The edges that have been copied are at the same time the queue of nodes whose edges have not.

    Args:
        rules: Say what lies after the edges of a nodal node.
        settings: Tell what belongs to an edge.
        tree: The old tree.
        to: The new one.
        root: The node in the old tree.
        depths: Where the depth of each node, in moves, can be kept.
    """
    copy_edges(settings, tree, root, 1, to, ROOT)
    depths[ROOT] = 0
    node = ROOT
    while node < to.edge_count:
        here = to.edges[node]
        if here.first >= 0:
            first = to.edge_count
            count = here.count + (rules.choosers if here.kind == _NODAL else 0)
            copy_edges(settings, tree, here.first, count, to, first)
            here.first = first
            to.edge_count += count
            for edge in range(first, first + count):
                _copy_steps(tree, to, edge)
                kind = to.edges[edge].kind
                depths[edge] = depths[node] + (kind != _INTERMEDIATE and kind != _GROUP)
            for edge in range(first, first + (0 if here.kind == _CHOOSER else here.tried)):
                if to.edges[edge].visits > 0:
                    to.node_count += 1
                    to.deepest = max(to.deepest, depths[edge])
        node += 1


@kernel
def _copy_steps(tree: TreeRecord, to: TreeRecord, number: int) -> None:
    """Copy the steps of an edge that has several of them, or what a group has there."""
    edge = to.edges[number]
    if edge.steps < 0:
        place = -1 - edge.steps
        count = GROUP_SIZE if edge.kind == _GROUP else tree.steps[place] + 1
        steps = address_of(tree.steps, place)
        copy_bytes(address_of(to.steps, to.step_count), steps, _STEP * count)
        edge.steps = -1 - to.step_count
        to.step_count += count
