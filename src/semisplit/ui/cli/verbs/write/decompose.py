"""`semisplit decompose`: the sub-games of a game."""

from __future__ import annotations

import json as json_module
from typing import Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli.options import Game, Json


@limited()
def decompose(
    game: Game,
    overlapping: Annotated[
        bool, typer.Option("--overlapping", help="A fluent may be in several sub-games.")
    ] = False,
    statistical: Annotated[
        bool,
        typer.Option("--statistical", help="By what is seen in random play, not by the rules."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the random play that is observed.")] = 0,
    dot: Annotated[bool, typer.Option("--dot", help="Print a picture for Graphviz.")] = False,
    json: Json = False,
) -> None:
    """Find the games that a game is made of."""
    import semisplit

    rules = semisplit.load(game).rules
    found = rules.language.decompose(rules, seed, overlapping=overlapping, statistical=statistical)
    if dot:
        print(found.dot())
    else:
        print(json_module.dumps(found.data) if json else found)
