"""The two logs of a manager, in the formats of RBG 1.3."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from semisplit.core.errors import InputError


@dataclass
class GameLog:
    """One game while it is played."""

    late_moves: list[int]
    """How many moves of each player came after the deadline."""
    late_ready: frozenset[int] = frozenset()
    """The players who were not ready in time, for the first game of a match."""
    moves: list[str] = field(default_factory=list)
    """All moves as they were received, an illegal one at the end included."""
    made: int = 0
    choices: int = 0
    """The sum of the numbers of legal moves in all positions."""
    manager_was_late: bool = False
    """Whether counting the legal moves alone took longer than the deadline."""
    scores: tuple[int, ...] | None = None
    """The result, when there is one."""
    seconds: float = 0.0

    def result(self) -> str:
        """The line about the game in the log of results."""
        assert self.scores is not None
        words = [f"{self.seconds:g}", str(self.made), str(self.choices), *map(str, self.scores)]
        if any(self.late_moves) or self.late_ready or self.manager_was_late:
            clients = [
                f"{late}{'(lateready)' if player in self.late_ready else ''}"
                for player, late in enumerate(self.late_moves, 1)
            ]
            words.append("timeouts=" + ",".join(clients + ["manager"] * self.manager_was_late))
        return " ".join(words)


class Logs:
    """Files of moves and of results. What one game adds to a file is written at once.

    So the moves of a game stay together when several matches are played, and the games are in the
    same order in both files.
    """

    def __init__(self, moves: TextIO | None = None, results: TextIO | None = None):
        self._moves = moves
        self._results = results

    @staticmethod
    @contextmanager
    def open(moves: str | None, results: str | None) -> Iterator[Logs]:
        """Logs in files given by their paths; `stdout` is what it says."""
        with open_log(moves) as first, open_log(results) as second:
            yield Logs(first, second)

    def write(self, record: GameLog) -> None:
        """Add a game; one without a result was broken off and has its moves only.

        Raises:
            InputError: If a file cannot be written.
        """
        ended = record.scores is not None
        write_log(self._moves, [*record.moves, *(["reset"] if ended else [])])
        write_log(self._results, [record.result()] if ended else [])


def write_log(file: TextIO | None, lines: list[str]) -> None:
    """Add lines to a log, if it is kept.

    Raises:
        InputError: If the file cannot be written.
    """
    if file is None:
        return
    try:
        file.writelines(f"{line}\n" for line in lines)
        file.flush()
    except OSError as error:
        raise InputError(f"cannot write {file.name}: {error.strerror}") from error


@contextmanager
def open_log(path: str | None) -> Iterator[TextIO | None]:
    """A file that lines are added to, if a path is given; `stdout` is what it says.

    Raises:
        InputError: If the file cannot be written.
    """
    if path is None or path == "stdout":
        yield None if path is None else sys.stdout
        return
    with _open(path) as file:
        yield file


def _open(path: str) -> TextIO:
    try:
        return open(path, "a", encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot write {path}: {reason}") from error
