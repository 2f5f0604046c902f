"""The expansion phase: growing the tree."""

from __future__ import annotations

from semisplit.search.engine.candidates import (
    FAILED,
    edge_steps,
    forget_list,
    list_candidates,
    make,
    player_of,
    state_at,
)
from semisplit.search.engine.layout import ROOT, Workspace
from semisplit.search.engine.records import EdgeRecord, NodeKind
from semisplit.search.engine.share import add_nodes
from semisplit.search.engine.simulate import (
    find_move,
    has_trace,
    trace_walk,
    write_trace,
)
from semisplit.search.engine.toolkit.atomic import publish_i4
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.record import address_of, offset_of
from semisplit.search.engine.tree import add_edges, room_for_steps, swap_edges, take_room
from semisplit.search.features.edges import show_features
from semisplit.search.features.groups.divide import add_choosers, add_groups, divide
from semisplit.search.features.groups.records import GROUP_SIZE
from semisplit.search.features.hooks import choose_untried, has_room_for
from semisplit.search.features.submoves.kernels import next_context
from semisplit.search.parallel.records import Sharing

_INTERMEDIATE, _NODAL, _TERMINAL = (kind.value for kind in list(NodeKind)[:3])
_ALONE, _TRIED = Sharing.ALONE.value, offset_of(EdgeRecord, "tried")
DEAD = 0


@large_kernel
def make_edges(s: Workspace, node: int, submove: int, choosers: int) -> int:
    """List what can be done at a node whose state is at level 0, and return how much it is.

    They become its edges, or those of its groups, if it does not stay a leaf, and if there is room
    for them and for some choosers after its edges.
    """
    tree, worker = s.tree, s.worker
    found = list_candidates(s, s.rules.list_tree, 0)
    if found == FAILED:
        return FAILED
    if not has_room_for(s, worker.lists.buffer_top + found):
        return FAILED
    if _stays_leaf(s, node, found):
        forget_list(s, 0)
        return found
    groups = 0
    if s.settings.groups.layers and tree.edges[node].kind != _INTERMEDIATE:
        groups = divide(s)
        if groups == FAILED:
            return FAILED
    steps = room_for_steps(s, 0, 1)
    if take_room(s, found + groups + choosers, steps + GROUP_SIZE * groups):
        if groups > 0:
            add_groups(s, node, found, submove, choosers)
        else:
            add_edges(s, node, 0, 0, found, submove)
            add_choosers(s, choosers)
    worker.lists.buffer_top = 0
    worker.lists.top = 0
    return found


@kernel
def _stays_leaf(s: Workspace, node: int, count: int) -> bool:
    """Whether a node has too few visits to be expanded; so many (semi)moves follow it."""
    here, threshold = s.tree.edges[node], s.settings.expansion_threshold
    # Inside a move of several players there are no leaves.
    if node == ROOT or (s.rules.choosers and here.kind != _NODAL):
        return False
    return here.visits < (count if threshold < 0 else threshold)


@kernel
def push(s: Workspace, node: int, edge: int, player: int, submove: int) -> None:
    """Go along an edge: note it down as a part of the iteration's way."""
    worker = s.worker
    here = worker.path[worker.path_length]
    here.node = node
    here.edge = edge
    here.player = player
    here.trace = worker.trace_length
    here.submove = submove
    worker.path_length += 1


@kernel
def expand(s: Workspace, node: int, submove: int) -> int:
    """EXPAND and EXPANDNODAL: try an edge that has not been tried.

    The node's state is at level 0. Returns the level of the next nodal state, at which a simulation
    can begin, or DEAD if the edge has turned out dead and been removed.
    """
    worker, settings = s.worker, s.settings
    player = player_of(state_at(s, 0))
    here = s.tree.edges[node]
    untried = here.first + here.tried
    edge = untried + choose_untried(s, untried, here.count - here.tried, player, submove)
    steps, length = edge_steps(s, edge)
    is_nodal = make(s, 0, steps, length)
    if is_nodal == FAILED or not has_trace(s, length):
        return FAILED
    walk = 0
    context = next_context(s, submove, steps, length) if settings.contexts else 0
    if not is_nodal:
        walk = find_move(s, 1, s.rules.list_semimoves, context, settings.mast.in_rest != 0)
        if walk == FAILED:
            return FAILED
        if walk == 0:
            here.count -= 1
            swap_edges(s, edge, here.first + here.count)
            return DEAD
    worker.counts.states += 1
    worker.growth.pending = 1
    worker.growth.node, worker.growth.edge = node, edge
    worker.growth.player, worker.growth.submove = player, submove
    worker.growth.context, worker.growth.walk = context, walk
    worker.growth.trace = worker.trace_length
    if settings.traced:
        write_trace(s, steps, length, player, is_nodal == 1)
        worker.tree_length = worker.trace_length
        trace_walk(s, 1, walk)
        if settings.nodal:
            worker.tree_length = worker.trace_length
    if settings.parallel.sharing != _ALONE:
        grow(s, player_of(state_at(s, 1 + walk)) == 0)
    return 1 + walk


@kernel
def grow(s: Workspace, is_over: bool) -> None:
    """Add what an expansion has found: one node, or all nodes to the next nodal state.

    A worker that is alone does so when the simulation has shown whether the game is over there.
    Otherwise other workers could try the same edge meanwhile.
    """
    edges, worker, walk = s.tree.edges, s.worker, s.worker.growth.walk
    player, submove, context = worker.growth.player, worker.growth.submove, worker.growth.context
    number, edge = worker.growth.node, worker.growth.edge
    worker.growth.pending = 0
    inner = walk if s.settings.nodal else 0
    new_edges = 0
    for level in range(1, 1 + inner):
        new_edges += worker.levels[level].count
    if not take_room(s, new_edges, room_for_steps(s, 1, inner) if inner else 0):
        worker.tree_length = worker.growth.trace
        return
    end, worker.trace_length = worker.trace_length, worker.growth.trace
    node, here = number, edges[number]
    swap_edges(s, edge, here.first + here.tried)
    edge = here.first + here.tried
    for level in range(1, 1 + inner):
        push(s, node, edge, player, submove)
        _begin_edge(s, edge)
        _, length = edge_steps(s, edge)
        worker.trace_length += length
        node, submove = edge, context
        edges[node].kind = _INTERMEDIATE
        add_edges(s, node, level, 0, worker.levels[level].count, submove)
        edge = edges[node].first
        swap_edges(s, edge, edge + worker.levels[level].chosen)
        edges[node].tried = 1
        steps, length = edge_steps(s, edge)
        context = next_context(s, submove, steps, length) if s.settings.contexts else 0
    push(s, node, edge, player, submove)
    _begin_edge(s, edge)
    worker.trace_length = end
    worker.leaf = -1
    edges[edge].kind = _INTERMEDIATE
    if walk == inner:
        edges[edge].kind = _TERMINAL if is_over else _NODAL
        worker.leaf = edge
        worker.depth += 1
    add_nodes(s, 1 + inner)
    publish_i4(address_of(edges, number) + _TRIED, here.tried + 1)


@kernel
def _begin_edge(s: Workspace, edge: int) -> None:
    """Let others see an edge as if it had lost once, until it has visits."""
    if s.settings.parallel.sharing == _ALONE:
        return
    s.tree.uct_terms[edge].mean = 0.0
    s.tree.uct_terms[edge].inverse_root = 1.0
    show_features(s, edge)
