"""How many moves of our players come too late, while other processes keep the processors busy.

The manager here has a strict clock: it runs from the move before, so that it includes what the
manager itself takes to see whether the game goes on, until the answer has been read. The players
are two processes, one with whole and one with split moves.

What the wire costs is the processor time that a player spends, from its last move to the next one,
outside of the kernel that iterates; `semisplit bench --search` measures a search that spends next
to none. So the rest of a move's time is what can be used at that speed, if nobody else needs the
processor.

Run from the root of the repository; takes half an hour and writes a table in Markdown:

    python -m benchmarks.late_moves
"""

import argparse
import asyncio
import multiprocessing
import os
import platform
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from statistics import mean
from typing import Any

from rich.console import Console

import semisplit
from benchmarks.yardstick import cpu_name
from semisplit.agents import Thought, parse_agent
from semisplit.game import Move, State
from semisplit.net.manager.client import join
from semisplit.net.manager.messages import read_move, write_seconds
from semisplit.search import Search, pool
from semisplit.search.engine.run import run
from semisplit.ui.cli.terminal.display import Display

AGENTS = ("orthodox", "semisplit-nodal+mast-split@Mod")
GAMES = ("amazons", "go", "chess", "breakthrough")
SPAWN = multiprocessing.get_context("spawn")


class Meter(Display):
    """What `semisplit connect` shows, and a count of the processor time on the player's clock."""

    def __init__(self, console: Console):
        super().__init__(console)
        self._think = Search.run
        setattr(pool, "run", self._iterate)  # noqa: B010
        setattr(Search, "run", lambda *args, **kw: self._search(args, kw))  # noqa: B010
        self._iterating = 0.0
        self._since: float | None = None
        self.besides: list[float] = []
        """The seconds that went not to iterations, for each move but the first."""

    def _iterate(self, *arguments: Any) -> int:
        begin = time.thread_time()
        done: int = run(*arguments)
        self._iterating += time.thread_time() - begin
        return done

    def _search(self, arguments: Any, options: Any) -> Any:
        result = self._think(*arguments, **options)
        if self._since is not None:
            self.besides.append(time.process_time() - self._since - self._iterating)
        return result

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        super().moved(state, move, thought)
        if thought is not None:
            # All that comes now is on its clock: the opponent's move, and thinking.
            self._since, self._iterating = time.process_time(), 0.0


def play(agent: str, port: int, result: Pipe) -> None:
    """Be a player."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        meter = Meter(Console(file=nowhere, highlight=False))
        with meter:
            asyncio.run(join("127.0.0.1", port, parse_agent(agent), meter))
        result.send(mean(meter.besides))


class Player:
    """A process that plays, as a manager sees it."""

    def __init__(self, agent: str, server: socket.socket):
        self._result, result = SPAWN.Pipe(duplex=False)
        arguments = (agent, server.getsockname()[1], result)
        SPAWN.Process(target=play, args=arguments, daemon=True).start()
        self._socket, _ = server.accept()
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = b""

    def send(self, message: bytes) -> None:
        self._socket.sendall(message + b"\0")

    def receive(self) -> bytes:
        while b"\0" not in self._read:
            data = self._socket.recv(1 << 16)
            assert data, "a player has left"
            self._read += data
        message, _, self._read = self._read.partition(b"\0")
        return message

    def leave(self) -> float:
        """End its match; the processor time for each of its moves besides iterations."""
        self.send(b"reset")
        self._socket.close()
        besides: float = self._result.recv()
        return besides


@dataclass
class Series:
    """Moves at one time limit."""

    limit: float
    answers: list[float] = field(default_factory=list)
    """The seconds from the position to each answer."""
    besides: list[float] = field(default_factory=list)
    """Seconds of processor time for a move, not spent in iterations, of each agent."""

    def row(self, name: str) -> str:
        moves = len(self.answers)
        late = sum(answer > self.limit for answer in self.answers)
        spare = sorted(1000 * (self.limit - answer) for answer in self.answers)
        used = mean(self.answers)
        cost = " | ".join(f"{1000 * each:.1f}" for each in self.besides)
        speed = " | ".join(f"{1 - each / used:.1%}" for each in self.besides)
        return (
            f"| {name} | {1000 * self.limit:.0f} | {moves} | {late} | {-spare[0]:.1f}"
            f" | {spare[moves // 100]:.1f} | {spare[moves // 2]:.1f} | {used / self.limit:.1%}"
            f" | {cost} | {speed} |"
        )


def measure(name: str, limit: float, moves: int) -> Series:
    """Let two players play games until there are so many moves."""
    game = semisplit.load(name)
    series = Series(limit)
    with socket.create_server(("127.0.0.1", 0)) as server:
        players = [Player(agent, server) for agent in AGENTS]
        for number, player in enumerate(players, 1):
            player.send(write_seconds(60.0))
            player.send(game.text.encode())
            player.send(str(number).encode())
        for player in players:
            assert player.receive() == b"ready"
        while len(series.answers) < moves:
            state, made = game.initial_state(), time.perf_counter()
            while not state.is_terminal and len(series.answers) < moves:
                state = ask(state, players, series, made)
                made = time.perf_counter()
            if state.is_terminal:
                for player in players:
                    player.send(b"reset")
        series.besides = [player.leave() for player in players]
    return series


def ask(state: State, players: list[Player], series: Series, made: float) -> State:
    """Ask the player to move; the answer is noted and told to the others."""
    player = players[state.player - 1]
    player.send(write_seconds(series.limit))
    message = player.receive()
    series.answers.append(time.perf_counter() - made)
    _, following = read_move(message, state)
    for other in players:
        if other is not player:
            other.send(message)
    return following


def keep_busy() -> None:
    while True:
        sum(range(10_000))


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Have some processes take all the time they can get."""
    others = [SPAWN.Process(target=keep_busy, daemon=True) for _ in range(processes)]
    for one in others:
        one.start()
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.join()


def report(arguments: argparse.Namespace, rows: list[str], load: float) -> str:
    lines = [
        "# Late moves",
        "",
        f"`python -m benchmarks.late_moves --moves {arguments.moves} --busy {arguments.busy}`, on"
        f" {os.cpu_count()} cores of {cpu_name()}, Python {platform.python_version()}; on average"
        f" {load:.1f} processes of this machine wanted to run.",
        "",
        f"Games between `{AGENTS[0]}` and `{AGENTS[1]}` by the manager",
        "protocol, on the clock of a strict manager. Times are in milliseconds: how late the worst",
        "answer was (negative: so much time was left), what was left at most in one of a hundred",
        "and in one of two moves, and the processor time on a player's clock that was not spent in",
        "iterations, for whole and for split moves. The last columns have the part of the time",
        "that remains for iterations on a free core: simulations per second, compared with",
        "`semisplit bench --search`.",
        "",
        "| game | limit | moves | late | worst lateness | left: 1 % | 50 % | time used"
        " | besides: whole | split | speed: whole | split |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--limits", type=int, nargs="+", default=[200, 600], help="milliseconds")
    parser.add_argument("--moves", type=int, default=500, help="for each game and limit")
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="other processes")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results/late_moves.md"))
    arguments = parser.parse_args()
    rows, loads = [], []
    with busy(arguments.busy):
        for game in arguments.games:
            for limit in arguments.limits:
                rows.append(measure(game, limit / 1000, arguments.moves).row(game))
                loads.append(os.getloadavg()[0])
                print(rows[-1], f"load {loads[-1]:.1f}", flush=True)
    text = report(arguments, rows, mean(loads))
    arguments.output.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
