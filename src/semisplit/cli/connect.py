"""`semisplit connect`: an agent as a player of a manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from semisplit.agent import Thought
    from semisplit.game import Game, Move, State


def connect(
    host: Annotated[str, typer.Argument(help="Where the manager is.")],
    port: Annotated[int, typer.Argument(min=1, max=65535)],
    agent: Annotated[
        str, typer.Option(help="Who plays; `semisplit agents` lists some.")
    ] = "semisplit-nodal+mast-split@Mod",
) -> None:
    """Play for a manager, as many games as it wants, and show what the agent thinks."""
    import asyncio

    from rich.console import Console

    from semisplit.agent import parse_agent
    from semisplit.manager.client import join

    config = parse_agent(agent)
    console = Console(highlight=False)
    with _Display(console) as display:
        try:
            asyncio.run(join(host, port, config, display))
        except KeyboardInterrupt:
            console.print("stopped")
            raise typer.Exit(130) from None


class _Display:
    """Prints moves as they are made; below them is what the agent thinks at the moment."""

    def __init__(self, console: Console):
        from rich.live import Live

        self._console = console
        self._live = Live(console=console, transient=True, auto_refresh=False)
        self._count = 0

    def __enter__(self) -> _Display:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def begins(self, game: Game, player: int) -> None:
        """The rules have come, and which player the agent is."""
        self._print(f"playing {game.player_name(player)}; getting ready")

    def thinks(self, state: State, thought: Thought) -> None:
        """What the agent thinks of its move, so far."""
        from rich.console import Group

        from semisplit.cli.drawing import draw_state, draw_thought

        self._live.update(Group(draw_state(state), draw_thought(thought)), refresh=True)

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        """A move was made in a state, with a thought if it is the agent's."""
        from semisplit.cli.drawing import describe_effort

        self._live.update("")
        self._count += 1
        effort = f"   ({describe_effort(thought)})" if thought else ""
        self._print(f"{self._count}. {state.player_name} {move}{effort}")

    def ended(self, state: State) -> None:
        """A game has ended in a state, which need not be a final one."""
        from semisplit.cli.drawing import draw_state

        self._console.print(draw_state(state), end="")
        if not state.is_terminal:
            self._print("the manager has broken off the game")
        self._count = 0

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False)
