"""The conversation of `semisplit play`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

from rich.columns import Columns
from rich.console import Console

from semisplit.agent import Reporter, Thought
from semisplit.cli.drawing import describe_effort, draw_state, draw_thought
from semisplit.core.errors import IllegalMove, InputError
from semisplit.game import Move
from semisplit.play.entry import Entry
from semisplit.play.saved import Saved
from semisplit.play.session import Session

_HINTS = 5
"""Moves that a hint is about."""
_HELP = """\
Type a move as it is written, or choose it square by square: first b2, then b3.
The Tab key completes what you type.
  moves       what is possible
  hint        what the agent would play, and why
  undo        take back squares, or the last move
  save FILE   to be gone on with by `semisplit play --resume FILE`
  quit        leave the game"""


class Dialogue:
    """Asks the person for moves, shows those of the agent."""

    def __init__(self, session: Session, settings: Saved, console: Console):
        self._session = session
        self._settings = settings
        self._console = console
        self._entry = Entry(session.state)
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "save": self._save,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the game is over or the person has had enough."""
        _complete_with(self._completions)
        if isinstance(sys.stdin, TextIOWrapper):
            # Bytes that are no text are no move, either.
            sys.stdin.reconfigure(errors="replace")
        session = self._session
        self._print(f"You are {session.game.player_name(session.person)}; 'help' explains.")
        self._draw()
        while not session.state.is_terminal:
            if not session.is_persons_turn:
                self._let_agent_move()
            elif not self._ask():
                return

    def _let_agent_move(self) -> None:
        thought = self._think()
        player, move = self._session.state.player_name, self._write(thought.move)
        self._print(f"{player} plays {move} ({describe_effort(thought)})")
        self._session.play(thought.move)
        self._begin_entry()

    def _ask(self) -> bool:
        """Have one line typed; returns whether the game goes on."""
        try:
            line = input(f"{self._session.state.player_name}: {self._entry.text}").strip()
        except EOFError:
            line = "quit"
            self._print("")
        if line == "quit":
            return False
        word, _, rest = line.partition(" ")
        try:
            self._enter(line)
        except IllegalMove as error:
            if word in self._commands:
                self._commands[word](rest.strip())
            elif line:
                self._print(str(error))
        return True

    def _enter(self, line: str) -> None:
        entry = self._entry.enter(line)
        if entry.is_complete:
            self._session.play(self._session.state.move(entry.steps))
            self._begin_entry()
        elif entry is not self._entry:
            self._entry = entry
            self._draw()
            self._print(f"and now: {' '.join(entry.squares())}")

    def _begin_entry(self) -> None:
        self._entry = Entry(self._session.state)
        self._draw()

    # Commands

    def _moves(self, _: str) -> None:
        self._console.print(Columns(self._entry.completions(), padding=(0, 2)))

    def _hint(self, _: str) -> None:
        self._console.print(draw_thought(self._think(_HINTS), self._write), end="")

    def _undo(self, _: str) -> None:
        if self._entry.steps or self._session.undo():
            self._begin_entry()
        else:
            self._print("there is nothing to take back")

    def _save(self, name: str) -> None:
        if not name:
            self._print("say where: save FILE")
            return
        moves = [move.wire for move in self._session.moves]
        try:
            self._settings.model_copy(update={"moves": moves}).write(Path(name))
        except InputError as error:
            self._print(str(error))
        else:
            self._print(f"saved; this goes on: semisplit play --resume {shlex.quote(name)}")

    def _help(self, _: str) -> None:
        self._print(_HELP)

    # The terminal

    def _think(self, best: int = 0) -> Thought:
        with self._console.status("thinking") as status:

            def show(thought: Thought) -> None:
                status.update(f"{self._write(thought.move)}, {describe_effort(thought)}")

            return self._session.think(Reporter(show).watch, best)

    def _write(self, move: Move) -> str:
        """A move of the agent, whose splitting is another, as the person would type it."""
        return str(self._session.state.move(move.steps))

    def _draw(self) -> None:
        self._console.print(draw_state(self._entry.state), end="")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False)

    def _completions(self, before: str) -> list[str]:
        """What can follow the words typed so far."""
        entry = self._entry
        with suppress(IllegalMove):
            entry = entry.enter(before) if before.strip() else entry
            commands = [] if before.strip() else [*self._commands, "quit"]
            return [*([] if entry.is_complete else entry.completions()), *commands]
        return []


def _complete_with(completions: Callable[[str], list[str]]) -> None:
    """Let the Tab key complete what is typed, where the system knows how to."""
    try:
        import readline
    except ImportError:
        return

    def complete(word: str, number: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_begidx()]
        fitting = [text for text in completions(before) if text.startswith(word)]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    # The library that some systems have in place of GNU's is told so in its own words.
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
