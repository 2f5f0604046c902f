"""`semisplit moves`: what a player may do."""

from __future__ import annotations

import json as json_module
from typing import Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli.options import Game, Json, Split


@limited()
def moves(
    game: Game,
    after: Annotated[list[str] | None, typer.Argument(help="Moves made before.")] = None,
    begun: Annotated[
        str, typer.Option("--from", help="Only moves that begin with these squares.")
    ] = "",
    split: Split = None,
    limit: Annotated[int, typer.Option(min=1, help="List no more moves than this.")] = 100_000,
    json: Json = False,
) -> None:
    """List the legal moves (with --split the semimoves) at the start or after some moves."""
    from rich.console import Console

    import semisplit
    from semisplit.core.errors import InputError, ManyMoves
    from semisplit.core.work import doing
    from semisplit.ui.cli.terminal.drawing import draw_moves, draw_state
    from semisplit.ui.play.entry import MOST_MOVES, Entry, splitting

    loaded = semisplit.load(game, split)
    state = loaded.initial_state()
    for move in after or []:
        state = state.apply(move)
    if split is not None and begun:
        raise typer.BadParameter("--from is for whole moves, without --split")
    noun = "moves" if split is None else "semimoves"
    try:
        with doing(f"looking for {noun} of the position"):
            legal = state.semimoves(limit)
    except ManyMoves:
        raise InputError(
            f"{state.player_name} has more than {limit:,} {noun} here; --limit raises the number"
        ) from None
    console = Console(highlight=False)
    behind: dict[str, int] = {}
    # Programs get all moves, people squares to choose from if there are too many.
    for_people = console.is_terminal and not json
    if begun or (for_people and split is None and len(legal) > MOST_MOVES):
        entry = Entry(semisplit.State(splitting(loaded), state.position))
        legal, behind = entry.list_moves(begun)
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
    console.print(draw_state(state), end="")
    if state.is_terminal:
        return
    console.print(f"{state.player_name} has {len(legal)} {noun}:")
    behind = behind if for_people else {}
    console.print(draw_moves(legal, behind))
    if behind:
        first = f"{begun} {next(iter(behind))}".strip()
        console.print(f"--from '{first}' lists those after {first}", markup=False)
