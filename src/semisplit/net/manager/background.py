"""A thread for calls that take long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class BackgroundThread:
    """Does one thing after another in a thread of its own.

    The thread stays: on a busy machine a new one waits longer for a processor than one that has
    slept. Nothing can stop what it does, so it does not keep the process from ending.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None]
        self._jobs = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def start(self, function: Callable[[], T]) -> asyncio.Future[T]:
        """Have a function called when all before it have been."""
        done: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((function, done))
        return done

    def close(self) -> None:
        """Let the thread end after what it has to do."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            function, done = job
            report: Callable[[Any], None] = done.set_result
            try:
                outcome: Any = function()
            except BaseException as error:
                report, outcome = done.set_exception, error
            # The loop is closed if the thread is not waited for any more.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_finish, done, report, outcome)


def _finish(done: asyncio.Future[Any], report: Callable[[Any], None], outcome: object) -> None:
    if not done.done():
        report(outcome)
