"""Going from node to node, down to where the tree ends."""

from __future__ import annotations

from semisplit.search.engine.candidates import (
    FAILED,
    apply,
    edge_steps,
    make,
    player_of,
    read_scores,
    state_at,
)
from semisplit.search.engine.expand import DEAD, expand, make_edges, push
from semisplit.search.engine.layout import ROOT, Workspace
from semisplit.search.engine.records import LINE, EdgeRecord, NodeKind
from semisplit.search.engine.select import root_logarithm, select_child
from semisplit.search.engine.share import leave_node, try_node
from semisplit.search.engine.simulate import (
    LONG_GAME,
    find_move,
    has_trace,
    trace_walk,
    write_trace,
)
from semisplit.search.engine.toolkit.atomic import fetch_i4
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.lanes import LANES, prefetch
from semisplit.search.engine.toolkit.record import address_of, offset_of, size_of
from semisplit.search.features.groups.choose import choose_group
from semisplit.search.features.groups.divide import leads_to_groups
from semisplit.search.features.hooks import edges_made, leave_dead
from semisplit.search.features.submoves.kernels import next_context

OVER = -1
"""An iteration has come to the end of the game in the tree; its scores are known."""
_INTERMEDIATE, _NODAL, _TERMINAL = (kind.value for kind in list(NodeKind)[:3])
_SELECT, _EXPAND, _CHOOSE_GROUP, _LEAVE = range(4)
_NO_EDGES = -3
_EDGE, _FIRST = size_of(EdgeRecord), offset_of(EdgeRecord, "first")


@kernel
def follow_edge(s: Workspace, node: int, edge: int, player: int, submove: int) -> int:
    """Make the (semi)move of an edge in the state at level 0; the context after it, or FAILED.

    The edge will get the score of the player.
    """
    state, here = state_at(s, 0), s.tree.edges[edge]
    steps, length = edge_steps(s, edge)
    push(s, node, edge, player, submove)
    if s.settings.overhead > 1:
        make(s, 0, steps, length)
    mover = player_of(state)
    is_nodal = apply(s, state, steps, length)
    if is_nodal == FAILED or not has_trace(s, length):
        return FAILED
    if s.rules.choosers and here.visits == 0:
        here.kind = _NODAL if is_nodal else _INTERMEDIATE
    if s.settings.traced:
        write_trace(s, steps, length, mover, is_nodal == 1)
    if is_nodal or not s.settings.contexts:
        return 0
    return next_context(s, submove, steps, length)


@large_kernel
def end_here(s: Workspace, submove: int) -> int:
    """End the way at the state at level 0 without growing the tree, which is full or in use.

    Returns the level of the state to simulate from: the next nodal one, or FAILED.
    """
    worker = s.worker
    worker.tree_length = worker.trace_length
    walk = 0
    last = worker.path[worker.path_length - 1].edge if worker.path_length else ROOT
    if s.tree.edges[last].kind == _INTERMEDIATE:
        walk = find_move(s, 0, s.rules.list_semimoves, submove, s.settings.mast.in_rest != 0)
        if walk == FAILED:
            return FAILED
        worker.counts.states += 1
        if s.settings.traced:
            trace_walk(s, 0, walk)
    return walk


@kernel
def descend(s: Workspace) -> int:
    """Go down from the root until an edge is expanded, or the tree or the game ends.

    It is for games in which one player decides at a time; `features.decoupled` has the other ones.
    Returns the level of the state to simulate from, OVER, or FAILED.
    """
    edges = s.tree.edges
    node, submove = ROOT, 0
    root_log = root_log_of(s, node)
    while edges[node].kind != _TERMINAL:
        found = _find_edges(s, node, submove)
        if found == FAILED:
            return FAILED
        if found == 0:
            continue
        phase = _LEAVE if found == _NO_EDGES else _next_phase(s, node)
        if phase == _LEAVE:
            return end_here(s, submove)
        if phase == _CHOOSE_GROUP:
            node = _enter_group(s, node, submove, root_log)
            root_log = root_log_of(s, node)
        elif phase == _SELECT:
            player = player_of(state_at(s, 0))
            edge = select_child(s, node, player, root_log)
            # What the next selection needs is looked up while the move is made.
            _fetch_edges(s, edge)
            root_log = root_log_of(s, edge)
            submove = follow_edge(s, node, edge, player, submove)
            if submove == FAILED:
                return FAILED
            node = edge
            if edges[node].kind != _INTERMEDIATE:
                s.worker.depth += 1
                s.worker.counts.states += 1
        else:
            level = _expand_here(s, node, submove)
            if level != DEAD:
                return level
            if edges[node].count == 0:
                node = leave_dead(s, node)
                root_log = root_log_of(s, node)
            leave_node(s, node)
            s.worker.lists.buffer_top = 0
            s.worker.lists.top = 0
    read_scores(s, state_at(s, 0))
    s.worker.tree_length = s.worker.trace_length
    return OVER


@kernel
def root_log_of(s: Workspace, node: int) -> float:
    """The square root of the logarithm of a node's visits, by which its edges are explored."""
    return root_logarithm(s, max(1, s.tree.edges[node].visits))


@kernel
def _find_edges(s: Workspace, node: int, submove: int) -> int:
    """Give a node its edges, if it has none: how many, FAILED, or _NO_EDGES if it stays a leaf."""
    worker, here = s.worker, s.tree.edges[node]
    if worker.path_length + s.settings.max_length >= worker.path_size:
        worker.failure = LONG_GAME
        return FAILED
    found = 1
    if fetch_i4(address_of(s.tree.edges, node) + _FIRST) < 0:
        if not try_node(s, node):
            worker.counts.contended += 1
            return _NO_EDGES
        found = _make_edges(s, node, submove)
        leave_node(s, node)
        if found == FAILED or found == 0:
            return found
    if here.first < 0 or (s.tree.full and not _can_go_on(s, node)):
        return _NO_EDGES
    return found


@kernel
def _can_go_on(s: Workspace, node: int) -> bool:
    """Whether a path can lead through a node of a full tree: chance needs all of its edges."""
    here = s.tree.edges[node]
    if s.rules.chance and player_of(state_at(s, 0)) == s.rules.chance:
        return here.tried == here.count
    return here.tried > 0


@kernel
def _make_edges(s: Workspace, node: int, submove: int) -> int:
    """Give a node its edges, unless another thread just has; how many, or FAILED?"""
    here = s.tree.edges[node]
    if here.first >= 0:
        return here.count
    found = make_edges(s, node, submove, 0)
    if found == 0:
        here.kind = _TERMINAL
    elif found != FAILED:
        edges_made(s, node)
    return found


@kernel
def _next_phase(s: Workspace, node: int) -> int:
    """What to do at a node that has edges; before an expansion its lock has been taken."""
    here = s.tree.edges[node]
    if leads_to_groups(s, node):
        return _CHOOSE_GROUP
    if here.tried == here.count or s.tree.full:
        return _SELECT
    if try_node(s, node):
        return _EXPAND
    if here.tried > 0:
        return _SELECT
    s.worker.counts.contended += 1
    return _LEAVE


@kernel
def _enter_group(s: Workspace, node: int, submove: int, root_log: float) -> int:
    """Go on to one of the groups of a node."""
    player = player_of(state_at(s, 0))
    group = choose_group(s, node, player, root_log)
    push(s, node, group, player, submove)
    return group


@kernel
def _expand_here(s: Workspace, node: int, submove: int) -> int:
    """Expand a node whose lock has been taken; it is kept if the edge was dead."""
    here = s.tree.edges[node]
    # Another thread may have tried the last edge just before.
    level = DEAD if here.tried == here.count else expand(s, node, submove)
    if level != DEAD:
        leave_node(s, node)
    return level


@kernel
def _fetch_edges(s: Workspace, node: int) -> None:
    """Have the edges of a node fetched from memory, as many as a vector has."""
    first = s.tree.edges[node].first
    prefetch(address_of(s.tree.uct_terms, first))
    for place in range(0, LANES * _EDGE, LINE):
        prefetch(address_of(s.tree.edges, first) + place)
