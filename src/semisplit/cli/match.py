"""`semisplit match`: two agents, many games."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from semisplit.cli.live import play_live
from semisplit.cli.options import Game, Jobs, Json
from semisplit.core.work import limited

if TYPE_CHECKING:
    from semisplit.lab.outcome import Outcome

Stop = Literal["sprt"]


def match(
    game: Game,
    a: Annotated[str, typer.Argument(help="An agent; `semisplit agents` lists some.")],
    b: Annotated[str, typer.Argument(help="The other one.")],
    games: Annotated[
        int | None,
        typer.Option(min=1, help="How many games: 100, or at most 1000 with --stop."),
    ] = None,
    budget: Annotated[
        str, typer.Option(help="For each move: 500ms, 10000sims, 100000states, like:orthodox:1s.")
    ] = "500ms",
    seed: Annotated[int, typer.Option(help="Another seed gives other games.")] = 0,
    jobs: Jobs = None,
    stop: Annotated[Stop | None, typer.Option(help="End when the result is decided.")] = None,
    store: Annotated[Path, typer.Option(help="Where the games are kept.")] = Path("semisplit.db"),
    json: Json = False,
) -> None:
    """Play a match. The same command goes on with it, should it have been interrupted."""
    from rich.console import Console

    import semisplit
    from semisplit.agent import parse_agent
    from semisplit.lab.match import Match, default_length

    sequential = stop == "sprt"
    length = games or default_length(sequential=sequential)
    with limited():
        loaded = semisplit.load(game)
    planned = Match(loaded, parse_agent(a), parse_agent(b), length, budget, seed)
    console = Console(highlight=False, stderr=json)
    (ended,) = play_live([planned], store, jobs, console, sequential=sequential)
    for line in report_lines(ended):
        console.print(line, markup=False)
    if json:
        print(json_module.dumps(summary(ended)))


def report_lines(ended: Outcome) -> list[str]:
    """The result of a match in words."""
    from semisplit.lab.evidence import elo_interval
    from semisplit.lab.standings import write_elo

    record, failures = ended.record, ended.failures
    repeats = ended.distinct is not None and ended.distinct < record.games
    games = f"{record.games} games" + (f", {ended.distinct} of them different" if repeats else "")
    lines = [
        str(ended.match),
        f"{games}: {record.wins} won, {record.draws} drawn, {record.losses} lost",
        f"score {ended.score} %: {ended.verdict}",
        f"Elo difference from {write_elo(elo_interval(ended.interval))}",
    ]
    if failures:
        count = "1 failure" if len(failures) == 1 else f"{len(failures)} failures, the first"
        lines.append(f"{count}: {failures[0]}")
    return lines


def summary(ended: Outcome) -> dict[str, object]:
    """The result of a match for programs."""
    match, record = ended.match, ended.record
    return {
        "game": match.key.game,
        "a": match.a.name,
        "b": match.b.name,
        "games": record.games,
        "distinct": ended.distinct,
        "wins": record.wins,
        "draws": record.draws,
        "losses": record.losses,
        "score": record.score,
        "ci95": list(ended.interval),
        "verdict": ended.verdict,
    }
