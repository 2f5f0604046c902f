"""`semisplit connect`: an agent as a player of a manager."""

from __future__ import annotations

from typing import Annotated

import typer

from semisplit.ui.cli import shell


def connect(
    host: Annotated[str, typer.Argument(help="Where the manager is.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="Its port.")],
    agent: Annotated[
        str,
        typer.Option(help="Who plays; `semisplit agents` lists some.", autocompletion=shell.agents),
    ] = "auto",
    simulations_limit: Annotated[
        int | None,
        typer.Option(min=1, help="Simulations for each move, whatever time the manager gives."),
    ] = None,
    states_limit: Annotated[
        int | None,
        typer.Option(min=1, help="States for each move, whatever time the manager gives."),
    ] = None,
    states: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Where statistics of all moves go after each turn; stdout is possible.",
        ),
    ] = None,
) -> None:
    """Play for a manager, as many games as it wants, and show what the agent thinks."""
    import asyncio

    from rich.console import Console

    from semisplit.agents import parse_agent
    from semisplit.core.errors import InputError
    from semisplit.net.manager.client import join
    from semisplit.net.manager.logs import open_log
    from semisplit.search import Budget
    from semisplit.ui.cli.terminal.display import Display

    config, budget = parse_agent(agent), None
    if simulations_limit and states_limit:
        raise InputError("either simulations or states can be limited, not both")
    if simulations_limit or states_limit:
        budget = Budget(simulations=simulations_limit, states=states_limit)
    console = Console(highlight=False)
    try:
        with open_log(states) as log, Display(console, log) as display:
            asyncio.run(join(host, port, config, display, budget=budget))
    except KeyboardInterrupt:
        console.print("stopped")
        raise typer.Exit(130) from None
