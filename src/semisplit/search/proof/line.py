"""The line of best play, by what is known from proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.game import Move, State
from semisplit.search.proof.goal import Claim, Outcome
from semisplit.search.proof.kernels.memory import DEAD, NODAL
from semisplit.search.proof.kernels.prove import list_root

if TYPE_CHECKING:
    from semisplit.search.proof.solver import Solver

_LONGEST = 1000
"""Moves of a line, up to which it is followed."""


def best_line(
    solver: Solver, state: State, lower: Claim | None, upper: Claim | None
) -> tuple[list[Move], bool]:
    """Moves of best play, and whether they lead to the end of the game.

    Args:
        solver: Has proven both claims for the position.
        state: The position.
        lower: Why the score is not lower; None if no lower one is possible.
        upper: Why it is not higher; None if no higher one is possible.
    """
    line: list[Move] = []
    seen = {state.position}
    while not state.is_terminal and len(line) < _LONGEST:
        move = _best_move(solver, state, lower, upper)
        if move is None:
            break
        line.append(move)
        state = state.apply(move)
        if state.position in seen:
            break
        seen.add(state.position)
    return line, state.is_terminal


def _best_move(
    solver: Solver, state: State, lower: Claim | None, upper: Claim | None
) -> Move | None:
    """A move that keeps the value; None if the search finds no proof of it."""
    own, other = (lower, upper) if state.player == solver.player else (upper, lower)
    claim = own or other
    assert claim is not None
    compiled, memory = solver.memory.compiled, solver.memory
    packed, codes = solver.pack(state), []
    while True:
        outcome = solver.attempt_packed(packed, claim.goal)
        if outcome != (Outcome.PROVEN if claim.proven else Outcome.REFUTED):
            return None
        count = list_root(memory.workspace)
        chosen = _choose(solver, claim, count, shortest=own is not None)
        codes += [code for code in memory.moves(count)[chosen] if code >= compiled.facts.silent]
        packed = memory.state_of(chosen)
        if memory.children(count)[chosen]["flags"] & NODAL:
            return state.move(compiled.codec.steps(codes))


def _choose(solver: Solver, claim: Claim, count: int, *, shortest: bool) -> int:
    """The child for which a claim is known, and which ends the game soonest or latest."""
    number = "proof" if claim.proven else "disproof"
    known = [
        (int(child["distance"]), place)
        for place, child in enumerate(solver.memory.children(count))
        if child[number] == 0 and not child["flags"] & DEAD
    ]
    return min(known)[1] if shortest else max(known, key=lambda one: (one[0], -one[1]))[1]
