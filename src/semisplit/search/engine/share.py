"""Several iterations at a time in one tree, of several threads or of one that makes a batch.

An iteration claims its way when it has been selected: each edge counts it as `loss` visits without
a score, so that others rather go elsewhere. When the scores are there, they take the place of that.

With `Sharing.LOCKED` one lock is around all of it but the simulation. With `Sharing.FREE` threads
go down the tree at the same time:

- Edges that have been tried stay where they are, and what lies from a node's `first` on and
  below its `tried` is complete before these numbers say so. So selection needs no lock.
- To give edges to a node, to try one of them or to remove one, a thread takes the node's lock. No
  thread waits for it: if it is taken, the thread goes on with what has been tried, or simulates.
- Visits, scores and samples are added up by atomic operations. What is computed of them for
  selection may be late by what others have added in the same moment. Nodes and simulations are
  counted by each worker.
- Room in the tree, numbers of submoves and the best line have a lock each, for a few instructions.
- Edges are rolled up when no iteration is under way; until then they are noted down.
"""

from __future__ import annotations

import math

import numpy as np

from semisplit.search.engine.layout import ROOT, TreeRecord, Workspace
from semisplit.search.engine.records import LINE, EdgeRecord
from semisplit.search.engine.toolkit.atomic import (
    add_f8,
    add_i4,
    lock,
    raise_i8,
    try_lock,
    unlock,
)
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.lanes import prefetch_to_write
from semisplit.search.engine.toolkit.record import (
    address_of,
    address_of_record,
    i4,
    offset_of,
    size_of,
)
from semisplit.search.parallel.records import Sharing

_ALONE, _FREE, _LOCKED = (sharing.value for sharing in Sharing)
_TOTAL, _VISITS = offset_of(EdgeRecord, "total"), offset_of(EdgeRecord, "visits")
_DEEPEST = offset_of(TreeRecord, "deepest")
_APART = LINE // size_of(i4)
"""Locks lie in lines of their own."""
TREE_LOCK, ROOM_LOCK, SUBMOVE_LOCK, LINE_LOCK, _NODE_LOCKS = range(5)
_NODES = 1 << 10
"""Locks for nodes, a power of two; several nodes have the same."""
LOCKS_SIZE = (_NODE_LOCKS + _NODES) * _APART
"""The length of `TreeRecord.locks`."""


@kernel
def lock_at(s: Workspace, number: int) -> int:
    """The address of a lock."""
    return address_of(s.tree.locks, number * _APART)


@kernel
def node_lock(s: Workspace, node: int) -> int:
    """The address of the lock of a node."""
    return lock_at(s, _NODE_LOCKS + (node & (_NODES - 1)))


@kernel
def take_tree(s: Workspace) -> None:
    """Wait until no other worker is at the tree, if they take turns."""
    if s.settings.parallel.sharing == _LOCKED:
        wait_for(s, TREE_LOCK)


@large_kernel
def wait_for(s: Workspace, number: int) -> None:
    """Take a lock."""
    lock(lock_at(s, number))


@kernel
def leave_tree(s: Workspace) -> None:
    """Let others have the tree."""
    if s.settings.parallel.sharing == _LOCKED:
        unlock(lock_at(s, TREE_LOCK))


@kernel
def try_node(s: Workspace, node: int) -> bool:
    """Take the lock of a node's edges, unless another thread has it."""
    return s.settings.parallel.sharing != _FREE or _try_node(s, node)


@large_kernel
def _try_node(s: Workspace, node: int) -> bool:
    return try_lock(node_lock(s, node))


@kernel
def leave_node(s: Workspace, node: int) -> None:
    """Let others change the edges of a node."""
    if s.settings.parallel.sharing == _FREE:
        unlock(node_lock(s, node))


@kernel
def lock_if_free(s: Workspace, number: int) -> None:
    """Take one of the locks that are needed if threads do not take turns."""
    if s.settings.parallel.sharing == _FREE:
        wait_for(s, number)


@kernel
def unlock_if_free(s: Workspace, number: int) -> None:
    """Give it back."""
    if s.settings.parallel.sharing == _FREE:
        unlock(lock_at(s, number))


@kernel
def add_to_edge(s: Workspace, number: int, visits: int, score: float) -> None:
    """Add visits, which may be negative, and a sum of scores to an edge."""
    edge, terms = s.tree.edges[number], s.tree.uct_terms[number]
    if s.settings.parallel.sharing == _FREE:
        _add_together(s, number, visits, score)
    else:
        edge.visits += visits
        edge.total += score
    # Only if a simulation was given up there are none.
    share = 1.0 / max(1, edge.visits)
    terms.mean = edge.total * share
    terms.inverse_root = math.sqrt(np.float32(share))


@large_kernel
def _add_together(s: Workspace, number: int, visits: int, score: float) -> None:
    """Add to an edge what others may add to as well."""
    # In such an order that the average never comes out too high.
    place = address_of(s.tree.edges, number)
    if visits > 0:
        add_i4(place + _VISITS, visits)
    if score != 0.0:
        add_f8(place + _TOTAL, score)
    if visits < 0:
        add_i4(place + _VISITS, visits)


@kernel
def fetch_path(s: Workspace) -> None:
    """Have all that iterations change on their way fetched at once: others may have changed it."""
    if s.settings.parallel.sharing != _FREE:
        return
    prefetch_to_write(address_of(s.tree.edges, ROOT))
    for i in range(s.worker.path_length):
        prefetch_to_write(address_of(s.tree.edges, s.worker.path[i].edge))
        prefetch_to_write(address_of(s.tree.uct_terms, s.worker.path[i].edge))


@kernel
def add_to_path(s: Workspace, visits: int) -> None:
    """Add visits without a score to all edges of an iteration's way."""
    fetch_path(s)
    for i in range(s.worker.path_length):
        add_to_edge(s, s.worker.path[i].edge, visits, 0.0)
    add_to_root(s, visits)


@kernel
def add_to_root(s: Workspace, visits: int) -> None:
    """Add visits to the edge that leads to the root."""
    if s.settings.parallel.sharing != _FREE:
        s.tree.edges[ROOT].visits += visits
    elif visits != 0:
        add_i4(address_of(s.tree.edges, ROOT) + _VISITS, visits)


@kernel
def add_nodes(s: Workspace, count: int) -> None:
    """Count nodes that have been visited for the first time."""
    if s.settings.parallel.sharing == _FREE:
        s.worker.counts.nodes += count
    else:
        s.tree.node_count += count


@kernel
def count_simulations(s: Workspace, count: int) -> None:
    """Count simulations, and note how deep the tree is."""
    tree, depth = s.tree, s.worker.depth
    if s.settings.parallel.sharing != _FREE:
        tree.simulations += count
        tree.deepest = max(tree.deepest, depth)
        return
    s.worker.counts.simulations += count
    if depth > tree.deepest:
        raise_i8(address_of_record(tree) + _DEEPEST, depth)
