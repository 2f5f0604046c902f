"""What `semisplit connect` shows."""

from __future__ import annotations

from rich.console import Console, Group
from rich.live import Live

from semisplit.agent import Thought
from semisplit.cli.drawing import describe_effort, draw_state, draw_thought
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.manager.client import Observer


class Display(Observer):
    """Prints moves as they are made; below them is what the agent thinks at the moment."""

    def __init__(self, console: Console):
        self._console = console
        # Elsewhere what is shown for a moment is not shown at all.
        self.wants_thoughts = console.is_terminal
        self._live = Live(console=console, transient=True, auto_refresh=False)
        self._count = 0

    def __enter__(self) -> Display:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def begins(self, game: Game, player: int) -> None:
        """The rules have come, and which player the agent is."""
        self._print(f"playing {game.player_name(player)}; getting ready")

    def thinks(self, state: State, thought: Thought) -> None:
        """What the agent thinks of its move, so far."""
        shown = [one.move for one in thought.result.moves] if thought.result else []
        texts = _write(state, thought.move, *shown)
        drawn = draw_thought(thought, lambda move: texts[move.steps])
        self._live.update(Group(draw_state(state), drawn), refresh=True)

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        """A move was made in a state, with a thought if it is the agent's."""
        self._live.update("")
        self._count += 1
        effort = f"   ({describe_effort(thought)})" if thought else ""
        text = _write(state, move)[move.steps]
        self._print(f"{self._count}. {state.player_name} {text}{effort}")

    def ended(self, state: State) -> None:
        """A game has ended in a state, which need not be a final one."""
        self._live.update("")
        self._console.print(draw_state(state), end="")
        if not state.is_terminal:
            self._print("the manager has broken off the game")
        self._count = 0

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False)


def _write(state: State, *moves: Move) -> dict[Steps, str]:
    """Texts that tell some moves apart. There is no time for all the others that are legal."""
    return state.game.rules.write_moves(list({move.steps for move in moves}))
