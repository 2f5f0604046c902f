"""Whole matches over the wire: what goes wrong between our host and our players.

Each side is a process as a user starts it, `semisplit ggp host` and two times `semisplit ggp play`.

Run from the root of the repository; takes the clocks' time for all moves, and prints a table in
Markdown:

    python -m benchmarks.ggp_matches benchmarks/large/checkers_jumps.kif --clock 2
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from semisplit.net.ggp.records import MatchRecord, Records

GAMES = ["benchmarks/large/chess.kif", "benchmarks/large/checkers_jumps.kif", "checkers"]
COMMAND = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()", "ggp"]
WAYS = {
    "without thought": r"was made without thought",
    "some moves only": r"the move is one of the first that were found",
    "waited": r"the compiled game is waited for",
    "again": r"; the answer is ",
}
"""What a player's log says, each in a column."""


@contextmanager
def player(agent: str, log: IO[str]) -> Iterator[str]:
    """A player, as its address."""
    command = [*COMMAND, "play", "--port", "0", "--agent", agent]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[-1]
        yield address
        process.terminate()
        process.communicate()


def row(record: MatchRecord, log: str, seconds: float) -> str:
    """What has happened in a match."""
    errors = Counter(error[:2] for step in record.errors for error in step if error)
    nil = sum(error.lower() == "il nil" for step in record.errors for error in step)
    said = [len(re.findall(words, log)) for words in WAYS.values()]
    figures = [len(record.moves), errors["TO"], errors["CE"], errors["IL"] - nil, nil, *said]
    score = ":".join(map(str, record.goal_values))
    cells = [record.match_id.split(".")[0], *figures, score, round(seconds)]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--agents", nargs=2, default=["auto", "orthodox"])
    parser.add_argument("--start", type=int, default=60, help="seconds to get ready")
    parser.add_argument("--clock", type=int, default=5, help="seconds for a move")
    arguments = parser.parse_args()
    print(f"start clock {arguments.start} s, play clock {arguments.clock} s, {arguments.agents}")
    columns = ["game", "steps", "late", "broken", "illegal", "nil", *WAYS, "score", "s"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for game in arguments.games:
        with ExitStack() as stack:
            log = stack.enter_context(tempfile.TemporaryFile("w+"))
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            players = [stack.enter_context(player(agent, log)) for agent in arguments.agents]
            command = [*COMMAND, "host", game, "--record", str(folder)]
            for address in players:
                command += ["--player", address]
            command += ["--start-clock", str(arguments.start)]
            command += ["--play-clock", str(arguments.clock)]
            begin = time.monotonic()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            seconds = time.monotonic() - begin
            log.seek(0)
            said = log.read()
            print(row(next(iter(Records(folder))), said, seconds), flush=True)
            print(*re.findall(rf".*{WAYS['again']}.*", said), sep="\n", file=sys.stderr)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
