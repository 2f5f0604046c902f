"""`semisplit agents`: who can play, and who should."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Json

if TYPE_CHECKING:
    from semisplit.agents.auto.choice import Choice
    from semisplit.agents.auto.methods import ParallelOption


def agents(
    game: Annotated[
        str | None,
        typer.Option(
            "--for",
            help="Tell what `auto` chooses for a game, and why.",
            autocompletion=shell.games,
        ),
    ] = None,
    agent: Annotated[
        str, typer.Option(help="With --for: how to choose, like auto,preparation=10.")
    ] = "auto",
    budget: Annotated[
        str, typer.Option(help="With --for: what each move will have, like 500ms or 10000sims.")
    ] = "1s",
    parameters: Annotated[
        bool, typer.Option("--parameters", help="List what can be set, as in C=0.7.")
    ] = False,
    json: Json = False,
) -> None:
    """List agents with a name, and how to spell others; or tell which one suits a game."""
    if parameters:
        _list_parameters(json)
        return
    if game is None:
        _list(json)
        return
    import semisplit
    from semisplit.agents import parse_agent
    from semisplit.agents.auto.choice import choose_for
    from semisplit.agents.config import AutoConfig
    from semisplit.core.errors import InputError
    from semisplit.core.work import limited
    from semisplit.lab.matches.budgets import Like, parse_budget

    config, limit = parse_agent(agent), parse_budget(budget)
    if not isinstance(config, AutoConfig):
        raise InputError(f"the agent {agent} does not choose; auto does")
    with limited():
        loaded = semisplit.load(game)
        limit = limit.measure(loaded) if isinstance(limit, Like) else limit
        choice = choose_for(config, loaded, limit)
    if choice is None:
        chosen = "mt-mcts,plans=true"
        found: dict[str, object] = {"chosen": chosen, "candidates": []}
        about = f"{chosen}, as {game} is a puzzle"
    else:
        chosen = choice.notation(config.parallel)
        found = {"chosen": chosen, "candidates": [asdict(one) for one in choice.candidates]}
        if choice.ways:
            found["ways"] = [asdict(one) for one in choice.ways]
        about = f"{chosen} for {game} with {budget} per move, chosen in {choice.seconds:.1f} s"
    if json:
        print(json_module.dumps(found))
        return
    print(about)
    if choice is not None:
        _show(choice)


def _show(choice: Choice) -> None:
    """The candidates, from the best to the worst."""
    width = max(len(one.notation) for one in choice.candidates)
    print(f"\n{'Elo':<{width}}  by features  with short games  points")
    for one in choice.candidates:
        games = f"{one.points:g} of {one.games}" if one.games else "-"
        after = f"{one.elo:+.0f} ± {one.deviation:.0f}"
        print(f"{one.notation:<{width}}  {one.prior:>+11.0f}  {after:>16}  {games}")
    print(
        "\nWhat features tell comes from games of all these at other games; ± is a standard"
        " deviation.\n`semisplit explain GAME --features` shows the features."
    )
    if choice.ways:
        _show_ways(choice.ways)


def _show_ways(ways: tuple[ParallelOption, ...]) -> None:
    """What threads could do, from the best to the worst."""
    width = max(len(one.notation) for one in ways)
    print(f"\n{'Threads':<{width}}  simulations/s  worth of each  in all")
    for one in ways:
        speed, total = ("-" if x is None else f"{x:,.0f}" for x in (one.speed, one.total))
        total = "-" if one.speed is None else total
        print(f"{one.notation:<{width}}  {speed:>13}  {one.worth:>13.2f}  {total}")
    print("\nWhat a simulation is worth, in those of one thread, comes from games at other games.")


def _list_parameters(json: bool) -> None:
    from rich.console import Console

    from semisplit.agents.catalogue import COMPONENTS, rows
    from semisplit.lab.reports.document import Table
    from semisplit.ui.cli.terminal.tables import print_table

    if json:
        found = [row._asdict() for kind in COMPONENTS for row in rows(kind)]
        print(json_module.dumps(found))
        return
    console = Console()
    for kind, (title, _) in COMPONENTS.items():
        named = ((row.notation, row.values, row.usual, row.meaning) for row in rows(kind))
        shown = tuple(row for row in named if row[0])
        print_table(Table(title, ("name", "values", "usual", "meaning"), shown), console)


def _list(json: bool) -> None:
    from semisplit.agents.names import NAMED, SIMPLE

    meanings = {str(name): text for name, text in SIMPLE.items()} | NAMED
    if json:
        rows = [{"agent": name, "meaning": text} for name, text in meanings.items()]
        print(json_module.dumps(rows))
        return
    width = max(map(len, meanings))
    for name, text in meanings.items():
        print(f"{name:<{width}}  {text}")
    print(
        "\nOthers are spelt in the same way: tree[-nodal|-raw][/simulation][+mast...][+rave...]"
        "[+policy...][@Strategy][,C=0.7 ...]\n"
        "A path to a .json file in the thesis' format is an agent, too."
    )
