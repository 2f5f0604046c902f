"""The server: its files, and a WebSocket for each tab."""

from __future__ import annotations

import asyncio
import mimetypes
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from semisplit.core.errors import InputError
from semisplit.core.limits import MAX_TEXT
from semisplit.ui.web.process import prepare
from semisplit.ui.web.security import Guard, new_token
from semisplit.ui.web.tabs import Tabs
from semisplit.ui.web.worker import Terms

_FILES = Path(__file__).parent / "static"
_LONGEST_MESSAGE = 8 * MAX_TEXT
_TRY_AGAIN_LATER = 1013


async def serve(host: str, port: int, terms: Terms, on_open: Callable[[str], None]) -> None:
    """Serve pages until the task is cancelled.

    Args:
        host: The address to listen on.
        port: The port; 0 takes one that is free.
        terms: What pages may do.
        on_open: Is told the address of the page when it can be opened.
    """
    if not host:
        # To the system this would be all of its addresses.
        raise InputError("the address to listen on is empty")
    try:
        listening = socket.create_server((host, port))
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}:{port}: {reason}") from error
    # Answers are short, and must not wait for others to be sent together with them.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    token = new_token()
    guarded = Guard(_application(terms), token, frozenset({host, "localhost"}))
    config = uvicorn.Config(
        guarded,
        ws="websockets-sansio",
        ws_max_size=_LONGEST_MESSAGE,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    with listening:
        await asyncio.to_thread(prepare)
        serving = asyncio.ensure_future(server.serve([listening]))
        on_open(f"http://{host}:{listening.getsockname()[1]}/{token}/")
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            await serving


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs the event loop."""
        yield


def _application(terms: Terms) -> Starlette:
    # Whatever this machine believes about endings.
    mimetypes.add_type("text/javascript", ".js")
    tabs = Tabs(terms)

    async def tab(websocket: WebSocket) -> None:
        await websocket.accept()
        async with tabs.open(websocket.send_text) as opened:
            if opened is None:
                await websocket.close(_TRY_AGAIN_LATER, "too many tabs are open")
                return
            try:
                while True:
                    await opened.hear(await websocket.receive_text())
            except WebSocketDisconnect:
                pass

    files = StaticFiles(directory=_FILES, html=True)
    return Starlette(routes=[WebSocketRoute("/tab", tab), Mount("/", files)])
