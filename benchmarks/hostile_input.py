"""How hostile texts end: each command on each text, with the time and the memory it takes.

Run from the root of the repository; of several words, a line must have all of them:

    python -m benchmarks.hostile_input [--commands WORD,...] [--texts WORD,...]
    python -m benchmarks.hostile_input --parser
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.hostile import LARGE, LIMITS, NASTY

from semisplit import games
from semisplit.core.errors import RuleError
from semisplit.rbg.description import parse

COMMANDS = {
    "show": ("show", "FILE"),
    "check": ("check", "FILE"),
    "format": ("format", "--check", "FILE"),
    "moves": ("moves", "FILE"),
    "semimoves": ("moves", "FILE", "--split", "ModPlusShift"),
    "explain": ("explain", "FILE"),
    "explain-plus": ("explain", "FILE", "--split", "PlusShift"),
    "compile": ("compile", "FILE"),
    "compile-mod": ("compile", "FILE", "--split", "Mod"),
    "perft": ("perft", "FILE", "1"),
    "bench": ("bench", "FILE", "--seconds", "0.1"),
    "match": ("match", "FILE", "random", "flat-mc", "--games", "2", "--budget", "10ms"),
    "play": ("play", "FILE", "--agent", "random"),
}
_SECONDS, _MEGABYTES = 22.0, 2300.0
"""The limits, and a little for starting and ending."""
_PATIENCE = 300.0
"""Seconds after which a command is stopped; other programs may be running, too."""


class Ending(NamedTuple):
    """How a command has ended."""

    seconds: float
    """Of the processor, as the limit is."""
    megabytes: float
    status: int
    said: str

    @property
    def fault(self) -> str | None:
        """What is wrong with it, if anything: it may give a result or an error, within limits."""
        if self.seconds > _SECONDS:
            return "too slow"
        if self.megabytes > _MEGABYTES:
            return "too large"
        if "Traceback" in self.said:
            return "traceback"
        if self.status not in (0, 1) or (self.status == 1 and not self.said.strip()):
            return f"status {self.status}"
        return None


def run(command: tuple[str, ...], text: str, cache: Path) -> Ending:
    """Run a command on a text that has not been compiled before."""
    for file in cache.iterdir():
        if file.is_file():
            file.unlink()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as output:
        (Path(folder) / "game.rbg").write_text(text)
        words = ["game.rbg" if word == "FILE" else word for word in command]
        process = subprocess.Popen(
            [sys.executable, "-c", "from semisplit.cli.main import main; main()", *words],
            cwd=folder,
            env={**os.environ, "SEMISPLIT_CACHE": str(cache)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        begin = time.monotonic()
        ended = 0
        while not ended:
            time.sleep(0.02)
            if time.monotonic() - begin > _PATIENCE:
                os.kill(process.pid, signal.SIGKILL)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        output.seek(0)
        return Ending(seconds, usage.ru_maxrss / 1024, process.returncode, output.read())


def run_all(commands: list[str], texts: list[str]) -> None:
    faults = 0
    with tempfile.TemporaryDirectory() as cache:
        for name, text in NASTY.items():
            for command, words in COMMANDS.items():
                if not all(word in name for word in texts) or (
                    commands and command not in commands
                ):
                    continue
                end = run(words, text, Path(cache))
                line = end.said.rstrip().rpartition("\n")[2][:150]
                line = f"{end.fault.upper()} {line}" if end.fault else line
                faults += end.fault is not None
                sizes = f"{end.seconds:5.1f} s {end.megabytes:6.0f} MB"
                print(f"{name:32} {command:12} {sizes}  {line}", flush=True)
    print(f"{faults} faults")


def parser_seconds(text: str) -> float:
    """CPU time until a text has been read or refused."""
    start = time.process_time()
    with suppress(RuleError):
        parse(text)
    return time.process_time() - start


def mutations(count: int) -> list[str]:
    """Bundled descriptions with a stretch of text doubled many times or cut out."""
    rng = random.Random(0)
    mutated = []
    for _ in range(count):
        text = games.text(rng.choice(games.names()))
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randint(1, 60))
        mutated.append(text[:start] + text[start:end] * rng.choice([0, 2, 50, 1000]) + text[end:])
    return mutated


def run_parser() -> None:
    rows = [(name, parser_seconds(text)) for name, text, _ in LIMITS]
    rows += [(f"large text {number}", parser_seconds(text)) for number, text in enumerate(LARGE)]
    rows.append(("worst of 500 mutations", max(map(parser_seconds, mutations(500)))))
    for name, spent in sorted(rows, key=lambda row: -row[1]):
        print(f"{spent:6.3f} s  {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", default="", help="some of the commands")
    parser.add_argument("--texts", default="", help="texts with all these words in their names")
    parser.add_argument("--parser", action="store_true", help="the parser alone, more finely")
    arguments = parser.parse_args()
    if arguments.parser:
        run_parser()
    else:
        run_all(*(list(filter(None, a.split(","))) for a in (arguments.commands, arguments.texts)))


if __name__ == "__main__":
    main()
