"""The tree: making edges, and moving them around.

An edge has a record in `edges` and one in `uct_terms`, and what features keep for it. Its steps are
in the record if it is only one, otherwise in `steps`.
"""

from __future__ import annotations

from semisplit.search.engine.candidates import candidate
from semisplit.search.engine.layout import SettingsRecord, TreeRecord, Workspace
from semisplit.search.engine.records import EdgeRecord, NodeKind, UctTermsRecord
from semisplit.search.engine.share import ROOM_LOCK, lock_at
from semisplit.search.engine.toolkit.atomic import lock, publish_i4, unlock
from semisplit.search.engine.toolkit.elements import copy_elements, swap_elements
from semisplit.search.engine.toolkit.kernel import copy_bytes, kernel, large_kernel
from semisplit.search.engine.toolkit.record import address_of, i4, offset_of, size_of
from semisplit.search.features.edges import (
    clear_features,
    copy_features,
    describe_edge,
    feature_bytes,
    swap_features,
)
from semisplit.search.parallel.records import Sharing

_EDGE, _TERMS, _STEP = size_of(EdgeRecord), size_of(UctTermsRecord), size_of(i4)
_INTERMEDIATE, _FREE = NodeKind.INTERMEDIATE.value, Sharing.FREE.value
_FIRST = offset_of(EdgeRecord, "first")
_STOCK = 16
"""A worker that needs room for a node takes that of so many, so that it seldom has to ask."""
_MAX_STEPS = 2**31 - 1
"""An edge has 32 bits for the place of its steps."""


@kernel
def tree_bytes(settings: SettingsRecord, tree: TreeRecord) -> int:
    """How much memory a tree takes."""
    return _edge_bytes(settings) * tree.edge_count + _STEP * tree.step_count


@kernel
def _edge_bytes(settings: SettingsRecord) -> int:
    return _EDGE + _TERMS + feature_bytes(settings)


@kernel
def has_room(s: Workspace, new_edges: int, new_steps: int) -> bool:
    """Whether the tree may grow by so much; if not, it has reached its limit for good."""
    if not _fits(s, new_edges, new_steps):
        s.tree.full = 1
    return s.tree.full == 0


@kernel
def _fits(s: Workspace, new_edges: int, new_steps: int) -> bool:
    growth = _edge_bytes(s.settings) * new_edges + _STEP * new_steps
    is_large = tree_bytes(s.settings, s.tree) + growth > s.tree.max_bytes
    return not is_large and s.tree.step_count + new_steps <= _MAX_STEPS


@kernel
def take_room(s: Workspace, new_edges: int, new_steps: int) -> bool:
    """Whether the tree may grow by so much; in a tree of several threads, take the room as well."""
    if s.settings.parallel.sharing != _FREE:
        return has_room(s, new_edges, new_steps)
    return _take_room(s, new_edges, new_steps)


@large_kernel
def _take_room(s: Workspace, new_edges: int, new_steps: int) -> bool:
    """Take it from the worker's stock; what that has left is lost if it is not enough."""
    tree, worker = s.tree, s.worker
    fits = worker.room.edge_top + new_edges <= worker.room.edge_end
    fits &= worker.room.step_top + new_steps <= worker.room.step_end
    if fits and worker.room.generation == tree.generation:
        return tree.full == 0
    lock(lock_at(s, ROOM_LOCK))
    edges, steps = _STOCK * new_edges, _STOCK * new_steps
    if not _fits(s, edges, steps):
        edges, steps = new_edges, new_steps
    granted = has_room(s, edges, steps)
    if granted:
        worker.room.generation = tree.generation
        worker.room.edge_top, worker.room.step_top = tree.edge_count, tree.step_count
        tree.edge_count += edges
        tree.step_count += steps
        worker.room.edge_end, worker.room.step_end = tree.edge_count, tree.step_count
    unlock(lock_at(s, ROOM_LOCK))
    return granted


@kernel
def room_for_steps(s: Workspace, base: int, levels: int) -> int:
    """The room that steps need if the candidates of some levels become edges."""
    if s.settings.parallel.sharing != _FREE:
        return s.worker.lists.buffer_top  # That is enough, and what is not needed is not used.
    return _count_steps(s, base, levels)


@large_kernel
def _count_steps(s: Workspace, base: int, levels: int) -> int:
    needed = 0
    for level in range(base, base + levels):
        for i in range(s.worker.levels[level].count):
            _, length = candidate(s, level, i)
            needed += length + 1 if length > 1 else 0
    return needed


@kernel
def add_edges(s: Workspace, number: int, level: int, begin: int, count: int, submove: int) -> None:
    """Give a node some candidates of a level as its edges, none of them tried."""
    tree, worker, node = s.tree, s.worker, s.tree.edges[number]
    shared = s.settings.parallel.sharing == _FREE
    edge, step = tree.edge_count, tree.step_count
    if shared:
        edge, step = worker.room.edge_top, worker.room.step_top
    first = edge
    for i in range(begin, begin + count):
        steps, length = candidate(s, level, i)
        if length == 1:
            clear_edge(s, edge, steps[0])
        else:
            # In the buffer the number of steps is before them, as it shall be here.
            clear_edge(s, edge, -1 - step)
            copy_bytes(address_of(tree.steps, step), address_of(steps, -1), _STEP * (length + 1))
            step += length + 1
        describe_edge(s, edge, submove)
        edge += 1
    if shared:
        worker.room.edge_top, worker.room.step_top = edge, step
    else:
        tree.edge_count, tree.step_count = edge, step
    node.count = count
    node.tried = 0
    publish_i4(address_of(tree.edges, number) + _FIRST, first)


@kernel
def clear_edge(s: Workspace, number: int, steps: int) -> None:
    """Make an edge that has not been visited; its steps are given as in the record."""
    edge = s.tree.edges[number]
    edge.total = 0.0
    edge.visits = 0
    edge.steps = steps
    edge.first = -1
    edge.tried = 0
    edge.kind = _INTERMEDIATE
    clear_features(s, number)


@kernel
def swap_edges(s: Workspace, a: int, b: int) -> None:
    """Exchange all that belongs to two edges."""
    if a == b:
        return
    tree, spare = s.tree, s.worker.swap_space
    swap_elements(address_of(tree.edges, 0), _EDGE, a, b, spare)
    swap_elements(address_of(tree.uct_terms, 0), _TERMS, a, b, spare)
    swap_features(s, a, b)


@kernel
def copy_edges(
    settings: SettingsRecord, tree: TreeRecord, first: int, count: int, to: TreeRecord, place: int
) -> None:
    """Copy all that belongs to some edges to a place in a tree, which may be the same."""
    edges, to_edges = address_of(tree.edges, 0), address_of(to.edges, 0)
    copy_elements(edges, _EDGE, first, count, to_edges, place)
    uct_terms, to_terms = address_of(tree.uct_terms, 0), address_of(to.uct_terms, 0)
    copy_elements(uct_terms, _TERMS, first, count, to_terms, place)
    copy_features(settings, tree, first, count, to, place)
