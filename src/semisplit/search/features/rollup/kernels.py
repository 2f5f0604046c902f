"""Roll-up: dissolving nodes that are fully expanded into the edges of their parents."""

from __future__ import annotations

from semisplit.search.engine.candidates import edge_steps
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.kernel import copy_bytes, kernel
from semisplit.search.engine.toolkit.record import Array, address_of, i4, size_of
from semisplit.search.engine.tree import copy_edges, has_room
from semisplit.search.parallel.records import Sharing

_INTERMEDIATE, _MOVED = NodeKind.INTERMEDIATE.value, NodeKind.MOVED.value
_ALONE, _STEP = Sharing.ALONE.value, size_of(i4)


@kernel
def roll_up(s: Workspace) -> None:
    """ROLLUP for the nodes of an iteration, from the last to the first.

    Only they can have become ripe in it.
    """
    worker = s.worker
    if not s.settings.rolls_up:
        return
    for i in range(worker.path_length - 1, -1, -1):
        node, edge = worker.path[i].node, worker.path[i].edge
        if not _is_ready(s, edge):
            continue
        if s.settings.parallel.sharing == _ALONE:
            _dissolve(s, node, edge)
        elif worker.rollup.count < worker.rollup.size:
            worker.rollup.pending[worker.rollup.count] = node
            worker.rollup.pending[worker.rollup.count + 1] = edge
            worker.rollup.count += 2


@kernel
def roll_up_noted(s: Workspace) -> None:
    """Roll up what a worker has noted down, now that no iteration is under way.

    What has got another number since will be noted down again.
    """
    edges, worker = s.tree.edges, s.worker
    for i in range(0, worker.rollup.count, 2):
        node, edge = worker.rollup.pending[i], worker.rollup.pending[i + 1]
        if edges[node].kind != _MOVED and edges[edge].kind != _MOVED:
            _dissolve(s, node, edge)
    worker.rollup.count = 0


@kernel
def _is_ready(s: Workspace, edge: int) -> bool:
    """Whether the node after an edge is to be rolled up."""
    child = s.tree.edges[edge]
    if child.kind != _INTERMEDIATE or child.first < 0 or child.tried < child.count:
        return False
    if child.visits < s.settings.min_simulations_factor * child.count:
        return False
    if s.settings.min_score_difference == 0.0 or child.count == 1:
        return True
    low, high = 1.0, 0.0
    for below in range(child.first, child.first + child.count):
        mean = s.tree.edges[below].total / max(1, s.tree.edges[below].visits)
        low, high = min(low, mean), max(high, mean)
    return high - low >= s.settings.min_score_difference


@kernel
def _dissolve(s: Workspace, number: int, dissolved: int) -> None:
    """Replace an edge of a node by the edges after it, with both edges' steps."""
    settings, tree = s.settings, s.tree
    node, child = tree.edges[number], tree.edges[dissolved]
    steps, length = edge_steps(s, dissolved)
    if steps[length - 1] < s.rules.silent:
        length -= 1  # a split point within a move has no meaning
    new_steps = (length + 1) * child.count
    for below in range(child.first, child.first + child.count):
        new_steps += edge_steps(s, below)[1]
    count = node.count - 1 + child.count
    if count > s.worker.lists.size or not has_room(s, count, new_steps):
        return
    first, before = tree.edge_count, dissolved - node.first
    after = first + before + child.count
    copy_edges(settings, tree, node.first, before, tree, first)
    copy_edges(settings, tree, child.first, child.count, tree, first + before)
    copy_edges(settings, tree, dissolved + 1, node.count - before - 1, tree, after)
    tree.edge_count += count
    for edge in range(first + before, after):
        if length > 0:
            _prepend(s, edge, steps, length)
    if settings.parallel.sharing != _ALONE:
        for edge in range(node.first, node.first + node.count):
            tree.edges[edge].kind = _MOVED
        for edge in range(child.first, child.first + child.count):
            tree.edges[edge].kind = _MOVED
    node.first = first
    node.count = count
    node.tried += child.count - 1
    tree.node_count -= 1


@kernel
def _prepend(s: Workspace, edge: int, steps: Array[i4], length: int) -> None:
    """Put steps before those of an edge."""
    tree = s.tree
    own, own_length = edge_steps(s, edge)
    tree.steps[tree.step_count] = length + own_length
    to = address_of(tree.steps, tree.step_count + 1)
    copy_bytes(to, address_of(steps, 0), _STEP * length)
    copy_bytes(to + _STEP * length, address_of(own, 0), _STEP * own_length)
    tree.edges[edge].steps = -1 - tree.step_count
    tree.step_count += length + own_length + 1
