"""`semisplit ggp`: General Game Playing over HTTP, as a player or as the host."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.errors import InputError
from semisplit.core.work import limited
from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Game

app = typer.Typer(
    name="ggp", help="General Game Playing over HTTP: a player, or the host.", no_args_is_help=True
)


@app.command()
def play(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where hosts ask; 0 takes one that is free.")
    ] = 9147,
    agent: Annotated[
        str,
        typer.Option(help="Who plays; `semisplit agents` lists some.", autocompletion=shell.agents),
    ] = "auto",
    name: Annotated[str, typer.Option(help="What to be called.")] = "semisplit",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    matches: Annotated[int, typer.Option(min=1, help="Matches played at once.")] = 1,
    margin: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="S", help="Seconds of a clock to keep back; by default 0.5, or 5 %."
        ),
    ] = None,
) -> None:
    """Play for any host, as many matches as it wants, and show what the agent thinks."""
    _need_libraries()
    import asyncio
    import logging

    from rich.console import Console

    from semisplit.agents import parse_agent
    from semisplit.net.ggp.player import Player
    from semisplit.net.ggp.server import serve
    from semisplit.ui.cli.terminal.ggp_display import PlayerDisplay

    logging.basicConfig(format="%(message)s", level=logging.INFO)
    console = Console(highlight=False)

    def opened(port: int) -> None:
        console.print(f"{name} waits for matches at http://{host}:{port}", markup=False)

    config = parse_agent(agent)
    try:
        with PlayerDisplay(console) as display:
            player = Player(config, name=name, matches=matches, margin=margin, observer=display)
            asyncio.run(serve(player, host, port, opened))
    except KeyboardInterrupt:
        console.print("stopped")
        raise typer.Exit(130) from None


@app.command()
def host(
    game: Game,
    player: Annotated[
        list[str],
        typer.Option(metavar="http://HOST:PORT", help="A player; one for each role but `random`."),
    ],
    start_clock: Annotated[int, typer.Option(min=1, help="Seconds to get ready.")] = 30,
    play_clock: Annotated[int, typer.Option(min=1, help="Seconds for each move.")] = 10,
    games: Annotated[int, typer.Option(min=1, help="Games, between which roles change.")] = 1,
    scramble: Annotated[bool, typer.Option(help="Give players other names.")] = False,
    record: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep records, and go on with what was begun."),
    ] = None,
) -> None:
    """Let players play, check their moves, and keep the score."""
    _need_libraries()
    import asyncio
    import logging

    from rich.console import Console

    import semisplit
    from semisplit.net.ggp.client import Address
    from semisplit.net.ggp.host import Host, Terms
    from semisplit.net.ggp.records import Records
    from semisplit.ui.cli.terminal.ggp_display import HostDisplay
    from semisplit.ui.cli.terminal.live import told_how_to_go_on

    logging.basicConfig(format="%(message)s", level=logging.INFO)
    console = Console(highlight=False)
    with limited():
        loaded = semisplit.load(game, engine="interpreter")
    terms = Terms(start_clock, play_clock, games, scramble)
    records = Records(record) if record else None
    addresses = [*map(Address, player)]
    try:
        with (
            HostDisplay(console) as display,
            told_how_to_go_on(console) if record else nullcontext(),
        ):
            asyncio.run(Host(loaded, addresses, terms, records, display).play())
    except KeyboardInterrupt:
        console.print("stopped")
        raise typer.Exit(130) from None


def _need_libraries() -> None:
    if not all(map(find_spec, ("httpcore", "starlette", "uvicorn"))):
        raise InputError("playing over HTTP needs more libraries: pip install 'semisplit[net]'")
