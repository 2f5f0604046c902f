"""One end of a connection: messages, each of them ended by a zero byte."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from semisplit.core.errors import SemisplitError

_KEEPALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""A peer whose machine or network is gone is noticed after a minute."""
_CLOSING = 5.0
"""Seconds in which a peer has to take what was sent before the connection was closed."""

_BYTES_PER_MESSAGE = 64
"""Of the limit on bytes: even empty messages cost something."""
_TCP_INFO_BYTES, _SHORTEST_ROUND_TRIP = 152, 148
"""Where Linux tells the shortest round trip of a connection, in microseconds."""


class PeerError(SemisplitError):
    """The other end cannot be talked to any more; the message says what it has done."""


class PeerLeft(PeerError):
    """The other end has closed the connection, or cannot be reached."""


class Connection(asyncio.Protocol):
    """Receives and sends messages. Whatever the other end does, memory stays bounded."""

    def __init__(self, most_unread: int, on_open: Callable[[Connection], None] | None = None):
        """Prepare for a connection.

        Args:
            most_unread: How many bytes may come in without being read, and a 64th of it in
                messages; more end the connection.
            on_open: Is called when the connection stands.
        """
        self.peer = "nobody"
        """The address of the other end, if it was there long enough to have one."""
        self._loop = asyncio.get_running_loop()
        self.left: asyncio.Future[PeerError] = self._loop.create_future()
        """Done when nothing more can come from the other end, with the reason."""
        self.arrived = 0.0
        """When the message that was last received came in, by `time.perf_counter`."""
        self._on_open = on_open
        self._most_unread = most_unread
        self._most_messages = 1 + most_unread // _BYTES_PER_MESSAGE
        self._unread = 0
        self._begun = bytearray()
        self._messages: deque[tuple[bytes, float]] = deque()
        self._news = asyncio.Event()
        self._closed = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the connection stands."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        # The other end may have reset the connection already; then it has no address.
        if address := transport.get_extra_info("peername"):
            self.peer = f"{address[0]}:{address[1]}"
        _keep_alive(transport.get_extra_info("socket"))
        if self._on_open is not None:
            self._on_open(self)

    def data_received(self, data: bytes) -> None:
        """Called with bytes from the other end, cut anywhere."""
        self._unread += len(data)
        # Messages are counted before they are made: all others wait until this is done.
        ends = data.count(b"\0")
        if self._unread > self._most_unread:
            self._refuse(f"{self._most_unread} bytes")
            return
        if len(self._messages) + ends > self._most_messages:
            self._refuse(f"{self._most_messages} messages")
            return
        self._begun += data
        if ends:
            *messages, self._begun = self._begun.split(b"\0")
            now = time.perf_counter()
            self._messages.extend((bytes(message), now) for message in messages)
            self._news.set()

    def _refuse(self, limit: str) -> None:
        self._leave(PeerError(f"sent more than {limit} that were not asked for"))
        self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Called when the connection is no more."""
        in_message = " in the middle of a message" if self._begun else ""
        self._leave(PeerLeft(f"left{in_message}" + (f" ({error})" if error else "")))
        self._closed.set()

    def _leave(self, reason: PeerError) -> None:
        if not self.left.done():
            self.left.set_result(reason)
            self._news.set()

    @property
    def has_news(self) -> bool:
        """Whether there is something to be received, be it that the other end has left."""
        return bool(self._messages) or self.left.done()

    @property
    def round_trip(self) -> float:
        """Seconds that the network takes to the other end and back; 0 if the system does not tell.

        It is the shortest time so far, as others depend on when the other end had its turn.
        """
        if not hasattr(socket, "TCP_INFO") or self._transport.is_closing():
            return 0.0
        connected = self._transport.get_extra_info("socket")
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
        if len(info) < _TCP_INFO_BYTES:
            return 0.0
        (microseconds,) = struct.unpack_from("=I", info, _SHORTEST_ROUND_TRIP)
        return float(microseconds) / 1e6

    def send(self, message: bytes) -> None:
        """Send a message. That the other end has left is noticed when receiving."""
        self._write(message + b"\0")

    def send_from_thread(self, message: bytes) -> None:
        """Send a message from another thread, at once if there is room, which there usually is.

        To have the loop do it would mean to wait until a processor is free for its thread.
        """
        data, sent = message + b"\0", 0
        if not self._transport.is_closing() and not self._transport.get_write_buffer_size():
            with suppress(OSError):
                sent = os.write(self._transport.get_extra_info("socket").fileno(), data)
        if sent < len(data):
            self._loop.call_soon_threadsafe(self._write, data[sent:])

    def _write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    async def receive(self) -> bytes:
        """The next message.

        Raises:
            PeerError: If there is none and there will be none.
        """
        while not self._messages:
            if self.left.done():
                raise self.left.result()
            self._news.clear()
            await self._news.wait()
        message, self.arrived = self._messages.popleft()
        self._unread -= len(message) + 1
        return message

    async def close(self) -> None:
        """End the connection, once what was sent has been taken by the other end."""
        self._transport.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await self._closed.wait()
        self.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self._transport.abort()


def _keep_alive(connected: socket.socket) -> None:
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
