"""`semisplit match`: some agents, many games."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from semisplit.core.work import limited
from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Game, Jobs, Json
from semisplit.ui.cli.terminal.live import play_live

if TYPE_CHECKING:
    from semisplit.lab.matches.outcome import Duel, Outcome, Puzzle

Stop = Literal["sprt"]


def match(
    game: Game,
    agents: Annotated[
        list[str],
        typer.Argument(
            help="As many as the game has players, or two who share the seats;"
            " `semisplit agents` lists some.",
            autocompletion=shell.agents,
        ),
    ],
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
    """Play a match. The same command goes on with it, should it have been interrupted.

    Who sits where changes from game to game, so that all agents sit on all seats equally often. Of
    two agents it is told which one is better, of others what they score on average.
    """
    from rich.console import Console

    import semisplit
    from semisplit.agents import parse_agent
    from semisplit.core.errors import InputError
    from semisplit.lab.matches.match import Match, default_length

    sequential = stop == "sprt"
    length = games or default_length(sequential=sequential)
    with limited():
        loaded = semisplit.load(game)
    planned = Match(loaded, tuple(map(parse_agent, agents)), length, budget, seed)
    if sequential and not planned.is_duel:
        raise InputError("--stop is for two agents, one of whom may be better")
    console = Console(highlight=False, stderr=json)
    (ended,) = play_live([planned], store, jobs, console, sequential=sequential)
    for line in report_lines(ended):
        console.print(line, markup=False)
    if json:
        print(json_module.dumps(summary(ended)))


def report_lines(ended: Outcome) -> list[str]:
    """The result of a match in words."""
    from semisplit.lab.matches.outcome import Duel, Puzzle
    from semisplit.lab.reports.standings import score_rows, seat_cells

    failures = ended.failures
    repeats = ended.distinct is not None and ended.distinct < ended.games
    games = f"{ended.games} games" + (f", {ended.distinct} of them different" if repeats else "")
    lines = [str(ended.match), games]
    if isinstance(ended, Duel):
        lines[1:] = _duel_lines(ended, games)
    if ended.match.seats != 2:
        lines += [f"average score of {name}: {score} %" for name, score in score_rows(ended)]
    if isinstance(ended, Puzzle):
        lines += _puzzle_lines(ended)
    else:
        for agent, scores in zip(ended.match.agents, ended.by_seat):
            lines.append(f"{agent.name} as {', '.join(seat_cells(ended, scores))} %")
    lines += ended.given_up
    if failures:
        count = "1 failure" if len(failures) == 1 else f"{len(failures)} failures, the first"
        lines.append(f"{count}: {failures[0]}")
    return lines


def _duel_lines(ended: Duel, games: str) -> list[str]:
    from semisplit.lab.reports.standings import write_elo
    from semisplit.stats.evidence import elo_interval

    record = ended.record
    return [
        f"{games}: {record.wins} won, {record.draws} drawn, {record.losses} lost",
        f"score {ended.standing} %: {ended.verdict}",
        f"Elo difference from {write_elo(elo_interval(ended.interval))}",
    ]


def _puzzle_lines(ended: Puzzle) -> list[str]:
    lines = [f"solved {sum(ended.solved)} of {ended.games}: {ended.share} %"]
    if ended.efforts:
        simulations, seconds = ended.efforts
        lines.append(f"a solution took {simulations} simulations, {seconds} seconds")
    return lines


def summary(ended: Outcome) -> dict[str, object]:
    """The result of a match for programs."""
    from semisplit.lab.matches.outcome import Duel, Puzzle

    key = ended.match.key
    told: dict[str, object] = {"game": key.game}
    if isinstance(ended, Duel):
        told |= {"a": key.agents[0], "b": key.agents[1]}
    told |= {"games": ended.games, "distinct": ended.distinct}
    if isinstance(ended, Duel):
        record = ended.record
        told |= {
            "wins": record.wins,
            "draws": record.draws,
            "losses": record.losses,
            "score": ended.score,
            "ci95": list(ended.interval),
            "verdict": ended.verdict,
        }
    if any(ended.abandoned):
        told["abandoned"] = list(ended.abandoned)
    if ended.match.seats != 2:
        told["agents"] = [
            {"agent": name, "average": average.score, "ci95": list(average.interval)}
            for name, average in zip(key.agents, ended.averages)
        ]
    if isinstance(ended, Puzzle):
        told["solved"] = sum(ended.solved)
        if ended.efforts:
            told |= {
                name: {"mean": one.mean, "sd": one.deviation, "ci95": one.interval}
                for name, one in zip(("simulations", "seconds"), ended.efforts)
            }
    else:
        players = ended.match.game.seats
        told["seats"] = [dict(zip(players, scores)) for scores in ended.by_seat]
    return told
