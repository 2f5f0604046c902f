"""`semisplit demo`: the main job in one command."""

from __future__ import annotations

from random import Random
from typing import Annotated

import typer

from semisplit.cli.check import check
from semisplit.cli.options import Game
from semisplit.cli.show import show

_MOST_MOVES = 2000
"""A game of one's own may never end."""


def demo(
    game: Game = "breakthrough",
    seed: Annotated[int, typer.Option(help="Another seed gives another game.")] = 1,
) -> None:
    """Check a game, draw its board and play a random game."""
    from rich.console import Console

    import semisplit
    from semisplit.cli.drawing import draw_state

    show(game)
    print()
    check(game)
    loaded = semisplit.load(game)
    console = Console(highlight=False)
    random = Random(seed)
    state = loaded.initial_state()
    played: list[str] = []
    while not state.is_terminal and len(played) < _MOST_MOVES:
        move = random.choice(state.moves())
        played.append(str(move))
        state = state.apply(move)
    title = "A random game of" if state.is_terminal else "A random game, given up after"
    console.print(f"\n{title} {len(played)} moves:", style="bold")
    console.print(" ".join(played))
    console.print(draw_state(state), end="")
