"""Playouts on a GPU: whether they are those of the processor, and how fast they are.

python -m benchmarks.gpu check [GAME ...]      all strategies, game by game
python -m benchmarks.gpu speed [GAME ...]      nodal states per second, with Mod and orthodox
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import semisplit
from semisplit import games as catalogue
from semisplit.core.errors import SemisplitError
from semisplit.core.rules import Rules
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.runtime.abi import Part
from semisplit.runtime.gpu.game import GpuGame

COMPARED = 64
"""Games of each kind that are compared."""
SECONDS = 0.5
GOALS = {
    "breakthrough": 25.0,
    "connect4": 15.0,
    "hex": 3.0,
    "reversi": 1.0,
    "amazons": 4.0,
    "gomoku_standard": 4.0,
    "chess": 0.3,
    "go_9x9": 0.3,
}
"""Billions of nodal states per second with Mod that we want on an H200."""


def rules_of(game: str, split: str | None) -> Rules:
    rules = semisplit.load(game).rules
    return rules.split(SplitStrategy.parse(split)) if split else rules


def start_of(rules: Rules) -> bytes:
    compiled = rules.compile(Part.GAME)
    return compiled.run_keeper(compiled.codec.pack(rules.start))


def compile_all(kinds: list[tuple[str, str | None]]) -> Iterator[tuple[str, str | None]]:
    """Compile games on all cores; those that can be played are given as they are ready."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        tasks = {pool.submit(compile_one, *kind): kind for kind in kinds}
        for task in as_completed(tasks):
            try:
                task.result()
                yield tasks[task]
            except SemisplitError as error:
                print(*tasks[task], "NOT COMPILED:", error, flush=True)


def compile_one(game: str, split: str | None) -> None:
    GpuGame(rules_of(game, split))


def check(games: list[str]) -> None:
    kinds = [(game, split) for game in games for split in (None, *STRATEGIES)]
    wrong = same = 0
    for game, split in compile_all(kinds):
        try:
            differing = differences(rules_of(game, split), semisplit=split is not None)
        except SemisplitError as error:
            print(game, split, "NOT PLAYED:", error, flush=True)
            continue
        wrong += bool(differing)
        same += not differing
        if differing:
            print(game, split, f"{differing} of {COMPARED} games DIFFER", flush=True)
        print(f"{same} of {len(kinds)} kinds are the same, {wrong} differ", flush=True)


def differences(rules: Rules, *, semisplit: bool) -> int:
    """How many games with the same seeds differ."""
    compiled, start = rules.compile(Part.GAME), start_of(rules)
    found = GpuGame(rules).batch_playouts([start] * COMPARED, range(COMPARED))
    count = 0
    for seed in range(COMPARED):
        played = compiled.playouts(start, seed, semisplit=semisplit)
        row = found.moves[seed], found.states[seed], tuple(found.scores[seed])
        count += row != (played.moves, played.states, played.scores)
    return count


def speed(games: list[str]) -> None:
    print("game strategy registers local G_states/s goal games/s depth")
    kinds = [(game, split) for game in games for split in ("Mod", None)]
    for game, split in sorted(compile_all(kinds), key=kinds.index):
        rules = rules_of(game, split)
        try:
            loaded, count = GpuGame(rules), 1
            seconds = 0.0
            while seconds < SECONDS / 2:
                count = int(count * min(SECONDS / seconds, 10) if seconds else 2**17)
                began = time.perf_counter()
                results = loaded.playouts(start_of(rules), 1, count)
                seconds = time.perf_counter() - began
        except SemisplitError as error:
            print(game, split, "NOT PLAYED:", error, flush=True)
            continue
        moves = int(results.moves[0])
        goal = GOALS.get(game, "-") if split else "-"
        kernel = loaded.kernel
        print(
            f"{game} {split or 'orthodox'} {kernel.registers} {kernel.local_bytes}"
            f" {moves / seconds / 1e9:.3f} {goal} {count / seconds:.3g} {moves / count:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    what, *names = sys.argv[1:]
    {"check": check, "speed": speed}[what](names or [*catalogue.names("rbg")])
