"""The server of pages in a process of its own, and a tab without a browser."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

_COMMAND = "from semisplit.ui.cli.main import main; main()"


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[str]:
    """A server, given options of the whole program; gives the address of its page."""
    command = [sys.executable, "-c", _COMMAND, *options, "web", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        [*command, "--folder", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as server:
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            yield found[0]
        finally:
            server.terminate()


class Tab:
    """A tab that somebody else looks at."""

    def __init__(self, connection: ClientConnection):
        self._connection = connection
        self._last = 0
        self.heard: list[dict[str, Any]] = []
        """What was told besides answers that were waited for."""

    def send(self, to: str, do: str, **what: Any) -> int:
        """Ask something; gives the number of the request."""
        self._last += 1
        self._connection.send(json.dumps({"id": self._last, "to": to, "do": do, "with": what}))
        return self._last

    def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self._connection.recv(timeout=60))
        return message

    def wait(self, number: int) -> dict[str, Any]:
        """The answer to a request."""
        while (message := self.hear()).get("id") != number:
            self.heard.append(message)
        return message

    def ask(self, to: str, do: str, **what: Any) -> Any:
        """The result of a request."""
        answer = self.wait(self.send(to, do, **what))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def refused(self, to: str, do: str, **what: Any) -> str:
        """Why a request is not answered."""
        error = self.wait(self.send(to, do, **what))["error"]
        assert isinstance(error, str)
        return error


@contextmanager
def tab(address: str) -> Iterator[Tab]:
    """Open a tab."""
    site = urlsplit(address)
    url = f"ws://{site.netloc}{site.path}tab"
    with connect(url, origin=Origin(f"http://{site.netloc}"), max_size=None) as connection:
        yield Tab(connection)
