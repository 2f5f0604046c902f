"""The processes in which a tab's work is done, as seen from the server.

Where systems allow it, they are forked from one that has loaded everything and never starts a
thread, so they begin in milliseconds and share its memory.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from importlib import import_module

from semisplit.core.system import end_group, server_context
from semisplit.ui.web.worker import Desk, Service, Terms, work

SERVICES = {
    "board": "semisplit.ui.web.board:Board",
    "left": "semisplit.ui.web.mind:Mind",
    "right": "semisplit.ui.web.mind:Mind",
    "editor": "semisplit.ui.web.editor:Editor",
    "report": "semisplit.ui.web.report:Reporter",
    "watch": "semisplit.ui.web.watch:Watcher",
}
"""The processes that a tab may have, and what they are."""
_LONGEST_LINE = 1 << 26
_PRELOAD = "semisplit.ui.web.preload"
_context = server_context()


def prepare() -> None:
    """Load what all processes need, once; where each begins from nothing, have it compiled."""
    if _context.get_start_method() == "forkserver":
        _context.set_forkserver_preload([_PRELOAD])
    first = _context.Process(target=import_module, args=(_PRELOAD,))
    first.start()
    first.join()


def _make(name: str, desk: Desk, terms: Terms) -> Service:
    module, _, kind = SERVICES[name].partition(":")
    service: Service = getattr(import_module(module), kind)(desk, terms)
    return service


def _run(connection: socket.socket, name: str, terms: Terms) -> None:
    work(connection, name, partial(_make, name), terms)


class WorkerProcess:
    """A process of a tab."""

    def __init__(self, name: str, terms: Terms):
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = _context.Process(target=_run, args=(theirs, name, terms), daemon=True)
            self._process.start()
        self._socket = ours
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None

    async def attend(
        self, hear: Callable[[bytes], Awaitable[None]], mourn: Callable[[], Awaitable[None]]
    ) -> None:
        """Listen to it from now on.

        Args:
            hear: Is given all that it tells.
            mourn: Is called if it ends by itself.
        """
        reader, self._writer = await asyncio.open_connection(sock=self._socket, limit=_LONGEST_LINE)

        async def listen() -> None:
            with suppress(ConnectionError):
                async for line in reader:
                    await hear(line)
            await mourn()

        self._listening = asyncio.create_task(listen())

    def ask(self, request: bytes) -> None:
        """Pass a request on; if it has died, that is noticed elsewhere."""
        assert self._writer is not None
        # Nobody waits until it is read: the tab may be closed meanwhile.
        self._writer.write(request + b"\n")

    def end(self) -> None:
        """End it at once, whatever it does, with all that it has started."""
        if self._listening is not None:
            self._listening.cancel()
        assert self._process.pid
        end_group(self._process.pid)
        self._process.kill()
        if self._writer is not None:
            self._writer.close()
