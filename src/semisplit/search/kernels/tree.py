"""The tree: making edges, and moving them around.

An edge has a record in `edges` and one in `merits`; with RAVE also an element and samples. Its
steps are in the record if it is only one, otherwise in `steps`.
"""

from __future__ import annotations

from semisplit.search.kernels.candidates import candidate
from semisplit.search.kernels.kernel import copy_bytes, kernel
from semisplit.search.kernels.memory import (
    EdgeRecord,
    MeritRecord,
    NodeKind,
    SamplesRecord,
    SettingsRecord,
    TreeRecord,
    Workplace,
)
from semisplit.search.kernels.rave import element_of
from semisplit.search.kernels.record import address_of, f4, i4, size_of

_EDGE, _MERIT, _SAMPLES = size_of(EdgeRecord), size_of(MeritRecord), size_of(SamplesRecord)
_ESTIMATE, _ELEMENT, _STEP = size_of(f4), size_of(i4), size_of(i4)
_INTERMEDIATE = NodeKind.INTERMEDIATE.value
_MAX_STEPS = 2**31 - 1
"""An edge has 32 bits for the place of its steps."""


@kernel
def tree_bytes(settings: SettingsRecord, tree: TreeRecord) -> int:
    """How much memory a tree takes."""
    return _edge_bytes(settings) * tree.edge_count + _STEP * tree.step_count


@kernel
def _edge_bytes(settings: SettingsRecord) -> int:
    known = (_SAMPLES + _ESTIMATE) * settings.rave_records
    return _EDGE + _MERIT + known + (_ELEMENT if settings.rave_submoves else 0)


@kernel
def has_room(s: Workplace, new_edges: int, new_steps: int) -> bool:
    """Whether the tree may grow by so much; if not, it has reached its limit for good."""
    growth = _edge_bytes(s.settings) * new_edges + _STEP * new_steps
    is_large = tree_bytes(s.settings, s.tree) + growth > s.tree.max_bytes
    if is_large or s.tree.step_count + new_steps > _MAX_STEPS:
        s.tree.full = 1
    return s.tree.full == 0


@kernel
def add_edges(s: Workplace, number: int, level: int, begin: int, count: int, submove: int) -> None:
    """Give a node some candidates of a level as its edges, none of them tried."""
    tree, node = s.tree, s.tree.edges[number]
    node.first = tree.edge_count
    node.count = count
    node.tried = 0
    for i in range(begin, begin + count):
        steps, length = candidate(s, level, i)
        if length == 1:
            clear_edge(s, tree.edge_count, steps[0])
        else:
            # In the buffer the number of steps is before them, as it shall be here.
            clear_edge(s, tree.edge_count, -1 - tree.step_count)
            to = address_of(tree.steps, tree.step_count)
            copy_bytes(to, address_of(steps, -1), _STEP * (length + 1))
            tree.step_count += length + 1
        if s.settings.rave_submoves:
            tree.elements[tree.edge_count] = element_of(s, tree.edge_count, submove)
        tree.edge_count += 1


@kernel
def clear_edge(s: Workplace, number: int, steps: int) -> None:
    """Make an edge that has not been visited; its steps are given as in the record."""
    edge, records = s.tree.edges[number], s.settings.rave_records
    edge.total = 0.0
    edge.visits = 0
    edge.steps = steps
    edge.first = -1
    edge.tried = 0
    edge.kind = _INTERMEDIATE
    for record in range(number * records, (number + 1) * records):
        s.tree.amaf[record].total = 0.0
        s.tree.amaf[record].weight = 0.0


@kernel
def swap_edges(s: Workplace, a: int, b: int) -> None:
    """Exchange all that belongs to two edges."""
    if a == b:
        return
    tree, records = s.tree, s.settings.rave_records
    _swap(s, address_of(tree.edges, 0), _EDGE, a, b)
    _swap(s, address_of(tree.merits, 0), _MERIT, a, b)
    if records:
        _swap(s, address_of(tree.amaf, 0), _SAMPLES * records, a, b)
        _swap(s, address_of(tree.estimates, 0), _ESTIMATE * records, a, b)
    if s.settings.rave_submoves:
        _swap(s, address_of(tree.elements, 0), _ELEMENT, a, b)


@kernel
def _swap(s: Workplace, address: int, size: int, a: int, b: int) -> None:
    copy_bytes(s.worker.spare, address + a * size, size)
    copy_bytes(address + a * size, address + b * size, size)
    copy_bytes(address + b * size, s.worker.spare, size)


@kernel
def copy_edges(
    settings: SettingsRecord, tree: TreeRecord, first: int, count: int, to: TreeRecord, place: int
) -> None:
    """Copy all that belongs to some edges to a place in a tree, which may be the same."""
    edges, merits = address_of(tree.edges, first), address_of(tree.merits, first)
    copy_bytes(address_of(to.edges, place), edges, count * _EDGE)
    copy_bytes(address_of(to.merits, place), merits, count * _MERIT)
    if settings.rave_submoves:
        elements = address_of(tree.elements, first)
        copy_bytes(address_of(to.elements, place), elements, count * _ELEMENT)
    records = settings.rave_records
    if records:
        amaf = address_of(tree.amaf, first * records)
        copy_bytes(address_of(to.amaf, place * records), amaf, count * records * _SAMPLES)
        estimates = address_of(tree.estimates, first * records)
        size = count * records * _ESTIMATE
        copy_bytes(address_of(to.estimates, place * records), estimates, size)
