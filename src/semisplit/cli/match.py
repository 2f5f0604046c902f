"""`semisplit match`: two agents, many games."""

from __future__ import annotations

import json as json_module
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from semisplit.cli.options import Game, Json

if TYPE_CHECKING:
    from rich.console import Console

    from semisplit.lab.match import Match
    from semisplit.lab.statistics import Record
    from semisplit.lab.store import Store

Stop = Literal["sprt"]


def match(
    game: Game,
    a: Annotated[str, typer.Argument(help="An agent; `semisplit agents` lists some.")],
    b: Annotated[str, typer.Argument(help="The other one.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    budget: Annotated[
        str, typer.Option(help="For each move: 500ms, 10000sims, 100000states, like:orthodox:1s.")
    ] = "500ms",
    seed: Annotated[int, typer.Option(help="Another seed gives other games.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Games at a time; one per core if not given.")
    ] = None,
    stop: Annotated[Stop | None, typer.Option(help="End when the result is decided.")] = None,
    store: Annotated[Path, typer.Option(help="Where the games are kept.")] = Path("semisplit.db"),
    json: Json = False,
) -> None:
    """Play a match. The same command goes on with it, should it have been interrupted."""
    from rich.console import Console

    import semisplit
    from semisplit.agent import parse_agent
    from semisplit.lab.match import Match
    from semisplit.lab.store import Store
    from semisplit.lab.workers import available_cores

    planned = Match(semisplit.load(game), parse_agent(a), parse_agent(b), games, budget, seed)
    console = Console(highlight=False, stderr=json)
    kept = Store(store)
    try:
        record, failures = _play(
            planned, kept, jobs or len(available_cores()), stop == "sprt", console
        )
    except KeyboardInterrupt:
        command = shlex.join(["semisplit", *sys.argv[1:]])
        console.print(f"Stopped; this goes on where it was:\n  {command}", markup=False)
        raise typer.Exit(130) from None
    finally:
        kept.close()
    _report(planned, record, failures, console)
    if json:
        print(json_module.dumps(_summary(planned, record)))


def _play(
    planned: Match, kept: Store, jobs: int, sequential: bool, console: Console
) -> tuple[Record, list[str]]:
    """Play what is missing, and show how it goes; returns the result and what went wrong."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from semisplit.lab.match import decided_after, finished_in_order, play_match, record_of
    from semisplit.lab.statistics import decided

    def is_decided(record: Record) -> bool:
        return decided(record) is not None

    test = is_decided if sequential else None
    columns = (
        TextColumn("{task.completed}/{task.total}"),
        BarColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    games = []
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=planned.games, rate="")
        for games in play_match(planned, kept, jobs, test):
            shown = games[: planned.games]
            speed = progress.tasks[bar].speed
            rate = f"{60 * speed:.1f} games/min" if speed else ""
            progress.update(
                bar, completed=len(shown), description=_score(record_of(shown)), rate=rate
            )
    end = decided_after(games, planned.games, test)
    counted = finished_in_order(games, end or planned.games)
    failures = [f"game {one.id}: {one.failure}" for one in counted if one.failure]
    return record_of(counted), failures


def _score(record: Record) -> str:
    from semisplit.lab.statistics import papers_interval

    if not record.games:
        return "no games yet"
    return f"{100 * record.score:.1f} % ± {100 * papers_interval(record).margin:.1f}"


def _report(planned: Match, record: Record, failures: list[str], console: Console) -> None:
    from semisplit.lab.statistics import elo_interval, verdict

    low, high = elo_interval(record)
    lines = [
        f"{planned.a.name} against {planned.b.name} at {planned.game.description.source.name},"
        f" {planned.budget} per move",
        f"{record.games} games: {record.wins} won, {record.draws} drawn, {record.losses} lost",
        f"score {_score(record)}: {verdict(record)}",
        f"Elo difference from {low:+.0f} to {high:+.0f}",
    ]
    if failures:
        lines.append(f"{len(failures)} games were lost by failures, the first: {failures[0]}")
    for line in lines:
        console.print(line, markup=False)


def _summary(planned: Match, record: Record) -> dict[str, object]:
    from semisplit.lab.statistics import papers_interval, verdict

    return {
        "game": planned.game.description.source.name,
        "a": planned.a.name,
        "b": planned.b.name,
        "games": record.games,
        "wins": record.wins,
        "draws": record.draws,
        "losses": record.losses,
        "score": record.score,
        "ci95": papers_interval(record).margin,
        "verdict": verdict(record),
    }
