"""Do trees hold exactly the game? All bundled games, strategies, designs, statistics and methods.

Run from the root of the repository; it takes hours, and goes on where it was:

    python -m benchmarks.tree_invariants run --jobs 2 --seconds 60
    python -m benchmarks.tree_invariants table > benchmarks/results/tree_invariants.md

`tests/support/tree_invariants.py` says what is checked. Each game is searched with each split
strategy and each tree design as it is, and then with each extra (a variant of MAST or RAVE, groups,
policies, threads, batches ...), at the beginning, and after two moves in the same tree.
"""

import argparse
import json
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from tests.support.tree_invariants import (
    DESIGNS,
    EXTRAS,
    BrokenTree,
    Checked,
    Specification,
    check_trees,
    notation,
)

from semisplit import Game, games, load
from semisplit.core.errors import UnknownName
from semisplit.core.strategy import STRATEGIES
from semisplit.search import BadSettings, Budget, Search
from semisplit.search.notation import parse_settings

RESULTS = Path(__file__).parent / "results" / "tree_invariants.jsonl"
"""A line for each game with a strategy."""
MANY, FEW = (3000, 5_000, 2.0), (200, 500, 0.3)
"""Simulations, edges that are compared, and seconds for each of both, twice for each search. All
agents get few, designs without an extra in the end many, too."""
Amount = tuple[int, int, float]
MOST_MOVES = 3000
"""Whole moves of a position with which the interpreter still copes."""
PATIENCE = 20.0
"""Seconds for a single search; a single position may take that long."""
Row = dict[str, Any]


def kinds() -> list[tuple[str, str | None]]:
    """All games with all strategies that they may have."""
    found: list[tuple[str, str | None]] = [
        (name, split) for split in STRATEGIES for name in games.names("rbg")
    ]
    return found + [(name, None) for name in games.names("kif")]


def variants(game: Game, chance: random.Random) -> Iterator[tuple[str, Amount]]:
    """The names of agents for a game, those as they are first, each with how much of it to check.

    Trees of whole moves are left out where these are too many for the interpreter.
    """
    split = str(game.split) if game.split else None
    designs = DESIGNS if split else DESIGNS[:1]
    if split and game.reasoner.count_moves(game.initial_state().position) > MOST_MOVES:
        designs = tuple(design for design in designs if not design.startswith("orthodox"))
    plain = [notation(design, split, []) for design in designs]
    yield from ((text, FEW) for text in plain)
    found = [notation(design, split, [extra]) for design in designs for extra in EXTRAS]
    # What there is no time for is missing by chance.
    chance.shuffle(found)
    yield from ((text, FEW) for text in found)
    yield from ((text, MANY) for text in plain)


def check(kind: tuple[str, str | None], seconds: float) -> Row:
    """Search a game in all ways, as far as there is time, and count what was checked."""
    name, split = kind
    begun, chance = time.process_time(), random.Random(f"{name} {split}")
    known = Specification(load(name, split))
    checked, broken, left_out, done = Checked(), [], 0, 0
    for text, amount in variants(known.game, chance):
        try:
            settings = parse_settings(text)
            late = time.process_time() - begun > seconds
            left_out += late
            if late:
                continue
            search = Search(known.game, settings, seed=chance.randrange(100), memory=1 << 24)
        except (BadSettings, UnknownName):
            continue
        try:
            with patience(PATIENCE):
                checked.add(search_and_check(search, known, chance, *amount))
        except BrokenTree as error:
            broken.append(f"{text}: {error}")
        except TimeoutError:
            left_out += 1
            continue
        done += 1
    return {
        "game": name,
        "split": split,
        "agents": done,
        "left_out": left_out,
        "trees": checked.trees,
        "nodes": checked.nodes,
        "edges": checked.edges,
        "broken": broken,
        "seconds": round(time.process_time() - begun, 1),
    }


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when so much processor time has been used: the interpreter may be slow."""

    def give_up(*_: object) -> NoReturn:
        raise TimeoutError

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def search_and_check(
    search: Search,
    known: Specification,
    chance: random.Random,
    simulations: int,
    edges: int,
    seconds: float,
) -> Checked:
    """Search from the beginning of a game, and from two moves later in the same tree."""
    checked = Checked()
    for _ in range(2):
        begun = time.process_time()
        for _ in range(0, simulations, 100):
            if time.process_time() < begun + seconds:
                search.run(Budget(simulations=100), details=False)
        checked.add(check_trees(search, known, edges, seconds))
        for _ in range(2):
            if not search.state.is_terminal:
                search.play(search.state.random_move(chance))
        if search.state.is_terminal:
            break
    return checked


def run(jobs: int, seconds: float) -> None:
    """Check what has not been checked yet."""
    done = {(row["game"], row["split"]) for row in read()}
    missing = [kind for kind in kinds() if kind not in done]
    with ProcessPoolExecutor(jobs) as pool, RESULTS.open("a") as file:
        for row in pool.map(partial(check, seconds=seconds), missing):
            print(json.dumps(row), file=file, flush=True)
            print(*(row[key] for key in ("game", "split", "agents", "edges", "broken")), flush=True)


def read() -> list[Row]:
    """The rows so far."""
    if not RESULTS.exists():
        return []
    return [json.loads(line) for line in RESULTS.read_text().splitlines()]


COLUMNS = ("agents", "left_out", "trees", "nodes", "edges")


def table(rows: list[Row]) -> str:
    """All rows as a page: sums for each strategy, and what is broken."""
    lines = [
        "# Trees that hold the game",
        "",
        "Made by `python -m benchmarks.tree_invariants`, which says what is checked. The last row",
        "has the games in GDL, whose moves are not split.",
        "",
        "| strategy | games | agents | left out | trees | nodes | edges | wrong trees |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for split in (*STRATEGIES, None):
        part = [row for row in rows if row["split"] == split]
        sums = [sum(row[name] for row in part) for name in COLUMNS]
        wrong = sum(len(row["broken"]) for row in part)
        cells = [split or "whole moves", len(part), *sums, wrong]
        lines.append(f"| {' | '.join(f'{x:,}' if isinstance(x, int) else x for x in cells)} |")
    broken = [line for row in rows for line in row["broken"]]
    return "\n".join([*lines, *(["", "Wrong:", "", *(f"- {x}" for x in broken)] if broken else [])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="for each game and strategy")
    arguments = parser.parse_args()
    if arguments.what == "run":
        run(arguments.jobs, arguments.seconds)
    else:
        print(table(read()))


if __name__ == "__main__":
    main()
