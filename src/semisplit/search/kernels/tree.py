"""The tree: making edges, and moving them around.

An edge has a record in `edges`; with RAVE also an element and samples. Its steps are in the record
if it is only one, otherwise in `steps`.
"""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.candidates import candidate
from semisplit.search.kernels.kernel import copy_bytes, kernel
from semisplit.search.kernels.memory import (
    EDGE,
    MERIT,
    SAMPLES,
    edges,
    integers,
    levels,
    samples,
)
from semisplit.search.kernels.rave import element_of

_EDGE, _MERIT = EDGE.itemsize, MERIT.itemsize
_SAMPLES, _ESTIMATE = SAMPLES.itemsize, 4
_MAX_STEPS = 2**31 - 1
"""An edge has 32 bits for the place of its steps."""


@kernel
def tree_bytes(s: Any) -> int:
    """How much memory the tree takes."""
    return _edge_bytes(s) * s.edge_count + 4 * s.step_count


@kernel
def _edge_bytes(s: Any) -> int:
    known = (_SAMPLES + _ESTIMATE) * s.rave_records
    return _EDGE + _MERIT + known + (4 if s.rave_chain else 0)


@kernel
def has_room(s: Any, new_edges: int, new_steps: int) -> bool:
    """Whether the tree may grow by so much; if not, it has reached its limit for good."""
    growth = _edge_bytes(s) * new_edges + 4 * new_steps
    if tree_bytes(s) + growth > s.max_bytes or s.step_count + new_steps > _MAX_STEPS:
        s.full = 1
    return s.full == 0


@kernel
def add_edges(s: Any, number: int, level: int, submove: int) -> None:
    """Give a node the candidates of a level as its edges, none of them tried."""
    node, all_edges = edges(s)[number], edges(s)
    node.first = s.edge_count
    node.count = levels(s)[level].count
    node.tried = 0
    for i in range(node.count):
        steps, length = candidate(s, level, i)
        edge = all_edges[s.edge_count]
        edge.total = 0.0
        edge.visits = 0
        edge.first = -1
        edge.tried = 0
        if length == 1:
            edge.steps = integers(steps)[0]
        else:
            # In the buffer the number of steps is before them, as it shall be here.
            edge.steps = -1 - s.step_count
            copy_bytes(s.steps + 4 * s.step_count, steps - 4, 4 * (length + 1))
            s.step_count += length + 1
        if s.rave_chain:
            integers(s.elements)[s.edge_count] = element_of(s, s.edge_count, submove)
        for record in range(s.edge_count * s.rave_records, (s.edge_count + 1) * s.rave_records):
            samples(s.amaf)[record].total = 0.0
            samples(s.amaf)[record].weight = 0.0
        s.edge_count += 1


@kernel
def swap_edges(s: Any, a: int, b: int) -> None:
    """Exchange all that belongs to two edges."""
    if a == b:
        return
    _swap(s, s.edges, _EDGE, a, b)
    _swap(s, s.merits, _MERIT, a, b)
    if s.rave_records:
        _swap(s, s.amaf, _SAMPLES * s.rave_records, a, b)
        _swap(s, s.estimates, _ESTIMATE * s.rave_records, a, b)
    if s.rave_chain:
        _swap(s, s.elements, 4, a, b)


@kernel
def _swap(s: Any, address: int, size: int, a: int, b: int) -> None:
    copy_bytes(s.spare, address + a * size, size)
    copy_bytes(address + a * size, address + b * size, size)
    copy_bytes(address + b * size, s.spare, size)


@kernel
def copy_edges(s: Any, first: int, count: int, to: Any, place: int) -> None:
    """Copy all that belongs to some edges to a place in a tree, which may be the same."""
    copy_bytes(to.edges + place * _EDGE, s.edges + first * _EDGE, count * _EDGE)
    copy_bytes(to.merits + place * _MERIT, s.merits + first * _MERIT, count * _MERIT)
    if s.rave_records:
        size = _SAMPLES * s.rave_records
        copy_bytes(to.amaf + place * size, s.amaf + first * size, count * size)
        size = _ESTIMATE * s.rave_records
        copy_bytes(to.estimates + place * size, s.estimates + first * size, count * size)
    if s.rave_chain:
        copy_bytes(to.elements + place * 4, s.elements + first * 4, count * 4)
