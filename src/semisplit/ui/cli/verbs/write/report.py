"""`semisplit report`: what a game is like, as a page."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.core.errors import InputError
from semisplit.core.work import limited
from semisplit.ui.cli.options import Game, Json
from semisplit.ui.cli.verbs.experiment.match import summary

if TYPE_CHECKING:
    from semisplit.lab.reports.profile import Profile


def report(
    game: Game,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page; named like the game, in this folder."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="How long to play.")] = 8.0,
    json: Json = False,
) -> None:
    """Play thousands of games and report balance, length, branching, draws, and skill."""
    from rich.console import Console

    import semisplit
    from semisplit.games import title
    from semisplit.lab.reports.document import Table
    from semisplit.lab.reports.profile import examine
    from semisplit.lab.reports.profile import report as write_report
    from semisplit.ui.cli.terminal.tables import print_table

    loaded = semisplit.load(game)
    with limited(2 * seconds):
        profile = examine(loaded, seconds)
        document = write_report(profile, title(loaded.text) or loaded.name)
    console = Console(highlight=False, stderr=json)
    if not json:
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
    if json:
        told = {"findings": document.paragraphs, **_figures(profile), "report": str(path)}
        print(json_module.dumps({"game": loaded.name, "title": document.title, **told}))


def _figures(profile: Profile) -> dict[str, Any]:
    """What was found out, for programs."""
    games, players = profile.games, profile.game.seats
    lengths = [one.length for one in games]
    choices = [count for counts in profile.choices for count in counts]
    wins = {name: profile.winners[name] for name in players}
    return {
        "random_games": len(games),
        "endless": profile.endless,
        "lengths": {**_spread(lengths), "median": median(lengths)} if lengths else None,
        "wins": wins,
        "without_winner": len(games) - sum(wins.values()),
        "scores": {
            name: fmean(one.scores[seat] for one in games) if games else None
            for seat, name in enumerate(players)
        },
        "moves": _spread(choices) if choices else None,
        "searches": summary(profile.duel) if profile.duel and profile.duel.games else None,
        "seconds": profile.seconds,
    }


def _spread(counts: list[int]) -> dict[str, float]:
    return {"mean": fmean(counts), "least": min(counts), "most": max(counts)}
