"""Tabs: each has processes of its own, which live as long as it is open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from semisplit.core.child.background import BackgroundChild
from semisplit.ui.web.catalogue import catalogue
from semisplit.ui.web.process import SERVICES, start
from semisplit.ui.web.worker import PageLimits, Request

MOST_TABS = 64
Send = Callable[[str], Awaitable[None]]


class Tabs:
    """All that are open."""

    def __init__(self, limits: PageLimits):
        self._limits = limits
        self._open: set[Tab] = set()

    @asynccontextmanager
    async def open(self, send: Send) -> AsyncIterator[Tab | None]:
        """A tab while it is open; None if there are too many."""
        if len(self._open) >= MOST_TABS:
            yield None
            return
        tab = Tab(self._limits, send)
        self._open.add(tab)
        try:
            yield tab
        finally:
            self._open.discard(tab)
            tab.close()


class Tab:
    """Passes requests of a page to its processes, and their answers to the page.

    A request is an object: to whom it is, what to do with what, and a number by which its answer is
    known. The server itself lists games and agents, and ends processes.
    """

    def __init__(self, limits: PageLimits, send: Send):
        self._limits = limits
        self._send = send
        # One message at a time; a process with many waits until the page has got them.
        self._sending = asyncio.Lock()
        self._processes: dict[str, BackgroundChild[str, Request]] = {}

    async def handle(self, message: str) -> None:
        """Pass on a request of the page."""
        request = _read(message)
        if request is None:
            return
        name, what = request["to"], request["do"]
        if name == "server" and what == "list":
            listed = await asyncio.to_thread(catalogue, self._limits.folders)
            await self._tell({"id": request["id"], "result": listed})
        elif name in SERVICES and what == "end":
            if (process := self._processes.pop(name, None)) is not None:
                process.stop()
            await self._tell({"id": request["id"], "result": None})
        elif name in SERVICES:
            (await self._process(name)).send(request)
        else:
            await self._tell({"id": request["id"], "error": f"there is no '{name}' to ask"})

    async def _process(self, name: str) -> BackgroundChild[str, Request]:
        if name not in self._processes:
            process = await asyncio.to_thread(start, name, self._limits)
            self._processes[name] = process

            async def on_exit() -> None:
                if self._processes.get(name) is process:
                    del self._processes[name]
                    await self._tell({"from": name, "event": "gone", "data": None})

            process.attend(self._pass_on, on_exit)
        return self._processes[name]

    async def _pass_on(self, text: str) -> None:
        async with self._sending:
            await self._send(text)

    async def _tell(self, message: dict[str, Any]) -> None:
        await self._pass_on(json.dumps(message))

    def close(self) -> None:
        """End all processes at once."""
        for process in self._processes.values():
            process.stop()
        self._processes.clear()


def _read(message: str) -> dict[str, Any] | None:
    """A request, if it is one."""
    try:
        request = json.loads(message)
    except (ValueError, RecursionError):
        return None
    types = {"id": int, "to": str, "do": str, "with": dict}
    is_request = isinstance(request, dict) and all(
        isinstance(request.get(key), kind) for key, kind in types.items()
    )
    return {key: request[key] for key in types} if is_request else None
