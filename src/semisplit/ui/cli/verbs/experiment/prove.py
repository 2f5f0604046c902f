"""`semisplit solve` for two players: the value of a position, proven."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from semisplit.core.errors import InputError
from semisplit.core.work import doing

if TYPE_CHECKING:
    import semisplit
    from semisplit.search import Budget
    from semisplit.search.proof import Proof, ProofSettings


def find_state(
    game: semisplit.Game, position: Path | None, after: Sequence[str]
) -> semisplit.State:
    """A position: one from a file, or the first one, and then some moves."""
    state = game.initial_state()
    if position is not None:
        text = sys.stdin.read() if str(position) == "-" else _read(position)
        state = game.parse_state(text)
    for move in after:
        state = state.apply(move)
    return state


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def prove_state(
    state: semisplit.State,
    player: str | None,
    budget: Budget,
    settings: ProofSettings,
    json: bool,
) -> None:
    """Find the value of a position, and tell what is known when it ends or is interrupted."""
    from semisplit.core.errors import UnknownName
    from semisplit.search.proof import Solver

    players = state.game.players
    if player is not None and player not in players:
        raise UnknownName("player", player, players)
    number = players.index(player) + 1 if player else 1
    with doing(f"preparing proofs for {state.game.name}"):
        solver = Solver(state.game, settings, player=number)
    seconds, nodes = budget.seconds or float("inf"), budget.states or float("inf")
    with doing("proving") as stage:

        def tell() -> None:
            if solver.proof is not None:
                stage.words = f"{solver.nodes:,} positions: {solver.proof.verdict}"

        try:
            proof = solver.solve(state, seconds=seconds, nodes=nodes, pause=tell)
        except KeyboardInterrupt:
            if solver.proof is None:
                raise typer.Exit(130) from None
            proof = solver.proof
    if json:
        print(json_module.dumps({"game": state.game.name, **proof.to_json()}))
    else:
        _tell(proof)
    if not proof.is_solved:
        raise typer.Exit(1)


def _tell(proof: Proof) -> None:
    print(proof.verdict if proof.is_solved else f"not solved: {proof.verdict}")
    rate = proof.nodes / max(proof.seconds, 1e-9)
    print(
        f"{proof.nodes:,} positions in {proof.seconds:.2f} s, {rate:,.0f} per second;"
        f" {proof.table_used:.0%} of a table of {proof.table_bytes >> 20} MB is in use"
    )
    for number, move in enumerate(proof.line, 1):
        print(f"{number:4}. {move}")
