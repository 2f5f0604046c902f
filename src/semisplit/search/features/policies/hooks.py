"""What policies take notice of while a simulation is played: the list of all of it."""

from __future__ import annotations

from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, i4
from semisplit.search.features.policies.kinds.exploration import keep_state
from semisplit.search.features.policies.kinds.history import note_move
from semisplit.search.features.policies.record import PolicyRecord


@kernel
def state_reached(s: Workspace, p: PolicyRecord) -> None:
    """Take notice of the nodal state at level 0."""
    keep_state(s, p)


@kernel
def move_made(s: Workspace, p: PolicyRecord, player: int, steps: Array[i4], length: int) -> None:
    """Take notice of a (semi)move of a player."""
    note_move(s, p, player, steps, length)
