"""The other end of the game-manager protocol, played byte by byte on plain sockets."""

import asyncio
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import StringIO

import semisplit
from semisplit.agents import AgentConfig, Thought, parse_agent
from semisplit.core.errors import SemisplitError
from semisplit.game import Game, Move, State
from semisplit.net.manager.client import Observer, join
from semisplit.net.manager.logs import Logs
from semisplit.net.manager.server import Manager
from semisplit.net.manager.terms import MatchTerms
from semisplit.search import Budget

LONGEST = 120.0
"""Seconds after which something hangs; a search that is used for the first time is compiled."""
RULES = semisplit.games.text("tic_tac_toe").encode()
X_WINS = [b"1 4", b"4 10", b"2 4", b"5 10", b"3 4"]
"""A game of tic-tac-toe."""


class RawPeer:
    """A socket and what has come through it."""

    def __init__(self, connected: socket.socket):
        self.socket = connected
        self.socket.settimeout(LONGEST)

    @staticmethod
    def connect(port: int) -> "RawPeer":
        return RawPeer(socket.create_connection(("127.0.0.1", port)))

    def expect(self, *messages: bytes) -> None:
        """These messages come next, to the byte."""
        for message in messages:
            assert self.take(len(message) + 1) == message + b"\0"

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            assert more, f"closed after {data!r}"
            data += more
        return data

    def read(self) -> bytes:
        """The next message."""
        message = b""
        while (byte := self.take(1)) != b"\0":
            message += byte
        return message

    def skip_rules(self) -> None:
        """What a manager says first comes next, whatever it is."""
        for _ in range(3):
            self.read()

    def wait_for_end(self) -> None:
        """Take what comes until the other end has left."""
        with suppress(ConnectionError):
            while self.socket.recv(1 << 16):
                pass

    def expect_close_after_rules(self) -> None:
        self.skip_rules()
        self.expect_close()

    def expect_close(self) -> None:
        """Nothing comes but the end."""
        with suppress(ConnectionResetError):
            assert self.socket.recv(1) == b""

    def send(self, *messages: bytes) -> None:
        for message in messages:
            self.socket.sendall(message + b"\0")

    def close(self) -> None:
        self.socket.close()


@dataclass
class Served:
    """A manager at work."""

    terms: MatchTerms
    port: int = 0
    moves: StringIO = field(default_factory=StringIO)
    results: StringIO = field(default_factory=StringIO)
    complete: bool | None = None
    """What the manager returned; None as long as it works."""

    def results_without_times(self) -> list[str]:
        return [line.partition(" ")[2] for line in self.results.getvalue().splitlines()]


@contextmanager
def serving(
    terms: MatchTerms, game: str | Game = "tic_tac_toe", matches: int = 1
) -> Iterator[Served]:
    """A manager that must be at its end, with all connections closed, when the block is."""
    served = Served(terms)
    opened: queue.Queue[int] = queue.Queue()
    loaded = game if isinstance(game, Game) else semisplit.load(game)
    manager = Manager(loaded, terms, Logs(served.moves, served.results), matches)

    def run() -> None:
        served.complete = asyncio.run(manager.serve("127.0.0.1", 0, opened.put), debug=True)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    served.port = opened.get(timeout=LONGEST)
    yield served
    thread.join(LONGEST)
    assert not thread.is_alive()
    assert served.complete is not None


def introduce(*peers: RawPeer, preparation: bytes, game: str = "tic_tac_toe") -> None:
    """Receive the rules on all peers, which are all players of the game, and be ready."""
    rules = semisplit.games.text(game).encode()
    for number, peer in enumerate(peers, 1):
        peer.expect(preparation, rules, str(number).encode())
        peer.send(b"ready")


class Listening:
    """A socket that waits for a client to connect."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(LONGEST)
        self.port: int = self.socket.getsockname()[1]

    def accept(self) -> RawPeer:
        return RawPeer(self.socket.accept()[0])


@dataclass
class Notes(Observer):
    """An observer that remembers."""

    wants_thoughts = True
    player: int = 0
    thoughts: int = 0
    moves: list[str] = field(default_factory=list)
    made: list[Thought] = field(default_factory=list)
    """What the agent thought of its moves."""
    games: list[State] = field(default_factory=list)
    """The states in which games ended."""

    def begins(self, game: Game, player: int) -> None:
        self.player = player

    def thinks(self, state: State, thought: Thought) -> None:
        self.thoughts += 1

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        self.moves.append(str(move))
        self.made += [thought] if thought else []

    def ended(self, state: State) -> None:
        self.games.append(state)


class Joined(Notes):
    """A client at work, and how it ended."""

    failure: SemisplitError | None = None


@contextmanager
def joining(
    agent: str | AgentConfig = "random", budget: Budget | None = None
) -> Iterator[tuple[RawPeer, Joined]]:
    """A client that has connected to us; it must be at its end when the block is."""
    listening = Listening()
    notes = Joined()
    config = parse_agent(agent) if isinstance(agent, str) else agent

    def play() -> None:
        try:
            asyncio.run(join("127.0.0.1", listening.port, config, notes, seed=1, budget=budget))
        except SemisplitError as error:
            notes.failure = error

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    manager = listening.accept()
    yield manager, notes
    manager.close()
    listening.socket.close()
    thread.join(LONGEST)
    assert not thread.is_alive()


def introduce_to_client(manager: RawPeer, player: bytes, rules: bytes = RULES) -> None:
    manager.send(b"1.000000", rules, player)
    manager.expect(b"ready")


def play_out(white: RawPeer, black: RawPeer, moves: list[bytes], limit: bytes) -> None:
    """Make moves in turn, each of which the other one gets to know."""
    players = [white, black]
    for number, move in enumerate(moves):
        mover, other = players[number % 2], players[1 - number % 2]
        mover.expect(limit)
        mover.send(move)
        other.expect(move)
