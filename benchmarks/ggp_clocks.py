"""Whether players of General Game Playing keep their clocks while all cores are busy.

Two players, each a `semisplit ggp play`, are asked for moves by a host with a strict clock: it runs
from the moment before a question is sent until the answer has been read, while as many other
processes as there are cores take all the time they can get.

Run from the root of the repository; takes some minutes and writes a table in Markdown:

    python -m benchmarks.ggp_clocks
"""

import argparse
import asyncio
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import semisplit
from benchmarks.late_moves import busy
from benchmarks.yardstick import cpu_name
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term
from semisplit.net.ggp.client import Address, ask
from semisplit.net.ggp.messages import INFO, find_move, write_abort, write_play, write_start
from semisplit.net.ggp.scramble import Spelling

GAMES = ("connect4_7", "breakthrough.kif", "checkers", "rps_well")
START_CLOCK = 5
COMMAND = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()", "ggp", "play"]


@contextmanager
def player(agent: str) -> Iterator[Address]:
    command = [*COMMAND, "--port", "0", "--agent", agent]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield Address(process.stdout.readline().split()[-1])
        process.kill()


@dataclass
class Series:
    """The answers of all players in one game, in seconds."""

    choices: list[float] = field(default_factory=list)
    """Where there was more than one move."""
    others: list[float] = field(default_factory=list)
    infos: list[float] = field(default_factory=list)
    """Answers to `INFO`, while others were thought about."""
    illegal: int = 0

    def row(self, name: str, clock: int) -> str:
        late = sum(seconds > clock for seconds in self.choices + self.others)
        return (
            f"| {name} | {len(self.choices)} | {len(self.others)} | {late} | {self.illegal}"
            f" | {1000 * (clock - max(self.choices)):.0f} | {1000 * max(self.others or [0]):.0f}"
            f" | {1000 * max(self.infos):.0f} |"
        )


async def measure(name: str, addresses: list[Address], clock: int, moves: int) -> Series:
    """Let players play games until there are so many moves of those who have a choice."""
    game = semisplit.load(name, engine="interpreter")
    assert isinstance(game.rules, GdlRules)
    interpreter, series = game.rules.interpreter, Series()
    roles = [write_term(role) for role in game.rules.description.roles]
    rules = Spelling(game.rules.description).rules()
    number = 0
    while len(series.choices) < moves:
        number += 1
        match = f"{Path(name).stem}.{number}"
        started = await asyncio.gather(
            *(
                ask(one, "", write_start(match, role, rules, START_CLOCK, clock), 2 * START_CLOCK)
                for one, role in zip(addresses, roles)
            )
        )
        assert started == ["ready"] * len(roles), started
        state, told = interpreter.start.fluents, list[str]()
        while not interpreter.is_terminal(state) and len(series.choices) < moves:
            message = write_play(match, told)
            asked = zip(addresses, interpreter.legal(state))
            answers = [answer(one, message, legal, clock, series) for one, legal in asked]
            joint, *_ = await asyncio.gather(
                asyncio.gather(*answers), *(poll(one, clock, series) for one in addresses)
            )
            assert joint is not None
            told = [write_term(move) for move in joint]
            state = interpreter.next_state(state, tuple(joint))
        await asyncio.gather(*(ask(one, "", write_abort(match), 10) for one in addresses))
    return series


async def answer(
    address: Address, message: str, legal: list[Term], clock: int, series: Series
) -> Term:
    begin = time.perf_counter()
    text = await ask(address, "", message, 10 * clock)
    seconds = time.perf_counter() - begin
    (series.choices if len(legal) > 1 else series.others).append(seconds)
    move = find_move(text, legal)
    series.illegal += move is None
    return move or legal[0]


async def poll(address: Address, clock: int, series: Series) -> None:
    """Ask something else in the middle of a move."""
    await asyncio.sleep(clock / 4)
    begin = time.perf_counter()
    assert "busy" in await ask(address, "", INFO, 10)
    series.infos.append(time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--clock", type=int, default=1, help="seconds for a move")
    parser.add_argument("--moves", type=int, default=50, help="for each game")
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="other processes")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results/ggp_clocks.md"))
    arguments = parser.parse_args()
    rows = []
    with ExitStack() as stack:
        addresses = [stack.enter_context(player("orthodox")) for _ in range(2)]
        stack.enter_context(busy(arguments.busy))
        for game in arguments.games:
            series = asyncio.run(measure(game, addresses, arguments.clock, arguments.moves))
            rows.append(series.row(game, arguments.clock))
            print(rows[-1], f"load {os.getloadavg()[0]:.1f}", flush=True)
        load = os.getloadavg()[0]
    lines = [
        "# Clocks of General Game Playing",
        "",
        f"`python -m benchmarks.ggp_clocks --clock {arguments.clock} --moves {arguments.moves}"
        f" --busy {arguments.busy}`, on {os.cpu_count()} cores of {cpu_name()}, Python"
        f" {platform.python_version()}; in the end {load:.1f} processes wanted to run.",
        "",
        f"Two players with the agent `orthodox` and a clock of {arguments.clock} s. Times are in",
        "milliseconds: what was left of the clock in the worst case, the slowest answer where",
        "there was only one move, and the slowest answer to `INFO` while a move was thought about.",
        "",
        "| game | moves | only moves | late | illegal | least time left | only move | `INFO` |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
