"""How hostile texts end: each command on each text, with processor time and memory.

Run from the root of the repository; it takes an hour:

    python -m benchmarks.hostile_input [--commands COMMAND,...] [--texts WORD,...]
    python -m benchmarks.hostile_input --parser
"""

import argparse
import random
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.support import hostile_gdl
from tests.support.commands import COMMANDS, Ending, run
from tests.support.hostile import LARGE, LIMITS, NASTY

from semisplit import games
from semisplit.core.errors import RuleError
from semisplit.language.rbg.check.description import parse

_SECONDS, _MEGABYTES = 23.0, 2300.0
"""The limits, and a little for starting, ending, and for what commands are asked to do."""


def fault(command: str, end: Ending) -> str | None:
    """What is wrong with an ending, if anything; how long games take is for their players."""
    if end.seconds > _SECONDS and command != "match":
        return "too slow"
    if end.megabytes > _MEGABYTES:
        return "too large"
    return end.fault


def run_all(commands: list[str], texts: list[str]) -> None:
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        for name, text in {**NASTY, **hostile_gdl.NASTY}.items():
            for command, words in COMMANDS.items():
                is_wanted = not commands or command in commands
                if not is_wanted or not all(word in name for word in texts):
                    continue
                end = run(words, text, cache)
                line = end.said.rstrip().rpartition("\n")[2][:150]
                wrong = fault(command, end)
                faults += wrong is not None
                line = f"{wrong.upper()} {line}" if wrong else line
                sizes = f"{end.seconds:5.1f} s {end.megabytes:6.0f} MB"
                print(f"{name:32} {command:12} {sizes}  {line}", flush=True)
                # The next command is to compile the game again; the search is kept.
                for file in cache.iterdir():
                    if file.is_file():
                        file.unlink()
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
        text = games.text(rng.choice(games.names("rbg")))
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
