"""How fast pages are: the first board, clicks while tabs think, and what is left of closed ones.

python -m benchmarks.web_load [TABS]
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.pages import serving
from tests.ui.web.browser import Page, chromium
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

RULES = {"name": "breakthrough"}
THINK = {"rules": RULES, "agent": "semisplit-nodal@Mod", "position": "", "moves": []}
CLICKS = 4
WARM = 10.0
"""Seconds until clicks are measured; on a busy machine not all agents have begun by then."""


class Tab:
    """A tab that hears all it is told at once, as browsers do."""

    def __init__(self, connection: ClientConnection):
        self._connection = connection
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self.thinks = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self._connection:
                told = json.loads(message)
                if told.get("event") == "thought":
                    self.thinks.set()
                if waiting := self._waiting.pop(told.get("id"), None):
                    waiting.set_result(told["result"])

    async def ask(self, to: str, do: str, **what: Any) -> Any:
        number = len(self._waiting) + 1 + int(1e6 * time.monotonic())
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self.send(number, to, do, **what)
        return await answer

    async def send(self, number: int, to: str, do: str, **what: Any) -> None:
        request = {"id": number, "to": to, "do": do, "with": what}
        await self._connection.send(json.dumps(request))

    async def click(self, square: str) -> float:
        begin = time.perf_counter()
        await self.ask("board", "click", square=square)
        spent = time.perf_counter() - begin
        await self.ask("board", "back")
        return spent


def main() -> None:
    tabs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address:
        first = min(_first_boards(address))
        print(f"first board in the browser: {1000 * first:.0f} ms")
        for count in (1, tabs):
            asyncio.run(_load(address, count))


def _first_boards(address: str) -> list[float]:
    found = []
    with chromium() as browser:
        page = Page(browser, address)
        for _ in range(3):
            begin = time.perf_counter()
            page.open("game=breakthrough")
            page.until(lambda: page.run("return document.querySelector('.board svg') !== null"))
            found.append(time.perf_counter() - begin)
    return found


async def _load(address: str, count: int) -> None:
    site = urlsplit(address)
    url, origin = f"ws://{site.netloc}{site.path}tab", f"http://{site.netloc}"
    before = _processes()
    connections = [
        await connect(url, origin=origin, max_size=None, ping_interval=None)  # type: ignore[arg-type]
        for _ in range(count)
    ]
    tabs = [Tab(connection) for connection in connections]
    for tab in tabs:
        await tab.ask("board", "open", rules=RULES, position="", moves=[])
        await tab.send(0, "left", "think", seconds=500, **THINK)
    await asyncio.sleep(WARM)
    thinking = sum(tab.thinks.is_set() for tab in tabs)
    spent = [await tab.click("b2") for _ in range(CLICKS) for tab in tabs]
    mine = _processes() - before
    memory = sum(map(_private_bytes, mine)) / 2**20
    begin = time.perf_counter()
    for connection in connections:
        connection.transport.abort()
    while _processes() & mine:
        await asyncio.sleep(0.01)
    ended = time.perf_counter() - begin
    milliseconds = sorted(1000 * one for one in spent)
    print(
        f"{count} tabs, {thinking} of which think: a click is answered in"
        f" {statistics.median(milliseconds):.1f} ms"
        f" (95 %: {milliseconds[int(0.95 * len(milliseconds))]:.1f}, worst {milliseconds[-1]:.1f});"
        f" {len(mine)} processes with {memory:.0f} MB of their own;"
        f" all ended {1000 * ended:.0f} ms after the tabs were closed"
    )


def _processes() -> set[int]:
    """Processes of tabs: each is the first of a group."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            number = int(entry.name)
            if "forkserver" in (entry / "cmdline").read_text() and os.getpgid(number) == number:
                found.add(number)
        except OSError:
            continue
    return found


def _private_bytes(process: int) -> int:
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    lines = [line.split() for line in text.splitlines() if line.startswith("Private_")]
    return sum(int(words[1]) for words in lines) * 1024


if __name__ == "__main__":
    main()
