"""The server: its files, and a WebSocket for each tab."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from semisplit.core.limits import MAX_TEXT
from semisplit.net.shared.http import serving
from semisplit.net.shared.listening import listen
from semisplit.ui.web.process import prepare
from semisplit.ui.web.security import Guard, new_token
from semisplit.ui.web.tabs import Tabs
from semisplit.ui.web.worker import PageLimits

_FILES = Path(__file__).parent / "static"
_LONGEST_MESSAGE = 8 * MAX_TEXT
_TRY_AGAIN_LATER = 1013


async def serve(host: str, port: int, limits: PageLimits, on_open: Callable[[str], None]) -> None:
    """Serve pages until the task is cancelled.

    Args:
        host: The address to listen on.
        port: The port; 0 takes one that is free.
        limits: What pages may do.
        on_open: Is called with the address of the page when it can be opened.
    """
    token = new_token()
    guarded = Guard(_application(limits), token, frozenset({host, "localhost"}))
    options = {"ws": "websockets-sansio", "ws_max_size": _LONGEST_MESSAGE}
    with listen(host, port) as listening:
        await asyncio.to_thread(prepare)
        async with serving(guarded, listening, **options) as server:
            on_open(f"http://{host}:{listening.getsockname()[1]}/{token}/")
            await asyncio.shield(server)


def _application(limits: PageLimits) -> Starlette:
    # Whatever this machine believes about endings.
    mimetypes.add_type("text/javascript", ".js")
    tabs = Tabs(limits)

    async def tab(websocket: WebSocket) -> None:
        await websocket.accept()
        async with tabs.open(websocket.send_text) as opened:
            if opened is None:
                await websocket.close(_TRY_AGAIN_LATER, "too many tabs are open")
                return
            try:
                while True:
                    await opened.handle(await websocket.receive_text())
            except WebSocketDisconnect:
                pass

    files = StaticFiles(directory=_FILES, html=True)
    return Starlette(routes=[WebSocketRoute("/tab", tab), Mount("/", files)])
