"""Games in parallel: one process per core, so that timed agents do not disturb each other."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from semisplit.agents import AgentConfig
from semisplit.core.child import Child, Parent, ready
from semisplit.core.child.process import SPAWN
from semisplit.core.errors import InputError, SemisplitError
from semisplit.core.system import available_cores, use_core
from semisplit.game import Game
from semisplit.lab.matches.play import OnTurn, Played, lost_by, play_game
from semisplit.search import Budget

PATIENCE = 10.0
"""Seconds after its time when an agent that does not come back is stopped, process and all."""
_LOOK = 1.0
"""Seconds after which to look whether one has to be."""
_NOBODY = (0, math.inf)


@dataclass(frozen=True)
class Task:
    """A game to be played."""

    match: int
    """Which of the matches that are being played it belongs to."""
    number: int
    """Its number in the match."""
    game: Game
    budget: Budget
    agents: tuple[AgentConfig, ...]
    """In the order of the players."""
    seeds: tuple[int, ...]


def play_all(tasks: Iterator[Task], jobs: int | None) -> Iterator[tuple[Task, Played]]:
    """Play games, `jobs` at a time; gives each of them when it is over.

    Without a number they are played here, one by one, and each agent is waited for.
    The next task is taken when a process is free. A process that dies, or has to be
    stopped, takes its game with it: it is lost by the agent whose turn it was.

    Raises:
        InputError: If a process cannot begin its game.
    """
    if jobs is None:
        yield from ((task, _play(task)) for task in tasks)
        return
    cores = available_cores()
    workers: list[_GameProcess] = []
    try:
        for place, task in zip(range(jobs), tasks):
            # A game that is alone may have threads.
            workers.append(_GameProcess(cores[place % len(cores)] if jobs > 1 else None))
            workers[-1].give(task)
        while busy := [worker for worker in workers if worker.task is not None]:
            news = ready([worker.child for worker in busy], _LOOK)
            for worker in busy:
                if worker.child in news:
                    yield worker.take()
                    if (following := next(tasks, None)) is not None:
                        worker.give(following)
                elif worker.is_overdue:
                    worker.stop()
    finally:
        for worker in workers:
            worker.stop()
            worker.child.wait()


@dataclass
class _GameProcess:
    """A process that plays games."""

    core: int | None
    """The only one it may use; None if it may use all."""
    task: Task | None = None
    child: Child[Played | str, Task] = field(init=False)

    def __post_init__(self) -> None:
        self._start()

    def _start(self) -> None:
        # Whose turn it is, and until when. Without a lock, which a process could take with it.
        self._turn = SPAWN.Array("d", 2, lock=False)
        self.child = Child(_work, self._turn, self.core)

    def give(self, task: Task) -> None:
        """Let a game be played."""
        self.task = task
        self._turn[:] = _NOBODY
        try:
            self.child.send(task)
        except OSError:
            # It died while it had nothing to do, which costs no agent a game.
            self._start()
            self.child.send(task)

    def take(self) -> tuple[Task, Played]:
        """The game that is over."""
        assert self.task is not None
        task, self.task = self.task, None
        try:
            played = self.child.receive()
        except EOFError:
            played = self._lost(task)
            self._start()
        if isinstance(played, str):
            raise InputError(played)
        return task, played

    @property
    def is_overdue(self) -> bool:
        """Whether the agent whose turn it is will not come back."""
        return bool(time.monotonic() > self._turn[1])

    def stop(self) -> None:
        """Give up the game; `take` is next."""
        self.child.kill()

    def _lost(self, task: Task) -> Played:
        player, code = int(self._turn[0]), self.child.wait()
        if player == _NOBODY[0]:
            raise InputError(
                f"a process that was to play games ended with status {code} before a first move;"
                " a script that plays matches has to be guarded by `if __name__ == '__main__':`"
            )
        reason = "its time was up long ago" if self.is_overdue else f"it ended with status {code}"
        how = f"failed: its process was lost, {reason}"
        return lost_by(player, how, task.game, task.agents)


def _work(parent: Parent[Task, Played | str], turn: Any, core: int | None) -> None:
    """Play games until the process is ended."""
    if core is not None:
        use_core(core)

    def on_turn(player: int, seconds: float | None) -> None:
        turn[:] = (player, math.inf if seconds is None else time.monotonic() + seconds + PATIENCE)

    while True:
        try:
            parent.send(_play(parent.receive(), on_turn))
        except Exception as error:
            parent.send(reason(error))


def reason(error: Exception) -> str:
    """Why a game cannot be played at all."""
    if isinstance(error, SemisplitError):
        return str(error)
    return f"a game cannot be played: {type(error).__name__}: {error}"


def _play(task: Task, on_turn: OnTurn = lambda player, seconds: None) -> Played:
    return play_game(task.game, task.agents, task.seeds, task.budget, on_turn)
