"""`semisplit replay`: a game of a match again, move by move."""

from __future__ import annotations

import json as json_module
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.work import doing, limited
from semisplit.ui.cli.options import Json


def replay(
    store: Annotated[Path, typer.Argument(help="The file of results.")],
    game_id: Annotated[
        int, typer.Argument(min=1, max=2**63 - 1, help="The number of the game in it.")
    ],
    json: Json = False,
) -> None:
    """Show a game move by move, with what the agents thought."""
    from rich.console import Console

    from semisplit.core.errors import InputError
    from semisplit.game import Game
    from semisplit.lab.store.database import Store
    from semisplit.ui.cli.terminal.drawing import draw_state

    if not store.exists():
        raise InputError(f"there is no store {store}")
    with closing(Store(store, read_only=True)) as kept:
        played = kept.replay(game_id)
    with limited():
        game = Game.parse(played.rules, played.game)
    if json:
        seats = zip(played.players, played.agents, played.scores)
        data = {
            "game": played.game,
            "seats": [dict(zip(("player", "agent", "score"), seat)) for seat in seats],
            "turns": [
                {**asdict(turn), "player": game.player_name(turn.player)} for turn in played.turns
            ],
            "failure": played.failure,
        }
        print(json_module.dumps(data))
        return
    console = Console(highlight=False)
    with limited():
        state = game.initial_state()
    for player, agent in zip(played.players, played.agents):
        console.print(f"{player}: {agent}", markup=False)
    console.print(draw_state(state))
    for number, turn in enumerate(played.turns, 1):
        with limited(), doing(f"looking for move {number}"):
            before, state = state, state.apply(state.parse_move(turn.move))
        score = "" if turn.score is None else f", expects {turn.score:.2f}"
        given_up = f" ({turn.abandoned} given up)" if turn.abandoned else ""
        effort = f"{turn.simulations} simulations{given_up}, {turn.states} states"
        effort += f", {turn.seconds:.2f} s"
        console.print(
            f"\n{number}. {game.player_name(turn.player)} {turn.text}   ({effort}{score})",
            markup=False,
        )
        console.print(draw_state(state, before))
    if played.failure:
        console.print(played.failure, markup=False)
