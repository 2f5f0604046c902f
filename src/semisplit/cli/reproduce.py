"""`semisplit reproduce`: an experiment of the papers again."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.cli.live import play_live, told_how_to_go_on
from semisplit.cli.options import Jobs
from semisplit.cli.results import STORE, make_folder, print_table, write_results

if TYPE_CHECKING:
    from rich.console import Console

    from semisplit.lab.document import Document
    from semisplit.lab.match import Match
    from semisplit.lab.papers import Experiment
    from semisplit.lab.reproduce import Selection


def reproduce(
    experiment: Annotated[
        str, typer.Argument(help="aaai22-table1, thesis-5.1, mtmcts-figure2, hybrid-table2 ...")
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
    game: Annotated[list[str] | None, typer.Option(help="Only these games.")] = None,
    agent: Annotated[list[str] | None, typer.Option(help="Only these agents.")] = None,
    budget: Annotated[list[str] | None, typer.Option(help="Only these: timed, fixed.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for results; the experiment's name if not given."),
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Run an experiment of the papers, and show our numbers beside theirs.

    The same command goes on with it, should it have been interrupted.
    """
    from rich.console import Console

    from semisplit.core.errors import InputError
    from semisplit.lab import papers
    from semisplit.lab.document import Table
    from semisplit.lab.reproduce import Selection

    printed = papers.load(experiment)
    if printed.measurements and (games or agent or budget):
        raise InputError(f"nobody plays in {experiment}: it can be changed by --scale and --game")
    folder = make_folder(out or Path(experiment))
    console = Console(highlight=False)
    selection = Selection(agent or (), game or (), budget or ())
    matches: list[Match] = []
    if printed.solutions:
        document = _solve(printed, scale, games, selection, folder, console)
    elif printed.measurements:
        document = _measure(printed, scale, selection.games, folder, console)
    else:
        document, matches = _play(printed, scale, games, selection, folder, jobs, console)
    for part in document.parts:
        if isinstance(part, Table):
            print_table(part, console)
    write_results(document, matches, folder, console)


def _measure(
    printed: Experiment, scale: float, games: Collection[str], folder: Path, console: Console
) -> Document:
    from semisplit.lab.document import Document
    from semisplit.lab.remeasure import remeasure
    from semisplit.lab.reproduce import describe
    from semisplit.lab.store import Store

    with (
        closing(Store(folder / STORE)) as store,
        told_how_to_go_on(console),
        console.status("") as status,
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
    from semisplit.lab.document import Document
    from semisplit.lab.puzzles import RUNS, solve_again
    from semisplit.lab.reproduce import describe
    from semisplit.lab.store import Store

    with (
        closing(Store(folder / STORE)) as store,
        told_how_to_go_on(console),
        console.status("") as status,
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
) -> tuple[Document, list[Match]]:
    from semisplit.lab.reproduce import compare, plan_experiment

    planned = plan_experiment(printed, scale, selection, length)
    matches = [one.match for one in planned]
    outcomes = play_live(matches, folder / STORE, jobs, console)
    return compare(printed, planned, outcomes), matches
