"""What features keep for each edge: the list of all of it.

It is made, moved and copied together with the edge's record; see `engine/tree.py`.
"""

from __future__ import annotations

from semisplit.search.engine.layout import SettingsRecord, TreeRecord, Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.features.rave.edges import (
    clear_rave,
    copy_rave,
    name_element,
    rave_bytes,
    show_rave,
    swap_rave,
)
from semisplit.search.features.solver.edges import (
    clear_bounds,
    copy_bounds,
    solver_bytes,
    swap_bounds,
)


@kernel
def feature_bytes(settings: SettingsRecord) -> int:
    """The memory that features need for an edge."""
    return rave_bytes(settings) + solver_bytes(settings)


@kernel
def clear_features(s: Workspace, edge: int) -> None:
    """Begin without knowledge of an edge."""
    clear_rave(s, edge)
    clear_bounds(s, edge)


@kernel
def describe_edge(s: Workspace, edge: int, submove: int) -> None:
    """Note down what an edge is, which has its steps now; its node's context is given."""
    name_element(s, edge, submove)


@kernel
def show_features(s: Workspace, edge: int) -> None:
    """Prepare what other threads see of an edge before its first simulation is over."""
    show_rave(s, edge)


@kernel
def swap_features(s: Workspace, a: int, b: int) -> None:
    """Exchange what is known about two edges."""
    swap_rave(s, a, b)
    swap_bounds(s, a, b)


@kernel
def copy_features(
    settings: SettingsRecord, tree: TreeRecord, first: int, count: int, to: TreeRecord, place: int
) -> None:
    """Copy what is known about some edges to a place in a tree, which may be the same."""
    copy_rave(settings, tree, first, count, to, place)
    copy_bounds(settings, tree, first, count, to, place)
