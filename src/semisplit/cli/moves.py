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
    json: Json = False,
) -> None:
    """List the legal moves (with --split the semimoves) at the start or after some moves."""
    from rich.columns import Columns
    from rich.console import Console

    import semisplit
    from semisplit.cli.drawing import draw_state

    loaded = semisplit.load(game, split)
    state = loaded.initial_state()
    for move in after or []:
        state = state.apply(move)
    legal = state.moves() if split is None else state.semimoves()
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
    noun = "moves" if split is None else "semimoves"
    console.print(f"{state.player_name} has {len(legal)} {noun}:")
    console.print(Columns([str(move) for move in legal], padding=(0, 2)))
