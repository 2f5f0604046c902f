"""Messages between a process and its child: pickles on a socket, each after its length."""

from __future__ import annotations

import pickle
import select
import socket
import struct
import threading
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    # It takes a while to load, and most channels do without.
    from asyncio import StreamReader

_LENGTH = struct.Struct("!Q")
Received = TypeVar("Received")
Sent = TypeVar("Sent")


def pack(message: object) -> bytes:
    """The bytes of a message."""
    data = pickle.dumps(message)
    return _LENGTH.pack(len(data)) + data


async def read(reader: StreamReader) -> Any:
    """The next message of a stream.

    Raises:
        EOFError: If the process at the other end has gone.
    """
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    return pickle.loads(await reader.readexactly(length))


class Channel(Generic[Received, Sent]):
    """One end of a connection of two processes."""

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self._sending = threading.Lock()
        self._next: list[Received] = []
        """The next message, if it was read to be looked at."""

    def fileno(self) -> int:
        """The number by which the system waits for messages."""
        return self.connection.fileno()

    def send(self, message: Sent) -> None:
        """Send a message, from any thread.

        Raises:
            OSError: If the process at the other end has gone.
        """
        data = pack(message)
        with self._sending:
            self.connection.sendall(data)

    def receive(self) -> Received:
        """Wait for the next message.

        Raises:
            EOFError: If the process at the other end has gone.
        """
        return self._next.pop() if self._next else self._load()

    def peek(self) -> Received | None:
        """The next message if it has come; `receive` returns it once more."""
        if not self._next and select.select([self], [], [], 0)[0]:
            self._next.append(self._load())
        return self._next[0] if self._next else None

    def close(self) -> None:
        """Close this end."""
        self.connection.close()

    def _load(self) -> Received:
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        message: Received = pickle.loads(self._read(length))
        return message

    def _read(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            try:
                chunk = self.connection.recv(min(count - len(data), 1 << 20))
            except ConnectionError:
                chunk = b""
            if not chunk:
                raise EOFError("the process at the other end has gone")
            data += chunk
        return bytes(data)
