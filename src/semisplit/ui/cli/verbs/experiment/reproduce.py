"""`semisplit reproduce`: an experiment of the papers again."""

from __future__ import annotations

import json as json_module
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Jobs, Json
from semisplit.ui.cli.terminal.live import play_live, told_how_to_go_on
from semisplit.ui.cli.terminal.results import STORE, make_folder, write_results
from semisplit.ui.cli.terminal.tables import print_table
from semisplit.ui.cli.verbs.experiment.match import summary

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.status import Status

    from semisplit.lab.matches.outcome import Outcome
    from semisplit.lab.papers import Experiment
    from semisplit.lab.papers.reproduce import Planned, Selection
    from semisplit.lab.reports.document import Document


def reproduce(
    experiment: Annotated[
        str,
        typer.Argument(
            help="aaai22-table1, thesis-5.1, mtmcts-figure2, hybrid-table2 ...",
            autocompletion=shell.experiments,
        ),
    ],
    scale: Annotated[
        float,
        typer.Option(
            min=0.001,
            max=10,
            help="Shrinks the numbers of games and budgets, which makes it another experiment.",
        ),
    ] = 1.0,
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Games of each match, or runs of a puzzle, whatever the scale."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(help="Only these games.", autocompletion=shell.games),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="Only these agents.", autocompletion=shell.agents),
    ] = None,
    budget: Annotated[list[str] | None, typer.Option(help="Only these: timed, fixed.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for results; the experiment's name if not given."),
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Run an experiment of the papers, and show our numbers beside theirs.

    The same command goes on with it, should it have been interrupted.
    """
    from rich.console import Console

    from semisplit.core.errors import InputError
    from semisplit.lab import papers
    from semisplit.lab.papers.reproduce import Selection
    from semisplit.lab.reports.document import Table

    printed = papers.load(experiment)
    if printed.measurements and (games or agent or budget):
        raise InputError(f"nobody plays in {experiment}: it can be changed by --scale and --game")
    folder = make_folder(out or Path(experiment))
    console = Console(highlight=False, stderr=json)
    selection = Selection(agent or (), game or (), budget or ())
    planned: list[Planned] = []
    outcomes: list[Outcome] = []
    if printed.solutions:
        document = _solve(printed, scale, games, selection, folder, console)
    elif printed.measurements:
        document = _measure(printed, scale, selection.games, folder, console)
    else:
        played = _play(printed, scale, games, selection, folder, jobs, console)
        document, planned, outcomes = played
    tables = [part for part in document.parts if isinstance(part, Table)]
    for table in tables:
        print_table(table, console)
    write_results(document, [one.match for one in planned], folder, console)
    if json:
        data = {
            "experiment": experiment,
            "scale": scale,
            "matches": _results(printed, planned, outcomes),
            "tables": [asdict(table) for table in tables],
        }
        print(json_module.dumps(data))


def _results(
    experiment: Experiment, planned: Sequence[Planned], outcomes: Sequence[Outcome]
) -> list[dict[str, Any]]:
    """Our scores and those of the paper, from 0 to 1."""
    from semisplit.lab.matches.outcome import corrected, duels

    results = []
    for plan, ended in zip(planned, corrected(duels(outcomes))):
        printed = experiment.find(plan.match.key.game, plan.a, plan.b, plan.budget)
        theirs = None if printed is None or printed.score is None else printed.score / 100
        results.append({**summary(ended), "budget": plan.budget, "paper": theirs})
    return results


def _status(console: Console) -> Status:
    """A line that says what is being done, with all words as they are."""
    from rich.status import Status
    from rich.text import Text

    class Whole(Status):
        def update(self, status: RenderableType | None = None, **options: Any) -> None:
            super().update(Text(str(status), overflow="fold"), **options)

    return Whole("", console=console)


def _measure(
    printed: Experiment, scale: float, games: Collection[str], folder: Path, console: Console
) -> Document:
    from semisplit.lab.papers.remeasure import remeasure
    from semisplit.lab.papers.reproduce import describe
    from semisplit.lab.reports.document import Document
    from semisplit.lab.store.database import Store

    with (
        closing(Store(folder / STORE)) as store,
        told_how_to_go_on(console),
        _status(console) as status,
    ):
        table = remeasure(printed, scale, games, store, status.update)
    return Document(printed.name, describe(printed), (table,))


def _solve(
    printed: Experiment,
    scale: float,
    runs: int | None,
    selection: Selection,
    folder: Path,
    console: Console,
) -> Document:
    from semisplit.lab.papers.puzzles import RUNS, solve_again
    from semisplit.lab.papers.reproduce import describe
    from semisplit.lab.reports.document import Document
    from semisplit.lab.store.database import Store

    with (
        closing(Store(folder / STORE)) as store,
        told_how_to_go_on(console),
        _status(console) as status,
    ):
        runs = runs or max(1, round(scale * RUNS))
        table = solve_again(printed, runs, scale, selection, store, status.update)
    return Document(printed.name, describe(printed, scale), (table,))


def _play(
    printed: Experiment,
    scale: float,
    length: int | None,
    selection: Selection,
    folder: Path,
    jobs: int | None,
    console: Console,
) -> tuple[Document, list[Planned], list[Outcome]]:
    from semisplit.lab.papers.reproduce import compare, plan_experiment

    planned = plan_experiment(printed, scale, selection, length)
    matches = [one.match for one in planned]
    outcomes = play_live(matches, folder / STORE, jobs, console)
    return compare(printed, planned, outcomes), planned, outcomes
