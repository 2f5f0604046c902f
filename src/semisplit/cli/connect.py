"""`semisplit connect`: an agent as a player of a manager."""

from __future__ import annotations

from typing import Annotated

import typer

from semisplit.cli import shell


def connect(
    host: Annotated[str, typer.Argument(help="Where the manager is.")],
    port: Annotated[int, typer.Argument(min=1, max=65535, help="Its port.")],
    agent: Annotated[
        str,
        typer.Option(help="Who plays; `semisplit agents` lists some.", autocompletion=shell.agents),
    ] = "auto",
) -> None:
    """Play for a manager, as many games as it wants, and show what the agent thinks."""
    import asyncio

    from rich.console import Console

    from semisplit.agent import parse_agent
    from semisplit.cli.display import Display
    from semisplit.manager.client import join

    config = parse_agent(agent)
    console = Console(highlight=False)
    try:
        with Display(console) as display:
            asyncio.run(join(host, port, config, display))
    except KeyboardInterrupt:
        console.print("stopped")
        raise typer.Exit(130) from None
