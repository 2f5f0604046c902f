"""Arguments and options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

from semisplit.ui.cli import shell

Game = Annotated[
    str,
    typer.Argument(
        help="A bundled game, or the path of a description.", autocompletion=shell.games
    ),
]
Split = Annotated[
    str | None,
    typer.Option(
        help="Split strategy: Mod, Plus, Shift, a combination like ModPlus, or Dots.",
        autocompletion=shell.splits,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Games at a time; one per core if not given.")
]
OnCluster = Annotated[
    bool,
    typer.Option("--cluster", help="Play on the cluster, as many games as it has places for."),
]
