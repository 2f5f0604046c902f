"""What `semisplit connect` shows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live

from semisplit.agents import Thought
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.net.manager.client import Observer
from semisplit.net.manager.logs import write_log
from semisplit.ui.cli.terminal.drawing import describe_effort, draw_state, draw_thought


class Display(Observer):
    """Prints moves as they are made; below them is what the agent thinks at the moment."""

    def __init__(self, console: Console, log: TextIO | None = None):
        """Begin.

        Args:
            console: Where all this is shown.
            log: Where statistics of moves go, if anybody wants them.
        """
        self._console = console
        self._log = log
        self._log_is_apart = log is not sys.stdout
        self.wants_statistics = log is not None
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
        line = f"{self._count}. {state.player_name} {text}{effort}"
        self._print(line)
        if thought and self._log:
            write_log(self._log, [line] if self._log_is_apart else [])
            write_log(self._log, list(_table(state, thought)))

    def ended(self, state: State) -> None:
        """A game has ended in a state, which need not be a final one."""
        self._live.update("")
        self._console.print(draw_state(state), end="")
        if not state.is_terminal:
            self._print("the manager has broken off the game")
        self._count = 0

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False)


def _table(state: State, thought: Thought) -> Iterator[str]:
    """What is known about each move that an agent has tried, if it knows anything."""
    known = thought.result.moves if thought.result else ()
    texts = _write(state, *(one.move for one in known))
    if known:
        yield "   visits  score   mast   rave  move"
    for one in known:
        scores = ("-" if x is None else f"{x:.3f}" for x in (one.score, one.mast, one.rave))
        numbers = "".join(f"{score:>7}" for score in scores)
        yield f"{one.visits:9}{numbers}  {texts[one.move.steps]}"


def _write(state: State, *moves: Move) -> dict[Steps, str]:
    """Texts that tell some moves apart. There is no time for all the others that are legal."""
    return state.game.rules.write_moves(list({move.steps for move in moves}))
