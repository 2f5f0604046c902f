"""`semisplit explain`: what a split strategy does to a game."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Game, Json

if TYPE_CHECKING:
    import semisplit as package


def explain(
    game: Game,
    split: Annotated[
        str,
        typer.Option(help="The strategy, like Mod or ModPlus.", autocompletion=shell.splits),
    ] = "Mod",
    seconds: Annotated[float, typer.Option(help="How long to play at random.")] = 1.0,
    dot: Annotated[
        bool, typer.Option(help="Print the network of a game in GDL for Graphviz.")
    ] = False,
    features: Annotated[
        bool, typer.Option(help="Print what short random play tells about the game.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the rules with their split points, and how moves look when split.

    Of games in GDL, show what has become of their rules, a network of gates.
    """
    import semisplit

    with limited(more_seconds=2 * seconds):
        loaded = semisplit.load(game)
        rules = loaded.rules
        if features:
            _show_features(loaded, json)
        elif rules.can_split and not dot:
            _explain_split(loaded, split, seconds, json)
        else:
            network = rules.language.explain_network(rules)
            if dot:
                print(network.dot())
            else:
                print(json_module.dumps(network.data) if json else network)


def _show_features(game: package.Game, json: bool) -> None:
    from semisplit.agents.auto.features import measure_features

    found = measure_features(game)
    print(json_module.dumps(asdict(found)) if json else found)


def _explain_split(game: package.Game, split: str, seconds: float, json: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    from semisplit.lab.reports.document import Table
    from semisplit.ui.cli.terminal.tables import print_table

    divided = game.split_by(split)
    found = divided.rules.language.explain_split(divided.rules, seconds)
    rows = found.statistics
    if json:
        print(json_module.dumps(rows))
        return
    console = Console(highlight=False)
    text = Text(found.layout(console.width))
    text.highlight_regex(r"(?<=\s)\.(?=\s)", "bold reverse red")
    text.highlight_regex(r"->>|->\w+", "bold green")
    console.print(text)
    assert divided.split is not None
    modifiers = " and behind every modifier" if divided.split.mod else ""
    ends = f"{found.dots} split point(s) (.){modifiers}"
    console.print(f"\nA semimove ends at {ends}, and with the move.")
    titles = ("random play", "games", "moves/game", "states/game", "semimoves/move", "branching")
    cells = (
        (mode, str(games), *("-" if a is None else f"{a:.2f}" for a in averages))
        for mode, games, *averages in (row.values() for row in rows)
    )
    print_table(Table("", titles, tuple(cells)), console)
    if any(row["branching"] is None for row in rows):
        console.print("Looking for the moves of one position takes too long to play at random.")
