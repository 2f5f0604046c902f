"""What the solver keeps for each edge: bounds."""

from __future__ import annotations

from semisplit.search.engine.layout import SettingsRecord, TreeRecord, Workspace
from semisplit.search.engine.toolkit.elements import copy_elements, swap_elements
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import address_of, f4, size_of
from semisplit.search.features.solver.records import PLAYERS

_BOUNDS = PLAYERS * size_of(f4)


@kernel
def solver_bytes(settings: SettingsRecord) -> int:
    """The memory that the solver needs for an edge."""
    return 2 * _BOUNDS if settings.solver.used else 0


@kernel
def clear_bounds(s: Workspace, edge: int) -> None:
    """Begin with all scores that are possible."""
    if s.settings.solver.used:
        for number in range(edge * PLAYERS, (edge + 1) * PLAYERS):
            s.tree.solver.low[number] = 0.0
            s.tree.solver.high[number] = 1.0


@kernel
def swap_bounds(s: Workspace, a: int, b: int) -> None:
    """Exchange the bounds of two edges."""
    if s.settings.solver.used:
        spare = s.worker.swap_space
        swap_elements(address_of(s.tree.solver.low, 0), _BOUNDS, a, b, spare)
        swap_elements(address_of(s.tree.solver.high, 0), _BOUNDS, a, b, spare)


@kernel
def copy_bounds(
    settings: SettingsRecord, tree: TreeRecord, first: int, count: int, to: TreeRecord, place: int
) -> None:
    """Copy the bounds of some edges to a place in a tree, which may be the same."""
    if settings.solver.used:
        low, to_low = address_of(tree.solver.low, 0), address_of(to.solver.low, 0)
        high, to_high = address_of(tree.solver.high, 0), address_of(to.solver.high, 0)
        copy_elements(low, _BOUNDS, first, count, to_low, place)
        copy_elements(high, _BOUNDS, first, count, to_high, place)
