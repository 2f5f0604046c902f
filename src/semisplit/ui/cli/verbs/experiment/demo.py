"""`semisplit demo`: the main job in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.system import command_line
from semisplit.ui.cli.options import Jobs
from semisplit.ui.cli.terminal.live import play_live
from semisplit.ui.cli.terminal.results import STORE, make_folder, write_results
from semisplit.ui.cli.verbs.experiment.match import report_lines

_GAME, _A, _B, _BUDGET = "knightthrough", "semisplit-nodal@Mod", "orthodox", "5ms"


def demo(
    games: Annotated[int, typer.Option(min=2, help="How many games.")] = 160,
    out: Annotated[Path, typer.Option(help="The folder for results.")] = Path("demo"),
    jobs: Jobs = None,
) -> None:
    """Play a short match: split moves against whole moves at Knightthrough."""
    from rich.console import Console

    import semisplit
    from semisplit.agents import parse_agent
    from semisplit.lab.matches.match import Match
    from semisplit.lab.matches.tournament import report

    console = Console(highlight=False, soft_wrap=True)
    agents = (parse_agent(_A), parse_agent(_B))
    match = Match(semisplit.load(_GAME), agents, games, _BUDGET)
    folder = make_folder(out)
    console.print(f"{match}, {games} games. The score is that of {_A}.")
    outcomes = play_live([match], folder / STORE, jobs, console)
    for line in report_lines(outcomes[0])[1:]:
        console.print(line, markup=False)
    write_results(report("demo", outcomes), [match], folder, console)
    replay = command_line(["semisplit", "replay", str(folder / STORE), "1"])
    console.print(f"A game of it, move by move:\n  {replay}", markup=False)
    console.print(f"Another game, more time:\n  semisplit match amazons {_A} {_B} --budget 100ms")
