"""Where features take part in an iteration, phase by phase: the list of all of them.

What is switched off returns at once. All of it is compiled together with the phases.
"""

from __future__ import annotations

from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, f4
from semisplit.search.features.groups.divide import leads_to_groups, leave_dead_groups
from semisplit.search.features.line.kernels import keep_line
from semisplit.search.features.mast.kernels import (
    choose_by_mast,
    choose_untried_by_mast,
    update_mast,
)
from semisplit.search.features.narrowing.kernels import narrow_node, widen_dead
from semisplit.search.features.rave.kernels import find_estimates, rave_weight, update_rave
from semisplit.search.features.rollup.kernels import roll_up
from semisplit.search.features.solver.kernels import is_proven, prove
from semisplit.search.features.submoves.kernels import has_submoves

# Selection


@kernel
def weigh_estimates(s: Workspace, node: int) -> float:
    """How much estimates count beside the averages of a node's edges: 0 if there are none."""
    return 0.0 if leads_to_groups(s, node) else rave_weight(s, node)


@kernel
def estimates_of(s: Workspace, first: int, count: int, player: int, visits: int) -> Array[f4]:
    """Estimates of some edges of the node at which a player moves."""
    return find_estimates(s, first, count, player, visits)


# Expansion


@kernel
def has_room_for(s: Workspace, count: int) -> bool:
    """Whether features have room for so many new edges; if not, the iteration has to wait."""
    return has_submoves(s, count)


@kernel
def edges_made(s: Workspace, node: int) -> None:
    """Take notice of a node that has just got its edges."""
    narrow_node(s, node)


@kernel
def choose_untried(s: Workspace, first: int, count: int, player: int, submove: int) -> int:
    """Choose one of some edges that have not been tried, counted from the first of them."""
    return choose_untried_by_mast(s, first, count, player, submove)


@kernel
def leave_dead(s: Workspace, node: int) -> int:
    """Find the node to go on from when all edges of one have turned out dead."""
    return node if widen_dead(s, node) else leave_dead_groups(s, node)


# Simulation


@kernel
def choose_candidate(s: Workspace, level: int, player: int, guided: bool) -> int:
    """Choose one of the candidates of a level; all are equally likely if not guided."""
    return choose_by_mast(s, level, player, guided)


# Backpropagation


@kernel
def learn(s: Workspace, playouts: int) -> None:
    """Learn from an iteration, whose scores have been given to its edges: sums over playouts."""
    keep_line(s)
    update_mast(s)
    update_rave(s)
    prove(s, playouts)
    roll_up(s)


@kernel
def is_settled(s: Workspace) -> bool:
    """Whether nothing can change what is to be played at the root."""
    return s.tree.line.score >= 1.0 or is_proven(s)
