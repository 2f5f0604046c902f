"""Do trees hold exactly the game? All bundled games, strategies, designs, statistics and methods.

Run from the root of the repository. It takes an hour or so, and goes on where it was:

    python -m benchmarks.tree_invariants run
    python -m benchmarks.tree_invariants table > benchmarks/results/tree_invariants.md

`tests/support/tree_invariants.py` says what is checked. Each game is searched with each split
strategy and each tree design as it is, and with each extra (a variant of MAST or RAVE, groups,
policies, threads, batches ...), twice: where it begins, and in the same tree two moves later. All
look at the same few lines of play, so that the interpreter is asked about each position once.
"""

import argparse
import json
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.support.situations import specification
from tests.support.tree_invariants import (
    DESIGNS,
    EXTRAS,
    BrokenTree,
    Checked,
    Effort,
    check_trees,
    notation,
)

from semisplit import Game, Move, State, games, load
from semisplit.core.errors import PlayLimit, UnknownName
from semisplit.core.strategy import STRATEGIES
from semisplit.search import BadSettings, Budget, Search
from semisplit.search.notation import parse_settings

RESULTS = Path(__file__).parent / "results" / "tree_invariants.jsonl"
"""A line for each game with a strategy."""
FEW = (40, Effort(edges=200, seconds=0.01, nodes=6))
MANY = (300, Effort(edges=1500, seconds=0.1, nodes=6))
"""Simulations, and how much of the tree is looked at, each twice for each agent. All agents get
few; designs without an extra get many, too."""
Amount = tuple[int, Effort]
AT_ONCE = 10
"""Simulations after which there may have been enough: when they took as long as a check may."""
LATE = Path(__file__).parent / "late_positions.toml"
"""Where searches begin in games that have too many whole moves before for the interpreter."""
CHOICE = 8
"""Moves of a position one of which is played, if it is in the tree."""
MOST_KNOWN = 300_000
"""Positions of a game of which the interpreter's answers are kept."""
SLOW = ("breakthru", "paper_soccer")
"""Games whose playouts take long."""
ENDLESS, CLOCK = "paper_soccer", 0.02
"""A game some of whose split playouts take minutes, and the seconds after which they are given up:
it is searched by the clock, so its rows differ from run to run."""
Kind = tuple[str, str | None]
Row = dict[str, Any]


def kinds() -> list[Kind]:
    """All games with all strategies that they may have, and without.

    They are mixed, so that each part of them has some of all; the slow ones are last.
    """
    rbg = games.names("rbg")
    found: list[Kind] = [(name, split) for split in STRATEGIES for name in rbg]
    found += [(name, None) for name in (*rbg, *games.names("kif"))]
    Random(0).shuffle(found)
    return sorted(found, key=lambda kind: kind[0] in SLOW)


def variants(split: str | None) -> Iterator[tuple[str, Amount]]:
    """The names of agents, each with how much of it to check; one of them splits no moves."""
    designs = DESIGNS[1:] if split else DESIGNS[:1]
    for design in designs:
        yield notation(design, split, []), FEW
        for extra in EXTRAS:
            yield notation(design, split, [extra]), FEW
        yield notation(design, split, []), MANY


class Lines:
    """Where searches of a game begin and how they go on: the same for all agents."""

    def __init__(self, game: Game, random: Random):
        late = tomllib.loads(LATE.read_text()).get(game.name)
        self.begin = game.parse_state(late["state"]) if late else game.initial_state()
        self._random = random
        self._choice = cache(self._draw)

    def _draw(self, state: State) -> list[Move]:
        return [state.random_move(self._random) for _ in range(CHOICE)]

    def follow(self, search: Search) -> Move:
        """A move to go on with, which is in the tree if possible."""
        moves = self._choice(search.state)
        return next((move for move in moves if search.tree.find(move) is not None), moves[0])


def check(kind: Kind) -> Row:
    """Search a game in all ways, and count what was checked."""
    name, split = kind
    begun, random = time.process_time(), Random(f"{name} {split}")
    specification.cache_clear()
    game = load(name, split)
    lines = Lines(load(name), random)
    checked, broken, done = Checked(), [], 0
    for text, amount in variants(split):
        try:
            settings = parse_settings(text)
            search = Search(game, settings, seed=random.randrange(100), memory=1 << 22)
        except (BadSettings, UnknownName):
            continue
        done += 1
        search.set_state(lines.begin)
        try:
            checked.add(search_and_check(search, lines, *amount))
        except BrokenTree as error:
            broken.append(f"{text}: {error}")
        if len(specification(search.game)) > MOST_KNOWN:
            specification.cache_clear()
    return {
        "game": name,
        "split": split,
        "agents": done,
        "trees": checked.trees,
        "nodes": checked.nodes,
        "edges": checked.edges,
        "broken": broken,
        "seconds": round(time.process_time() - begun, 1),
    }


def search_and_check(search: Search, lines: Lines, simulations: int, effort: Effort) -> Checked:
    """Search from where a game is, and from two moves later in the same tree."""
    checked = Checked()
    for _ in range(2):
        end = time.process_time() + effort.seconds
        for _ in range(0, simulations, AT_ONCE):
            simulate(search)
            if time.process_time() > end:
                break
        checked.add(check_trees(search, effort))
        for _ in range(2):
            if not search.state.is_terminal:
                search.play(lines.follow(search))
        if search.state.is_terminal:
            break
    return checked


def simulate(search: Search) -> None:
    """Grow the tree a little, also where some playouts do not come to their end."""
    is_endless = search.game.name == ENDLESS
    budget = Budget(seconds=CLOCK) if is_endless else Budget(simulations=AT_ONCE)
    with suppress(*[PlayLimit] if is_endless else []):
        search.run(budget, details=False)


def run(jobs: int) -> None:
    """Check what has not been checked yet."""
    done = {(row["game"], row["split"]) for row in read()}
    missing = [kind for kind in kinds() if kind not in done]
    with ProcessPoolExecutor(jobs) as pool, RESULTS.open("a") as file:
        for row in pool.map(check, missing):
            print(json.dumps(row), file=file, flush=True)
            print(*row.values(), flush=True)


def read() -> list[Row]:
    """The rows so far."""
    if not RESULTS.exists():
        return []
    return [json.loads(line) for line in RESULTS.read_text().splitlines()]


COLUMNS = ("agents", "trees", "nodes", "edges")


def table(rows: list[Row]) -> str:
    """All rows as a page: sums for each strategy, and what is broken."""
    lines = [
        "# Trees that hold the game",
        "",
        "Made by `python -m benchmarks.tree_invariants`, which says what is checked. The last row",
        "has orthodox trees and simulations, and the games in GDL, whose moves are not split.",
        "Agents that refuse their settings are not counted. Searches begin where games do, but for",
        "Connect6 and Arimaa, where they begin late, at positions set up by hand: earlier there",
        "are up to hundreds of thousands of moves. Paper Soccer is searched by the clock, as some",
        "of its split playouts take minutes.",
        "",
        "| strategy | games | agents | trees | nodes | edges | wrong trees |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for split in (*STRATEGIES, None):
        part = [row for row in rows if row["split"] == split]
        sums = [sum(row[name] for row in part) for name in COLUMNS]
        wrong = sum(len(row["broken"]) for row in part)
        cells = [split or "whole moves", len(part), *sums, wrong]
        lines.append(f"| {' | '.join(f'{x:,}' if isinstance(x, int) else x for x in cells)} |")
    missing = len(kinds()) - len(rows)
    if missing:
        lines += [
            "",
            f"Not complete: {missing} pairs of a game and a strategy are still to be run.",
        ]
    broken = [line for row in rows for line in row["broken"]]
    return "\n".join([*lines, *(["", "Wrong:", "", *(f"- {x}" for x in broken)] if broken else [])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.what == "run":
        run(arguments.jobs)
    else:
        print(table(read()))


if __name__ == "__main__":
    main()
