"""`semisplit moves`: what a player may do."""

from __future__ import annotations

import json as json_module
from typing import Annotated

import typer

from semisplit.cli.options import Game, Json, Split


def moves(
    game: Game,
    after: Annotated[list[str] | None, typer.Argument(help="Moves made before.")] = None,
    split: Split = None,
    limit: Annotated[int, typer.Option(min=1, help="List no more moves than this.")] = 100_000,
    json: Json = False,
) -> None:
    """List the legal moves (with --split the semimoves) at the start or after some moves."""
    from rich.columns import Columns
    from rich.console import Console

    import semisplit
    from semisplit.cli.drawing import draw_state
    from semisplit.core.errors import InputError, ManyMoves
    from semisplit.core.work import doing

    loaded = semisplit.load(game, split)
    state = loaded.initial_state()
    for move in after or []:
        state = state.apply(move)
    noun = "moves" if split is None else "semimoves"
    try:
        with doing(f"looking for {noun} of the position"):
            legal = state.moves(limit) if split is None else state.semimoves(limit)
    except ManyMoves:
        raise InputError(
            f"{state.player_name} has more than {limit:,} {noun} here; --limit raises the number"
        ) from None
    if json:
        listing = {
            "game": game,
            "player": state.player_name,
            "terminal": state.is_terminal,
            "scores": dict(zip(loaded.players, state.scores)),
            "moves": [{"move": str(move), "wire": move.wire} for move in legal],
        }
        print(json_module.dumps(listing))
        return
    console = Console(highlight=False)
    console.print(draw_state(state), end="")
    if state.is_terminal:
        return
    console.print(f"{state.player_name} has {len(legal)} {noun}:")
    console.print(Columns([str(move) for move in legal], padding=(0, 2)))
