"""`semisplit report`: what a game is like, as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from semisplit.cli.options import Game
from semisplit.core.errors import InputError
from semisplit.core.work import limited


def report(
    game: Game,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page; named like the game, in this folder."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="How long to play.")] = 8.0,
) -> None:
    """Play thousands of games and report balance, length, branching, draws, and skill."""
    from rich.console import Console

    import semisplit
    from semisplit.cli.tables import print_table
    from semisplit.games import title
    from semisplit.lab.document import Table
    from semisplit.lab.profile import examine
    from semisplit.lab.profile import report as write_report

    loaded = semisplit.load(game)
    with limited(2 * seconds):
        document = write_report(examine(loaded, seconds), title(loaded.text) or loaded.name)
    console = Console(highlight=False)
    for paragraph in document.paragraphs:
        console.print(paragraph, markup=False)
    for part in document.parts:
        if isinstance(part, Table):
            print_table(part, console)
    path = out or Path(f"{Path(loaded.name).stem}.html")
    try:
        path.write_text(document.html, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    console.print(f"The report is {path}.", markup=False)
