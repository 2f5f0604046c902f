"""Going down the tree, and simulating where it ends."""

from __future__ import annotations

from semisplit.search.engine.candidates import (
    FAILED,
    apply,
    edge_steps,
    make,
    player_of,
    state_at,
)
from semisplit.search.engine.expand import push
from semisplit.search.engine.layout import ROOT, Workplace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.simulate import (
    find_move,
    has_trace,
    trace_walk,
    write_trace,
)
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.features.submoves.kernels import next_context

OVER = -1
"""An iteration has come to the end of the game in the tree; its scores are known."""
_INTERMEDIATE, _NODAL = NodeKind.INTERMEDIATE.value, NodeKind.NODAL.value


@kernel
def descend(s: Workplace, node: int, edge: int, player: int, submove: int) -> int:
    """Make the (semi)move of an edge in the state at level 0; the context behind it, or FAILED.

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
def end_here(s: Workplace, submove: int) -> int:
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
