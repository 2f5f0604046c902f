"""Threads that wait for something to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias
from weakref import finalize

Task: TypeAlias = Callable[[], int]
Outcome: TypeAlias = int | Exception
_Waiting: TypeAlias = SimpleQueue[tuple[Task, SimpleQueue[Outcome]] | None]


class Threads:
    """Does several things at the same time, one of them in the thread that asks for it.

    They are daemons: the program may end without waiting for them.
    """

    def __init__(self, count: int):
        """So many in all, with the one that asks; the others begin when they are needed."""
        self._count = count
        self._waiting: _Waiting = SimpleQueue()
        self._started = False

    def do(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Do all tasks, at most one for each thread; what came of them, or was raised.

        Whatever happens to the first, which is done here, the others are completed before this
        returns.
        """
        if not self._started:
            self._start()
        done: SimpleQueue[Outcome] = SimpleQueue()
        for task in tasks[1:]:
            self._waiting.put((task, done))
        try:
            first = _outcome(tasks[0])
        finally:
            others = [done.get() for _ in tasks[1:]]
        return [first, *others]

    def _start(self) -> None:
        others = self._count - 1
        for _ in range(others):
            Thread(target=_work, args=(self._waiting,), daemon=True).start()
        finalize(self, _end, self._waiting, others)
        self._started = True


def _outcome(task: Task) -> Outcome:
    try:
        return task()
    except Exception as error:
        return error


def _work(waiting: _Waiting) -> None:
    while given := waiting.get():
        task, done = given
        done.put(_outcome(task))


def _end(waiting: _Waiting, count: int) -> None:
    for _ in range(count):
        waiting.put(None)
