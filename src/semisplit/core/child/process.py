"""Child processes as seen from their parent."""

from __future__ import annotations

import multiprocessing
import select
import socket
import threading
from collections.abc import Callable, Iterable
from multiprocessing.context import BaseContext
from typing import Any, TypeVar

from semisplit.core.child.channel import Channel, Received, Sent
from semisplit.core.child.inside import begin
from semisplit.core.system import end_group

# Not forked: a fork of a process with threads may hang, and Numba has threads.
SPAWN = multiprocessing.get_context("spawn")


class Child(Channel[Received, Sent]):
    """A process that calls a function with its `Parent` and other arguments."""

    def __init__(self, work: Callable[..., None], *arguments: Any, context: BaseContext = SPAWN):
        ours, theirs = socket.socketpair()
        super().__init__(ours)
        with theirs:
            kind: Any = context
            self._process = kind.Process(target=begin, args=(theirs, work, arguments), daemon=True)
            self._process.start()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return bool(self._process.is_alive())

    def wait(self) -> int:
        """Wait until the process has ended, and return its exit status."""
        self._process.join()
        return int(self._process.exitcode)

    def kill(self) -> None:
        """End the process at once, whatever it does, with all that it has started."""
        end_group(self._process.pid)
        # It may not have come so far to lead a group.
        self._process.kill()

    def reap(self) -> None:
        """Wait for the end of the process in a thread: to give back its memory may take a while."""
        threading.Thread(target=self._process.join, daemon=True).start()


C = TypeVar("C", bound=Channel[Any, Any])


def ready(children: Iterable[C], seconds: float) -> list[C]:
    """The children that have sent something, or have ended; waits for that if none has."""
    return select.select([*children], [], [], seconds)[0]
