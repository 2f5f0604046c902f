"""`semisplit play`: a person against an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.work import doing, limited
from semisplit.ui.cli import shell

_AGENT = "auto"
_BUDGET = "1s"


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            help="A bundled game, or the path of a description.", autocompletion=shell.games
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(help=f"The opponent; {_AGENT} if not given.", autocompletion=shell.agents),
    ] = None,
    side: Annotated[
        str | None, typer.Option(help="The player you are, like white; the first if not given.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help=f"For each move of the agent: 500ms, 10000sims; {_BUDGET} if not given."),
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a game that was saved.")] = None,
) -> None:
    """Play against an agent: type moves, or choose square by square; `help` explains."""
    from rich.console import Console

    import semisplit
    from semisplit.agents import parse_agent
    from semisplit.core.errors import InputError
    from semisplit.lab.matches.budgets import Like, parse_budget
    from semisplit.ui.cli.apart import ApartDialogue
    from semisplit.ui.cli.terminal.dialogue import Dialogue
    from semisplit.ui.play.saved import Saved
    from semisplit.ui.play.session import Session

    if (game is None) == (resume is None):
        raise typer.BadParameter("give either a game or --resume FILE")
    if resume is not None:
        saved = Saved.read(resume)
    else:
        assert game is not None
        text, name = semisplit.read_description(game)
        saved = Saved(game=name, rules=text, agent="", side="", budget=_BUDGET, moves=[])
    with limited():
        loaded = semisplit.Game.parse(saved.rules, saved.game)
    given = {"agent": agent, "side": side, "budget": budget}
    settings = saved.model_copy(update={name: value for name, value in given.items() if value})
    settings.side = settings.side or loaded.seats[0]
    settings.agent = settings.agent or _AGENT
    limit = parse_budget(settings.budget)
    if isinstance(limit, Like):
        limit = limit.measure(loaded)
    console = Console(highlight=False)
    config = parse_agent(settings.agent)
    rules = loaded.rules
    try:
        if rules.hides or (rules.chance and rules.simultaneous):
            if resume is not None:
                raise InputError(f"{saved.game} cannot be gone on with: nobody knows all of it")
            with limited(), doing(f"preparing {config.name} for {saved.game}"):
                apart = ApartDialogue(loaded, config, settings.side, limit, console)
            apart.run()
            return
        with limited(), doing(f"preparing {config.name} for {saved.game}"):
            session = Session(loaded, config, settings.side, limit)
            saved.replay(session)
        Dialogue(session, settings, console).run()
    except KeyboardInterrupt:
        print()
        raise typer.Exit(130) from None
