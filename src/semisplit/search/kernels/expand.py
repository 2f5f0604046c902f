"""The expansion phase: growing the tree."""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.candidates import (
    FAILED,
    edge_steps,
    list_candidates,
    make,
    player_of,
    state_at,
)
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.mast import choose_untried
from semisplit.search.kernels.memory import Kind, edges, levels, path
from semisplit.search.kernels.simulate import (
    find_move,
    has_trace,
    simulate,
    trace_walk,
    write_trace,
)
from semisplit.search.kernels.submoves import has_submoves, next_context
from semisplit.search.kernels.tree import add_edges, has_room, swap_edges

_INTERMEDIATE, _NODAL, _TERMINAL = (kind.value for kind in Kind)
DEAD = 0
EXPANDED = 1


@kernel
def make_edges(s: Any, node: int, submove: int) -> int:
    """List what can be done at a node whose state is at level 0; how much is it?"""
    found = list_candidates(s, s.list_tree, 0)
    if found != FAILED and s.rave_chain and not has_submoves(s, s.buffer_top + found):
        return FAILED
    if found != FAILED and has_room(s, found, s.buffer_top):
        add_edges(s, node, 0, submove)
    s.buffer_top = 0
    s.candidate_top = 0
    return found


@kernel
def push(s: Any, node: int, edge: int, player: int, submove: int) -> None:
    """Go along an edge: note it down as a part of the iteration's way."""
    here = path(s)[s.path_length]
    here.node = node
    here.edge = edge
    here.player = player
    here.trace = s.trace_length
    here.submove = submove
    s.path_length += 1


@kernel
def expand(s: Any, node: int, submove: int) -> int:
    """EXPAND and EXPANDNODAL: try an edge that has not been tried, with a simulation.

    The node's state is at level 0. Returns DEAD if the edge has turned out dead and been removed.
    """
    player = player_of(state_at(s, 0))
    here = edges(s)[node]
    untried = here.first + here.tried
    edge = untried + choose_untried(s, untried, here.count - here.tried, player, submove)
    steps, length = edge_steps(s, edge)
    is_nodal = make(s, 0, steps, length)
    if is_nodal == FAILED or not has_trace(s, length):
        return FAILED
    walk = 0
    behind = next_context(s, submove, steps, length) if s.contexts else 0
    if not is_nodal:
        walk = find_move(s, 1, s.list_semimoves, behind, s.mast_in_expansion != 0)
        if walk == FAILED:
            return FAILED
        if walk == 0:
            here.count -= 1
            swap_edges(s, edge, here.first + here.count)
            return DEAD
    begin = s.trace_length
    if s.traced:
        write_trace(s, steps, length, player, is_nodal == 1)
        s.tree_length = s.trace_length
        trace_walk(s, 1, walk)
        if s.nodal:
            s.tree_length = s.trace_length
    if not simulate(s, 1 + walk):
        return FAILED
    s.states += 1 + s.moves
    s.trace_length, end = begin, s.trace_length
    if not _grow(s, node, edge, player, submove, behind, walk):
        s.tree_length = begin
    s.trace_length = end
    return EXPANDED


@kernel
def _grow(s: Any, node: int, edge: int, player: int, submove: int, behind: int, walk: int) -> bool:
    """Add what an expansion has found: one node, or all nodes to the next nodal state."""
    last = _TERMINAL if s.moves == 0 else _NODAL
    chain = walk if s.nodal else 0
    new_edges = 0
    for level in range(1, 1 + chain):
        new_edges += levels(s)[level].count
    if not has_room(s, new_edges, s.buffer_top if chain else 0):
        return False
    here = edges(s)[node]
    swap_edges(s, edge, here.first + here.tried)
    edge = here.first + here.tried
    here.tried += 1
    for level in range(1, 1 + chain):
        push(s, node, edge, player, submove)
        _, length = edge_steps(s, edge)
        s.trace_length += length
        node, submove = edge, behind
        edges(s)[node].kind = _INTERMEDIATE
        add_edges(s, node, level, submove)
        edge = edges(s)[node].first
        swap_edges(s, edge, edge + levels(s)[level].chosen)
        edges(s)[node].tried = 1
        steps, length = edge_steps(s, edge)
        behind = next_context(s, submove, steps, length) if s.contexts else 0
    push(s, node, edge, player, submove)
    is_complete = walk == chain
    edges(s)[edge].kind = last if is_complete else _INTERMEDIATE
    s.node_count += 1 + chain
    s.depth += is_complete
    return True
