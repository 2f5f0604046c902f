"""The conversation of `semisplit play`."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from itertools import count
from pathlib import Path

from rich.console import Console

from semisplit.agents import Reporter, Thought
from semisplit.core.errors import IllegalMove, InputError
from semisplit.core.system import command_line
from semisplit.core.work import doing, limited
from semisplit.game import Move
from semisplit.ui.cli.terminal.completion import complete_with
from semisplit.ui.cli.terminal.drawing import (
    describe_effort,
    draw_moves,
    draw_state,
    draw_thought,
    sits_above,
)
from semisplit.ui.play.entry import MOST_MOVES, Entry
from semisplit.ui.play.saved import Saved
from semisplit.ui.play.session import Session

_HINTS = 5
"""Moves that a hint is about."""
_HELP = """\
Type a move as it is written, or like b2b3, or choose it square by square: first b2, then b3.
The Tab key completes what you type.
  moves      what is possible; moves b2: what begins with b2
  hint       what the agent would play, and why
  undo       take back a square, or the last move
  turn       see the board from the other side
  save FILE  go on later: semisplit play --resume FILE
  quit       leave the game
Ctrl-C stops the agent's thinking, or leaves the game; it asks first."""
_LEAVE = "Leave? (y)es, (s)ave and leave, (n)o: "


class Dialogue:
    """Asks the person for moves, shows those of the agent."""

    def __init__(self, session: Session, settings: Saved, console: Console):
        self._session = session
        self._settings = settings
        self._console = console
        self._entry = Entry(session.state)
        self._kept = session.moves
        """The moves that are saved."""
        self._turned = sits_above(session.states[0], settings.side)
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "turn": self._turn,
            "save": self._save,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the game is over or the person has had enough."""
        complete_with(self._completions)
        if isinstance(sys.stdin, TextIOWrapper):
            # Bytes that are no text are no move, either.
            sys.stdin.reconfigure(errors="replace")
        session = self._session
        self._print(f"You are {session.game.player_name(session.person)}; 'help' explains.")
        if session.moves:
            self._print(f"{session.states[-2].player_name} has played {session.moves[-1]}")
        self._draw()
        end: KeyboardInterrupt | EOFError | None = None
        while not session.state.is_terminal:
            try:
                if end is not None:
                    if self._leaves():
                        break
                    end = None
                elif session.is_drawn:
                    self._let_chance_move()
                elif not session.is_persons_turn:
                    self._let_agent_move()
                elif not self._ask():
                    break
            except IllegalMove as error:
                self._print(str(error))
            except (KeyboardInterrupt, EOFError) as caught:
                end = caught
                self._print("")
                self._entry = Entry(session.state)
        if isinstance(end, KeyboardInterrupt):
            raise end

    def _let_chance_move(self) -> None:
        move = self._session.draw()
        self._print(f"{self._session.state.player_name} draws {self._text(move)}")
        with limited(), doing("looking for the position after it"):
            self._session.play(move)
            self._begin_entry()

    def _let_agent_move(self) -> None:
        thought = self._think()
        player, move = self._session.state.player_name, self._text(thought.move)
        self._print(f"{player} plays {move} ({describe_effort(thought)})")
        with limited(), doing("looking for the position after it"):
            self._session.play(thought.move)
            self._begin_entry()

    def _ask(self) -> bool:
        """Have one line typed; returns whether the game goes on."""
        line = input(f"{self._session.state.player_name}: {self._entry.text}").strip()
        if line == "quit":
            return False
        if not self._obey(line):
            with limited(), doing("looking for moves"):
                self._enter(line)
        return True

    def _leaves(self) -> bool:
        """Ask whether to leave a game that is not saved; returns the answer."""
        if self._session.moves == self._kept or not sys.stdin.isatty():
            return True
        try:
            answer = input(_LEAVE).strip()
        except (KeyboardInterrupt, EOFError):
            self._print("")
            answer = "s"
        if answer in ("s", "save"):
            return self._save_somewhere()
        if answer in ("y", "yes", "quit"):
            return True
        if not self._obey(answer):
            self._draw()
        return False

    def _obey(self, line: str) -> bool:
        """Carry out a command; returns whether it is one."""
        word, _, rest = line.partition(" ")
        if word not in self._commands:
            return False
        self._commands[word](rest.strip())
        return True

    def _enter(self, line: str) -> None:
        entry = self._entry.enter(line)
        if entry.is_complete:
            self._session.play(self._session.state.move(entry.steps))
            self._begin_entry()
        elif entry is not self._entry:
            self._go_on_with(entry)

    def _begin_entry(self) -> None:
        self._entry = Entry(self._session.state)
        self._draw()

    def _go_on_with(self, entry: Entry) -> None:
        self._entry = entry
        self._draw()
        squares = entry.squares() if entry.steps else []
        if len(squares) > MOST_MOVES:
            self._print(f"and now one of {len(squares)} squares")
        elif squares:
            self._print(f"and now: {' '.join(squares)}")

    # Commands

    def _moves(self, squares: str) -> None:
        with limited(), doing("looking for moves"):
            moves, behind = self._entry.list_moves(squares)
        self._console.print(draw_moves(moves, behind))
        if behind:
            first = f"{squares} {next(iter(behind))}".strip()
            self._print(f"{len(moves):,} moves; 'moves {first}' lists those after {first}")

    def _hint(self, _: str) -> None:
        self._console.print(draw_thought(self._think(_HINTS), self._text), end="")

    def _undo(self, _: str) -> None:
        if self._entry.before is not None:
            self._go_on_with(self._entry.before)
        elif self._session.undo():
            self._begin_entry()
        else:
            self._print("there is nothing to take back")

    def _turn(self, _: str) -> None:
        self._turned = not self._turned
        self._draw()

    def _save(self, name: str) -> None:
        if not name:
            self._print("say where: save FILE")
            return
        try:
            self._write(Path(name))
        except InputError as error:
            self._print(str(error))

    def _save_somewhere(self) -> bool:
        """Save the game in a file that does not exist yet; returns whether there is a place."""
        game = re.sub(r"\W+", "_", Path(self._settings.game).stem)[:40]
        for folder in (Path(), Path(tempfile.gettempdir())):
            paths = (folder / f"{game}-{number}.json" for number in count(1))
            path = next(path for path in paths if not path.exists())
            try:
                self._write(path)
                return True
            except InputError as error:
                self._print(str(error))
        return False

    def _write(self, path: Path) -> None:
        moves = self._session.moves
        wire = [move.wire for move in moves]
        self._settings.model_copy(update={"moves": wire}).write(path)
        self._kept = moves
        command = command_line(["semisplit", "play", "--resume", str(path)])
        self._console.print(f"saved; this goes on: {command}", markup=False, soft_wrap=True)

    def _help(self, _: str) -> None:
        self._print(_HELP)

    # The terminal

    def _think(self, best: int = 0) -> Thought:
        with self._console.status("thinking") as status:

            def show(thought: Thought) -> None:
                status.update(f"{self._text(thought.move)}, {describe_effort(thought)}")

            with limited(self._session.seconds):
                return self._session.think(Reporter(show).watch, best)

    def _text(self, move: Move) -> str:
        """A move of the agent, whose splitting is another, as the person would type it."""
        return str(self._session.state.move(move.steps))

    def _draw(self) -> None:
        """The board; what the last move has changed is marked, or what is entered of the next."""
        since = self._session.states[-2:][0]
        if self._entry.steps:
            since = self._session.state
        self._console.print(draw_state(self._entry.state, since, turned=self._turned), end="")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False)

    def _completions(self, before: str) -> list[str]:
        """What can follow the words typed so far."""
        commands = [] if before.strip() else [*self._commands, "quit"]
        with suppress(IllegalMove):
            entry = self._entry.enter(before.removeprefix("moves "))
            return [*([] if entry.is_complete else entry.completions()), *commands]
        return []
