"""A child process from inside: it ends when its parent does, with all that it has started."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from semisplit.core.child.channel import Channel, Received, Sent
from semisplit.core.system import end_group, lead_group


class Parent(Channel[Received, Sent]):
    """The parent's end of the connection; if the parent has gone, this process ends."""

    def send(self, message: Sent) -> None:
        """Send a message, from any thread."""
        try:
            super().send(message)
        except OSError:
            leave()

    def _read(self, count: int) -> bytes:
        try:
            return super()._read(count)
        except (EOFError, OSError):
            leave()


def begin(connection: socket.socket, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Do the work of a child process."""
    lead_group()
    # Interrupting is the parent's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work(Parent(connection), *arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    leave()


def leave() -> NoReturn:
    """End this process and all that it has started."""
    end_group(os.getpid())
    os._exit(1)
