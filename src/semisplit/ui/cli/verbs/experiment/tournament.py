"""`semisplit tournament`: games, agents and budgets from a file."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli.options import Jobs, Json, OnCluster
from semisplit.ui.cli.terminal.live import play_live
from semisplit.ui.cli.terminal.results import STORE, make_folder, write_results
from semisplit.ui.cli.terminal.tables import print_table
from semisplit.ui.cli.verbs.experiment.match import summary


def tournament(
    file: Annotated[Path, typer.Argument(help="The tournament, as docs/matches.md explains.")],
    out: Annotated[
        Path | None, typer.Option(help="The folder for results; named like the file if not given.")
    ] = None,
    jobs: Jobs = None,
    cluster: OnCluster = False,
    json: Json = False,
) -> None:
    """Play all matches of a tournament. The same command goes on with it."""
    from rich.console import Console

    from semisplit.lab.matches.outcome import Duel, corrected, duels
    from semisplit.lab.matches.tournament import plan_matches, read_plan, report
    from semisplit.lab.reports.document import Table

    plan = read_plan(file)
    with limited():
        matches = plan_matches(plan, file)
    folder = make_folder(out or file.with_suffix(""))
    console = Console(highlight=False, stderr=json)
    sequential = plan.stop == "sprt"
    outcomes = play_live(
        matches, folder / STORE, jobs, console, sequential=sequential, on_cluster=cluster
    )
    document = report(file.stem, outcomes)
    for part in document.parts:
        # Matches have been printed when they ended.
        if isinstance(part, Table) and not part.title.startswith("Matches"):
            print_table(part, console)
    write_results(document, matches, folder, console)
    if json:
        others = (one for one in outcomes if not isinstance(one, Duel))
        for one in (*corrected(duels(outcomes)), *others):
            print(json_module.dumps(summary(one)))
