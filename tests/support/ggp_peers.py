"""The other end of General Game Playing, played byte by byte on plain sockets."""

import asyncio
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from semisplit.agents import AgentConfig, Thought, parse_agent
from semisplit.net.ggp.player import Observer, Player
from semisplit.net.ggp.server import serve

LONGEST = 20.0
"""Seconds after which something hangs."""
LOADING = 600.0
"""The same for a player that may have to compile the search."""
AVAILABLE = b"( ( name tester ) ( status available ) ( species simulation ) )"
BUSY = AVAILABLE.replace(b"available", b"busy")
RULES = (
    "( role left ) ( role right )"
    " ( <= ( legal ?Player ( Show ?n ) ) ( role ?Player ) ( number ?n ) )"
    " ( number 1 ) ( number 2 ) ( init ( Round 1 ) )"
    " ( <= ( next ( Round 2 ) ) ( true ( Round 1 ) ) )"
    " ( <= ( next ( Round 3 ) ) ( true ( Round 2 ) ) )"
    " ( <= ( next ( shown ?Player ?n ) ) ( does ?Player ( Show ?n ) ) )"
    " ( <= terminal ( true ( Round 3 ) ) )"
    " ( <= ( goal ?Player 100 ) ( true ( shown ?Player 2 ) ) )"
    " ( <= ( goal ?Player 0 ) ( role ?Player ) ( not ( true ( shown ?Player 2 ) ) ) )"
)
"""Two rounds, in which both players show a number."""
SHOWS = (b"( Show 1 )", b"( Show 2 )")


@dataclass
class Notes(Observer):
    """An observer that remembers."""

    wants_thoughts = True
    thoughts: list[Thought] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    ended: queue.Queue[tuple[int, ...] | None] = field(default_factory=queue.Queue)

    def thinks(self, match: str, thought: Thought) -> None:
        self.thoughts.append(thought)

    def moves(self, match: str, number: int, move: str, thought: Thought | None) -> None:
        self.moved.append(move)

    def ends(self, match: str, scores: tuple[int, ...] | None) -> None:
        self.ended.put(scores)


@contextmanager
def running(serving: Callable[[Callable[[int], None]], Any]) -> Iterator[int]:
    """A server in a thread, which is told where to say that it is open; gives its port."""
    opened: queue.Queue[int] = queue.Queue()
    failures: list[BaseException] = []
    stop: list[Callable[[], object]] = []

    async def run() -> None:
        task = asyncio.ensure_future(serving(opened.put))
        loop = asyncio.get_running_loop()
        stop.append(lambda: loop.call_soon_threadsafe(task.cancel))
        with suppress(asyncio.CancelledError):
            await task

    def work() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            failures.append(error)
            opened.put(0)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield opened.get(timeout=LOADING)
    finally:
        stop[0]()
        thread.join(LONGEST)
    assert not thread.is_alive()
    assert not failures


@contextmanager
def playing(agent: str | AgentConfig = "random", **options: Any) -> Iterator[int]:
    """A player that waits for hosts; gives its port."""
    config = parse_agent(agent) if isinstance(agent, str) else agent
    options = {"name": "tester", "seed": 1, **options}
    with running(lambda opened: serve(Player(config, **options), "127.0.0.1", 0, opened)) as port:
        yield port


def connect(port: int) -> socket.socket:
    connected = socket.create_connection(("127.0.0.1", port))
    connected.settimeout(LONGEST)
    return connected


def request(message: bytes, *, length: int | None = None) -> bytes:
    """What ggp-base sends."""
    return (
        b"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1\r\nSender: GAMESERVER\r\n"
        b"Receiver: tester\r\nContent-Type: text/acl\r\nContent-Length: "
        + str(len(message) if length is None else length).encode()
        + b"\r\n\r\n"
        + message
    )


def read_all(connected: socket.socket) -> bytes:
    data = b""
    while more := connected.recv(1 << 16):
        data += more
    return data


def exchange(port: int, sent: bytes) -> bytes:
    """All that comes back for some bytes."""
    with connect(port) as connected:
        connected.sendall(sent)
        return read_all(connected)


def body(answer: bytes) -> bytes:
    """The body of an answer that is as it should be, to the byte."""
    head, _, rest = answer.partition(b"\r\n\r\n")
    status, *headers = head.split(b"\r\n")
    assert status == b"HTTP/1.0 200 OK"
    assert [name.lower() for name in headers if not name.lower().startswith(b"connection")] == [
        b"content-type: text/acl",
        b"access-control-allow-origin: *",
        b"access-control-allow-methods: post, get, options",
        b"access-control-allow-headers: content-type",
        b"access-control-allow-age: 86400",
        b"content-length: " + str(len(rest)).encode(),
    ]
    return rest


def say(port: int, message: str | bytes) -> bytes:
    """What a player answers to a message."""
    sent = message.encode() if isinstance(message, str) else message
    return body(exchange(port, request(sent)))


def start(name: str = "m", role: str = "left", rules: str = RULES, clocks: str = "1 2") -> str:
    return f"( START {name} {role} ({rules} ) {clocks})"


class ScriptedPlayer:
    """A player that is asked by our host, and does as it is told."""

    def __init__(self, answer: Callable[[bytes], bytes | None]):
        """Listen.

        Args:
            answer: From a message to an answer; None says nothing until the host has gone.
        """
        self.heads: list[bytes] = []
        self.messages: list[bytes] = []
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> "ScriptedPlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(LONGEST)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        while True:
            try:
                connected, _ = self._socket.accept()
            except OSError:
                return
            with connected:
                connected.settimeout(LONGEST)
                self._talk(connected)

    def _talk(self, connected: socket.socket) -> None:
        data = b""
        while b"\r\n\r\n" not in data:
            data += connected.recv(1 << 16)
        head, _, message = data.partition(b"\r\n\r\n")
        length = int(head.rpartition(b"Content-Length: ")[2])
        while len(message) < length:
            message += connected.recv(1 << 16)
        self.heads.append(head)
        self.messages.append(message)
        answer = self._answer(message)
        with suppress(OSError):
            if answer is None:
                connected.recv(1)
            elif answer.startswith(b"HTTP"):
                connected.sendall(answer)
            else:
                connected.sendall(
                    b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: "
                    + str(len(answer)).encode()
                    + b"\r\n\r\n"
                    + answer
                )


def scripted(plays: Callable[[bytes], bytes | None]) -> Callable[[bytes], bytes | None]:
    """The answers of a player that is like any other but for its moves."""

    def answer(message: bytes) -> bytes | None:
        match message.split()[1]:
            case b"INFO":
                return AVAILABLE
            case b"START":
                return b"ready"
            case b"PLAY":
                return plays(message)
            case b"STOP":
                return b"done"
            case word:
                assert word == b"ABORT"
                return b"aborted"

    return answer


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that has to come about."""
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
