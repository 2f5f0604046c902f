"""The expansion phase: growing the tree."""

from __future__ import annotations

from semisplit.search.kernels.candidates import (
    FAILED,
    edge_steps,
    list_candidates,
    make,
    player_of,
    state_at,
)
from semisplit.search.kernels.groups import add_choosers, add_groups, divide
from semisplit.search.kernels.kernel import kernel, large_kernel
from semisplit.search.kernels.mast import choose_untried
from semisplit.search.kernels.memory import GROUP_SIZE, NodeKind, Workplace
from semisplit.search.kernels.simulate import (
    find_move,
    has_trace,
    simulate,
    trace_walk,
    write_trace,
)
from semisplit.search.kernels.submoves import has_submoves, next_context
from semisplit.search.kernels.tree import add_edges, has_room, swap_edges

_INTERMEDIATE, _NODAL, _TERMINAL = (kind.value for kind in list(NodeKind)[:3])
DEAD = 0
EXPANDED = 1


@large_kernel
def make_edges(s: Workplace, node: int, submove: int, behind: int) -> int:
    """List what can be done at a node whose state is at level 0; how much is it?

    They become its edges, or those of its groups, if there is room for them and for some choosers
    behind its edges.
    """
    tree, worker = s.tree, s.worker
    found = list_candidates(s, s.rules.list_tree, 0)
    if found == FAILED:
        return FAILED
    if s.settings.rave_submoves and not has_submoves(s, worker.buffer_top + found):
        return FAILED
    groups = 0
    if s.settings.layers and tree.edges[node].kind != _INTERMEDIATE:
        groups = divide(s)
        if groups == FAILED:
            return FAILED
    if has_room(s, found + groups + behind, worker.buffer_top + GROUP_SIZE * groups):
        if groups > 0:
            add_groups(s, node, found, submove, behind)
        else:
            add_edges(s, node, 0, 0, found, submove)
            add_choosers(s, behind)
    worker.buffer_top = 0
    worker.candidate_top = 0
    return found


@kernel
def push(s: Workplace, node: int, edge: int, player: int, submove: int) -> None:
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
def expand(s: Workplace, node: int, submove: int) -> int:
    """EXPAND and EXPANDNODAL: try an edge that has not been tried, with a simulation.

    The node's state is at level 0. Returns DEAD if the edge has turned out dead and been removed.
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
    behind = next_context(s, submove, steps, length) if settings.contexts else 0
    if not is_nodal:
        walk = find_move(s, 1, s.rules.list_semimoves, behind, settings.mast_in_expansion != 0)
        if walk == FAILED:
            return FAILED
        if walk == 0:
            here.count -= 1
            swap_edges(s, edge, here.first + here.count)
            return DEAD
    begin = worker.trace_length
    if settings.traced:
        write_trace(s, steps, length, player, is_nodal == 1)
        worker.tree_length = worker.trace_length
        trace_walk(s, 1, walk)
        if settings.nodal:
            worker.tree_length = worker.trace_length
    if not simulate(s, 1 + walk):
        return FAILED
    worker.states += 1 + worker.moves
    worker.trace_length, end = begin, worker.trace_length
    if not _grow(s, node, edge, player, submove, behind, walk):
        worker.tree_length = begin
    worker.trace_length = end
    return EXPANDED


@kernel
def _grow(
    s: Workplace, node: int, edge: int, player: int, submove: int, behind: int, walk: int
) -> bool:
    """Add what an expansion has found: one node, or all nodes to the next nodal state."""
    edges, worker = s.tree.edges, s.worker
    last = _TERMINAL if worker.moves == 0 else _NODAL
    inner = walk if s.settings.nodal else 0
    new_edges = 0
    for level in range(1, 1 + inner):
        new_edges += worker.levels[level].count
    if not has_room(s, new_edges, worker.buffer_top if inner else 0):
        return False
    here = edges[node]
    swap_edges(s, edge, here.first + here.tried)
    edge = here.first + here.tried
    here.tried += 1
    for level in range(1, 1 + inner):
        push(s, node, edge, player, submove)
        _, length = edge_steps(s, edge)
        worker.trace_length += length
        node, submove = edge, behind
        edges[node].kind = _INTERMEDIATE
        add_edges(s, node, level, 0, worker.levels[level].count, submove)
        edge = edges[node].first
        swap_edges(s, edge, edge + worker.levels[level].chosen)
        edges[node].tried = 1
        steps, length = edge_steps(s, edge)
        behind = next_context(s, submove, steps, length) if s.settings.contexts else 0
    push(s, node, edge, player, submove)
    is_complete = walk == inner
    edges[edge].kind = last if is_complete else _INTERMEDIATE
    s.tree.node_count += 1 + inner
    worker.depth += is_complete
    return True
