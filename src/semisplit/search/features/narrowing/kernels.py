"""Narrowing the search to some of a player's actions: Limited Root-Tree parallelization.

At the first nodal node of each way where the player has a choice, only an interval of its edges is
there for the search: `search.intervals` says which. They are put first. Elsewhere than in games in
which several players decide at once, the node's count hides the others, and a note says how many
there really are. Python narrows what has been in the tree before, and undoes all of it.
"""

from __future__ import annotations

from semisplit.search.engine.candidates import list_candidates, player_of, state_at
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.share import ROOM_LOCK, lock_if_free, unlock_if_free
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.record import part_of
from semisplit.search.engine.tree import swap_edges
from semisplit.search.features.narrowing.records import (
    MAX_NARROWED,
    NARROWED_COUNT,
    NARROWED_HIDDEN,
    NARROWED_NODE,
    NARROWED_SHOWN,
    NARROWED_SIZE,
)

_INTERMEDIATE = NodeKind.INTERMEDIATE.value


@kernel
def shown(s: Workspace, count: int) -> int:
    """How many of some actions there are for the search."""
    low, high, parts = s.tree.narrowing.low, s.tree.narrowing.high, s.tree.narrowing.parts
    return min(count, max(1, count * high // parts - count * low // parts))


@kernel
def put_first(s: Workspace, first: int, count: int) -> None:
    """Put those of some new edges first that are there for the search."""
    begin, size = count * s.tree.narrowing.low // s.tree.narrowing.parts % count, shown(s, count)
    wrapped = max(0, begin + size - count)
    for i in range(size - wrapped):
        swap_edges(s, first + wrapped + i, first + begin + i)


@large_kernel
def has_chosen(s: Workspace) -> bool:
    """Whether the player who is narrowed has had a choice on the way."""
    tree, worker = s.tree, s.worker
    for i in range(worker.path_length):
        here, node = worker.path[i], tree.edges[worker.path[i].node]
        if here.player != tree.narrowing.player:
            continue
        # Inside a move of several players, edges only lead on.
        if s.rules.choosers and node.kind == _INTERMEDIATE:
            continue
        if node.count > 1 or _note_of(s, here.node) >= 0:
            return True
    return False


@kernel
def _note_of(s: Workspace, node: int) -> int:
    """The number of the note about a node; -1 if there is none."""
    for i in range(s.tree.narrowing.count):
        if s.tree.narrowing.nodes[NARROWED_SIZE * i + NARROWED_NODE] == node:
            return i
    return -1


@kernel
def narrow_node(s: Workspace, node: int) -> None:
    """Narrow a node that has just got its edges, if the player has its first choice there."""
    if s.tree.narrowing.player:
        _narrow_node(s, node)


@large_kernel
def _narrow_node(s: Workspace, node: int) -> None:
    tree, here = s.tree, s.tree.edges[node]
    if player_of(state_at(s, 0)) != tree.narrowing.player or here.kind == _INTERMEDIATE:
        return
    if here.first < 0 or here.count < 2 or has_chosen(s):
        return
    size = shown(s, here.count)
    if size == here.count or not _note(s, node, here.count, size):
        return
    put_first(s, here.first, here.count)
    here.count = size


@kernel
def _note(s: Workspace, node: int, count: int, size: int) -> bool:
    """Note down that so many edges of a node are shown; False if there is no room."""
    lock_if_free(s, ROOM_LOCK)
    has_room = s.tree.narrowing.count < MAX_NARROWED
    if has_room:
        note = part_of(s.tree.narrowing.nodes, NARROWED_SIZE * s.tree.narrowing.count)
        note[NARROWED_NODE] = node
        note[NARROWED_COUNT] = count
        note[NARROWED_SHOWN] = size
        note[NARROWED_HIDDEN] = 0
        s.tree.narrowing.count += 1
    unlock_if_free(s, ROOM_LOCK)
    return has_room


@large_kernel
def widen_dead(s: Workspace, node: int) -> bool:
    """Show the other edges of a node if all that were shown are dead; False if there are none."""
    number = _note_of(s, node) if s.tree.narrowing.player else -1
    if number < 0:
        return False
    here, note = s.tree.edges[node], part_of(s.tree.narrowing.nodes, NARROWED_SIZE * number)
    dead, others = note[NARROWED_SHOWN], note[NARROWED_COUNT] - note[NARROWED_SHOWN]
    for i in range(others):
        swap_edges(s, here.first + i, here.first + dead + i)
    here.count = others
    here.tried = note[NARROWED_HIDDEN]
    note[NARROWED_COUNT] = others
    note[NARROWED_SHOWN] = others
    note[NARROWED_HIDDEN] = 0
    return others > 0


@kernel
def list_edges(s: Workspace) -> int:
    """List what would become edges in the state at level 0; how much is it?"""
    s.worker.lists.buffer_top = 0
    s.worker.lists.top = 0
    return list_candidates(s, s.rules.list_tree, 0)
