"""`semisplit flat`: what each move is worth in random play."""

from __future__ import annotations

import json as json_module
from typing import Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli.options import Game, Json, Split


def flat(
    game: Game,
    after: Annotated[list[str] | None, typer.Argument(help="Moves made before.")] = None,
    games: Annotated[
        float, typer.Option(min=1, max=1e12, help="Random games, all in all, like 1e9.")
    ] = 100_000,
    split: Split = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Play them on an NVIDIA GPU.")] = False,
    seed: Annotated[int, typer.Option(help="Makes them repeatable.")] = 0,
    json: Json = False,
) -> None:
    """Compare the moves of a position by random games (flat Monte-Carlo)."""
    from rich.console import Console

    import semisplit
    from semisplit.lab.bench.flat import flat_monte_carlo

    with limited():
        state = semisplit.load(game, split).initial_state()
        for move in after or []:
            state = state.apply(move)
    found = flat_monte_carlo(state, int(games), gpu=gpu, seed=seed)
    if json:
        moves = [
            {"move": str(one.move), "score": one.score._asdict(), "length": one.length}
            for one in found.moves
        ]
        print(json_module.dumps({**found._asdict(), "player": state.player_name, "moves": moves}))
        return
    console = Console(highlight=False, markup=False, soft_wrap=True)
    width = max(len("move"), *(len(str(one.move)) for one in found.moves))
    console.print(f"{'move':<{width}}{'score':>12}{'':>12}{'moves':>8}", style="bold")
    for one in found.moves:
        score = f"{one.score.value:>12.4%}{f'± {one.score.margin:.4%}':>12}"
        console.print(f"{one.move!s:<{width}}{score}{one.length:>8.1f}")
    rate = found.games / found.seconds
    console.print(f"{found.games:,} games in {found.seconds:.2f} s, {rate:,.0f} per second")
