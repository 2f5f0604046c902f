"""`semisplit explain`: what a split strategy does to a game."""

from __future__ import annotations

import json as json_module
import time
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.cli.options import Game, Json

if TYPE_CHECKING:
    import semisplit as package


def explain(
    game: Game,
    split: Annotated[str, typer.Option(help="The strategy, like Mod or ModPlus.")] = "Mod",
    seconds: Annotated[float, typer.Option(help="How long to play at random.")] = 1.0,
    json: Json = False,
) -> None:
    """Show the rules with their split points, and how moves look when split."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    import semisplit
    from semisplit.rbg.printer import layout_rule

    whole, divided = semisplit.load(game), semisplit.load(game, split)
    rows = [_statistics(loaded, seconds) for loaded in (whole, divided)]
    if json:
        print(json_module.dumps(rows))
        return
    console = Console(highlight=False)
    text = Text(layout_rule(divided.rules, divided.description.pieces, console.width))
    text.highlight_regex(r"(?<=\s)\.(?=\s)", "bold reverse red")
    text.highlight_regex(r"->>|->\w+", "bold green")
    console.print(text)
    assert divided.split is not None
    dots = len(divided.interpreter.automaton.dots)
    modifiers = " and behind every modifier" if divided.split.mod else ""
    console.print(f"\nA semimove ends at {dots} split point(s) (.){modifiers}, and with the move.")
    table = Table(box=None, header_style="bold")
    for title in (
        "random play",
        "games",
        "moves/game",
        "states/game",
        "semimoves/move",
        "branching",
    ):
        table.add_column(title, justify="left" if title == "random play" else "right")
    for row in rows:
        table.add_row(
            row["mode"],
            str(row["games"]),
            *(f"{row[key]:.2f}" for key in ("moves", "states", "semimoves_per_move", "branching")),
        )
    console.print(table)


def _statistics(game: package.Game, seconds: float) -> dict[str, Any]:
    """Averages of random play: as many games as fit into the time, at least one."""
    from semisplit.rbg.simulate import Simulation, simulate

    statistics = Simulation()
    rules = game.interpreter
    deadline = time.monotonic() + seconds
    while statistics.games == 0 or time.monotonic() < deadline:
        random = Random(statistics.games)
        mod = game.split.mod if game.split else None
        simulate(rules, rules.start, random, statistics, mod=mod)
    return {
        "mode": str(game.split) if game.split else "orthodox",
        "games": statistics.games,
        "moves": statistics.moves / statistics.games,
        "states": statistics.states / statistics.games,
        "semimoves_per_move": statistics.semimoves / max(1, statistics.moves),
        "branching": statistics.choices / max(1, statistics.states),
    }
