"""How the manager bears many players at once, and whether anything is left behind by many games.

The manager is in this process, the players, which move at random, are in two others. Run from the
root of the repository; writes a table in Markdown:

    python -m benchmarks.manager_load
"""

import argparse
import asyncio
import gc
import multiprocessing
import os
import platform
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import semisplit
from benchmarks.yardstick import cpu_name
from semisplit.agents import Thought, parse_agent
from semisplit.game import Game, Move, State
from semisplit.net.manager.client import Observer, join
from semisplit.net.manager.logs import Logs
from semisplit.net.manager.server import Manager
from semisplit.net.manager.terms import MatchTerms

PROCESSES = 2
ROUNDS = 10


@dataclass(frozen=True)
class Left:
    """What a process holds when there is nothing to do."""

    megabytes: float
    sockets: int
    tasks: int

    @staticmethod
    def measure(tasks: int) -> "Left":
        gc.collect()
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        kilobytes = int(status.partition("VmRSS:")[2].split()[0])
        # The folder is itself open while it is listed, and not any more when its links are read.
        files = [Path("/proc/self/fd", one) for one in os.listdir("/proc/self/fd")]
        sockets = sum(one.is_socket() for one in files)
        return Left(kilobytes / 1024, sockets, tasks)


class Counter(Observer):
    """Counts moves."""

    moves = 0

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        self.moves += 1


def play(port: int, players: int) -> tuple[int, Left]:
    """Let random players connect and play; how many moves they have seen, and what is left."""
    seen = Counter()

    async def play_all() -> int:
        config = parse_agent("random")
        await asyncio.gather(*(join("127.0.0.1", port, config, seen) for _ in range(players)))
        return len(asyncio.all_tasks()) - 1

    tasks = asyncio.run(play_all())
    return seen.moves, Left.measure(tasks)


@dataclass(frozen=True)
class Round:
    """Some matches played at once."""

    games: int
    moves: int
    seconds: float
    manager: Left
    players: Left
    """Those of the process that holds most."""


async def play_round(pool: ProcessPoolExecutor, game: Game, matches: int, games: int) -> Round:
    """Play matches, and check that every move was logged exactly once."""
    loop = asyncio.get_running_loop()
    moves, results = StringIO(), StringIO()
    terms = MatchTerms(games=games, deadline=60.0, preparation=60.0)
    manager = Manager(game, terms, Logs(moves, results), matches)
    playing: list[asyncio.Future[tuple[int, Left]]] = []

    def connect(port: int) -> None:
        count = matches * len(game.players) // PROCESSES
        playing.extend(loop.run_in_executor(pool, play, port, count) for _ in range(PROCESSES))

    begin = time.perf_counter()
    complete = await manager.serve("127.0.0.1", 0, connect)
    seconds = time.perf_counter() - begin
    ends = await asyncio.gather(*playing)
    assert complete
    lines = moves.getvalue().splitlines()
    check_games(game, lines, results.getvalue().splitlines(), matches * games)
    made = len(lines) - matches * games
    assert len(game.players) * made == sum(seen for seen, _ in ends)
    manager_left = Left.measure(len(asyncio.all_tasks()) - 1)
    most = max((left for _, left in ends), key=lambda left: left.megabytes)
    return Round(matches * games, made, seconds, manager_left, most)


def check_games(game: Game, lines: list[str], results: list[str], games: int) -> None:
    """The moves up to each `reset` are a whole game with the result that is logged."""
    assert lines.count("reset") == len(results) == games
    state, finished = game.initial_state(), iter(results)
    for line in lines:
        if line != "reset":
            state = state.apply(state.parse_move(line))
            continue
        assert state.is_terminal
        assert next(finished).split()[3:] == [str(score) for score in state.scores]
        state = game.initial_state()


async def run(arguments: argparse.Namespace) -> str:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, context) as pool:
        loads = []
        for name in ("tic_tac_toe", "breakthrough"):
            game = semisplit.load(name)
            await play_round(pool, game, 2, 1)
            loads.append((name, await play_round(pool, game, arguments.matches, 5)))
        game = semisplit.load("tic_tac_toe")
        each = arguments.games // ROUNDS // 4
        rounds = [await play_round(pool, game, each, 4) for _ in range(ROUNDS)]
    return "\n".join([*facts(), *load_table(loads, arguments.matches), "", *leak_table(rounds)])


def facts() -> list[str]:
    return [
        "# Load on the game manager",
        "",
        f"`python -m benchmarks.manager_load`, on two cores of {cpu_name()},"
        f" Python {platform.python_version()}.",
        "",
        "One process is the manager, two have all the players, which move at random. Every move",
        "was logged exactly once: the logs have as many moves as the players have seen, and each",
        "game in them can be replayed to its end and to its result. Two sockets are those",
        "with which the event loop wakes itself up.",
        "",
    ]


def load_table(loads: list[tuple[str, Round]], matches: int) -> list[str]:
    lines = [
        f"{2 * matches} players in {matches} matches at once, five games each:",
        "",
        "| game | games | moves | seconds | moves per second |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, played in loads:
        lines.append(
            f"| {name} | {played.games:,} | {played.moves:,} | {played.seconds:.1f}"
            f" | {played.moves / played.seconds:,.0f} |"
        )
    return lines


def leak_table(rounds: list[Round]) -> list[str]:
    games = sum(played.games for played in rounds)
    lines = [
        f"{games:,} games of tic_tac_toe in {len(rounds)} rounds, all players connecting anew in"
        " each; what is left when a round is over:",
        "",
        "| games so far | manager: MB | sockets | tasks | players: MB | sockets | tasks |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for number, played in enumerate(rounds, 1):
        manager, players = played.manager, played.players
        lines.append(
            f"| {number * played.games:,} | {manager.megabytes:.1f} | {manager.sockets}"
            f" | {manager.tasks} | {players.megabytes:.1f} | {players.sockets} | {players.tasks} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=100, help="at once")
    parser.add_argument("--games", type=int, default=1000, help="to look for leaks")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results/manager.md"))
    arguments = parser.parse_args()
    text = asyncio.run(run(arguments))
    arguments.output.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
