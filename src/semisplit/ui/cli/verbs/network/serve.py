"""`semisplit serve`: a game manager."""

from __future__ import annotations

from typing import Annotated

import typer

from semisplit.core.work import limited
from semisplit.net.manager.terms import IllegalPolicy, LatePolicy
from semisplit.ui.cli.options import Game


def serve(
    game: Game,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")],
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    deadline: Annotated[
        int, typer.Option(min=0, metavar="MS", help="Time for each move; 0 sets no limit.")
    ] = 60_000,
    preparation: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="MS", help="Time to get ready, 0: no limit; by default the deadline."
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each match.")] = 1,
    matches: Annotated[int, typer.Option(min=1, help="Matches played at once.")] = 1,
    log_moves: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where moves go; stdout is possible.")
    ] = None,
    log_results: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where results go; stdout is possible.")
    ] = None,
    late: Annotated[
        LatePolicy, typer.Option(help="A move a second too late is noted only, or loses the game.")
    ] = "note",
    illegal: Annotated[
        IllegalPolicy, typer.Option(help="An illegal move loses the game, or ends the match.")
    ] = "lose",
    patience: Annotated[
        int,
        typer.Option(
            min=0, metavar="MS", help="How long to wait for who is late; 0 waits for ever."
        ),
    ] = 60_000,
) -> None:
    """Wait for players, give them the rules, let them play and check their moves."""
    import asyncio
    import logging

    import semisplit
    from semisplit.core.errors import InputError
    from semisplit.net.manager.logs import Logs
    from semisplit.net.manager.server import Manager
    from semisplit.net.manager.terms import MatchTerms

    logging.basicConfig(format="%(message)s", level=logging.INFO)
    terms = MatchTerms(
        games,
        _seconds(deadline),
        _seconds(deadline if preparation is None else preparation),
        late,
        illegal,
        patience=_seconds(patience),
    )

    def opened(port: int) -> None:
        logging.info("waiting for players on %s port %d", host, port)

    with Logs.open(log_moves, log_results) as logs:
        with limited():
            loaded = semisplit.load(game)
            if loaded.rules.chance or loaded.rules.hides:
                raise InputError(
                    f"this protocol has neither chance nor hidden information, and {game} has:"
                    " `semisplit ggp host` plays it over the wire"
                )
            # What would take long must not happen when players are waiting.
            loaded.initial_state()
        manager = Manager(loaded, terms, logs, matches)
        try:
            complete = asyncio.run(manager.serve(host, port, opened))
        except KeyboardInterrupt:
            logging.info("stopped")
            raise typer.Exit(130) from None
    if not complete:
        raise typer.Exit(1)


def _seconds(milliseconds: int) -> float | None:
    return milliseconds / 1000 or None
