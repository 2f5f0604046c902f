"""Roll-up: dissolving nodes that are fully expanded into the edges of their parents."""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.candidates import edge_steps
from semisplit.search.kernels.kernel import copy_bytes, kernel
from semisplit.search.kernels.memory import Kind, edges, integers, path
from semisplit.search.kernels.tree import copy_edges, has_room

_INTERMEDIATE = Kind.INTERMEDIATE.value


@kernel
def roll_up(s: Any) -> None:
    """ROLLUP for the nodes of an iteration, from the last to the first.

    Only they can have become ripe in it.
    """
    for i in range(s.path_length - 1, -1, -1):
        node, edge = path(s)[i].node, path(s)[i].edge
        if _is_ripe(s, edge):
            _dissolve(s, node, edge)


@kernel
def _is_ripe(s: Any, edge: int) -> bool:
    """Whether the node behind an edge is to be rolled up."""
    child = edges(s)[edge]
    if child.kind != _INTERMEDIATE or child.first < 0 or child.tried < child.count:
        return False
    if child.visits < s.msf * child.count:
        return False
    if s.min_difference == 0.0 or child.count == 1:
        return True
    low, high = 1.0, 0.0
    for below in range(child.first, child.first + child.count):
        mean = edges(s)[below].total / edges(s)[below].visits
        low, high = min(low, mean), max(high, mean)
    return high - low >= s.min_difference


@kernel
def _dissolve(s: Any, number: int, dissolved: int) -> None:
    """Replace an edge of a node by the edges behind it, with both edges' steps."""
    node, child = edges(s)[number], edges(s)[dissolved]
    steps, length = edge_steps(s, dissolved)
    if integers(steps)[length - 1] < s.first_modifier:
        length -= 1  # a dot within a move has no meaning
    new_steps = (length + 1) * child.count
    for below in range(child.first, child.first + child.count):
        new_steps += edge_steps(s, below)[1]
    count = node.count - 1 + child.count
    if count > s.candidate_size or not has_room(s, count, new_steps):
        return
    first, before = s.edge_count, dissolved - node.first
    copy_edges(s, node.first, before, s, first)
    copy_edges(s, child.first, child.count, s, first + before)
    copy_edges(s, dissolved + 1, node.count - before - 1, s, first + before + child.count)
    s.edge_count += count
    for edge in range(first + before, first + before + child.count):
        if length > 0:
            _prepend(s, edge, steps, length)
    node.first = first
    node.count = count
    node.tried += child.count - 1
    s.node_count -= 1


@kernel
def _prepend(s: Any, edge: int, steps: int, length: int) -> None:
    """Put steps before those of an edge."""
    own, own_length = edge_steps(s, edge)
    integers(s.steps)[s.step_count] = length + own_length
    to = s.steps + 4 * (s.step_count + 1)
    copy_bytes(to, steps, 4 * length)
    copy_bytes(to + 4 * length, own, 4 * own_length)
    edges(s)[edge].steps = -1 - s.step_count
    s.step_count += length + own_length + 1
