"""The player's side of HTTP.

Hosts speak HTTP/1.0 with one request for each connection. Some count the characters of a message
where its bytes are meant, or do not say how long it is; then it ends where its parentheses do.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any
from urllib.parse import unquote_plus

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from semisplit.core.limits import MAX_TEXT
from semisplit.net.ggp.player import Player
from semisplit.net.shared.http import serving
from semisplit.net.shared.listening import listen
from semisplit.net.shared.messages import BadMessage

MOST_BYTES = 4 * MAX_TEXT + (1 << 16)
"""Bytes of a request: the longest rules there may be, in UTF-8, and what comes with them."""
MOST_CONNECTIONS, MOST_UNREAD = 512, 1 << 26
"""Connections whose requests are not complete, and bytes of all of them together."""
PATIENCE = 10.0
"""Seconds for a request to be complete."""
_REST = 0.5
"""Seconds for the rest of a message that seems to be longer than was said."""
_HEADERS = {
    "Content-type": "text/acl",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, GET, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type",
    "Access-Control-Allow-Age": "86400",
    "Connection": "close",
}
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*([0-9]{1,12})[ \t]*\r?$")
_CHUNKED = re.compile(rb"(?im)^transfer-encoding:")
_log = logging.getLogger(__name__)


async def serve(
    player: Player,
    host: str,
    port: int,
    on_open: Callable[[int], None] = lambda port: None,
) -> None:
    """Let hosts ask a player, until the task is cancelled or the process interrupted.

    Args:
        player: The player.
        host: The address to listen on.
        port: The port; 0 takes one that is free.
        on_open: Is given the port when the player is ready; until then it answers `busy`.
    """
    http: Any = partial(_Http, _Gate())
    options = {"http": http, "ws": "none", "date_header": False}
    with listen(host, port, MOST_CONNECTIONS) as listening, closing(player):
        async with serving(_application(player), listening, **options) as server:
            # A match that waited here until all is loaded would begin when its host has gone.
            # Hosts that still wait in the end are answered at once.
            with closing(player):
                await player.prepare()
                on_open(listening.getsockname()[1])
                await asyncio.shield(server)


def _application(player: Player) -> ASGIApp:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        status, answer = 200, ""
        try:
            if request.method != "OPTIONS":
                answer = await player.answer(await _message(request))
        except ClientDisconnect:
            return
        except BadMessage as error:
            _log.info("%s: %s", request.client.host if request.client else "somebody", error)
            status, answer = 400, str(error)
        await Response(answer, status, _HEADERS)(scope, receive, send)

    return application


async def _message(request: Request) -> str:
    """What a host says, in the body or in the address."""
    if request.method == "POST":
        return (await request.body()).decode("utf-8", "replace")
    if request.method != "GET":
        raise BadMessage(f"{request.method} is not understood here, only POST and GET")
    query = request.scope["query_string"]
    target = request.scope["raw_path"] + (b"?" + query if query else b"")
    return unquote_plus(target.decode("ascii", "replace"), errors="replace")[1:]


class _Gate:
    """Those whose requests are not complete. There is an end to what they can take up."""

    def __init__(self) -> None:
        self._unread: dict[_Http, int] = {}
        self._bytes = 0

    def enter(self, one: _Http, more: int) -> None:
        """One has come, or sent more bytes; those who have waited for longest may have to go."""
        self._unread[one] = self._unread.get(one, 0) + more
        self._bytes += more
        while len(self._unread) > MOST_CONNECTIONS or self._bytes > MOST_UNREAD:
            next(iter(self._unread)).refuse("had to make room for others")

    def leave(self, one: _Http) -> None:
        """One has said all, or is gone."""
        self._bytes -= self._unread.pop(one, 0)


class _Http(H11Protocol):
    """A connection; what comes is passed on when the request is complete."""

    def __init__(self, gate: _Gate, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self._gate = gate
        self._received = bytearray()
        self._head = 0
        """Where the head ends; 0 if it has not ended yet."""
        self._length: int | None = None
        """The length of the message, if it was told."""
        self._is_chunked = False
        self._depth = 0
        """Parentheses of the message that are still open."""
        self._is_complete = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        old_style: Any = _OldStyle(transport)
        super().connection_made(old_style)
        reason = f"sent no whole request in {PATIENCE:g} s"
        self._impatience = self.loop.call_later(PATIENCE, self.refuse, reason)
        self._gate.enter(self, 0)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        self._settle()
        super().connection_lost(exc)

    def refuse(self, reason: str) -> None:
        """Cut the connection."""
        host = self.client[0] if self.client else "somebody"
        _log.info("%s %s; the connection was closed", host, reason)
        self._settle()
        self.transport.abort()

    def _settle(self) -> None:
        self._is_complete = True
        self._impatience.cancel()
        self._gate.leave(self)

    def data_received(self, data: bytes) -> None:
        """A part of the request has come; after its end nothing is expected."""
        if self._is_complete:
            return
        self._received += data
        self._gate.enter(self, len(data))
        if len(self._received) > MOST_BYTES:
            self.refuse(f"sent more than {MOST_BYTES} bytes")
        elif not self._is_complete and self._ends_here(data):
            self._pass_on()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Nothing more will come, but an answer may be waited for."""
        if not self._is_complete and self._head:
            self._pass_on()
        return self._is_complete

    def _ends_here(self, data: bytes) -> bool:
        """Whether the request is complete after some bytes."""
        if not self._head:
            searched = max(0, len(self._received) - len(data) - 3)
            if (end := _HEAD_END.search(self._received, searched)) is None:
                return False
            self._head = end.end()
            head, data = bytes(self._received[: self._head]), bytes(self._received[self._head :])
            length = _LENGTH.search(head)
            self._length = int(length[1]) if length else None
            self._is_chunked = _CHUNKED.search(head) is not None
            if self._length is not None and self._length > MOST_BYTES:
                self.refuse(f"announced more than {MOST_BYTES} bytes")
                return False
        self._depth += data.count(b"(") - data.count(b")")
        if not self._received.startswith(b"POST"):
            return True
        if self._is_chunked:
            return self._received.endswith(b"0\r\n\r\n")
        if self._length is None:
            return self._depth <= 0 and b")" in data
        if len(self._received) - self._head < self._length:
            return False
        if self._depth <= 0 or self._received.isascii():
            return True
        # The length may be in characters; then the rest is on its way.
        self._impatience.cancel()
        self._impatience = self.loop.call_later(_REST, self._pass_on)
        return False

    def _pass_on(self) -> None:
        """Hand the request on, with the length that it has."""
        self._settle()
        head, message = bytes(self._received[: self._head]), bytes(self._received[self._head :])
        self._received.clear()
        if head.startswith(b"POST") and not self._is_chunked:
            if self._length is not None and message.isascii():
                message = message[: self._length]
            head = _LENGTH.sub(b"Content-Length: %d\r" % len(message), head)
            if self._length is None:
                head = head.rstrip(b"\r\n") + b"\r\nContent-Length: %d\r\n\r\n" % len(message)
        super().data_received(head + message)


class _OldStyle:
    """A transport on which answers are those of HTTP/1.0; all libraries know only its successor."""

    def __init__(self, transport: asyncio.Transport):
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send bytes, a status line with another number."""
        self._transport.write(re.sub(rb"\AHTTP/1\.1 ", b"HTTP/1.0 ", data))
