"""Playouts on a GPU: whether they are those of the processor, and how fast they are.

python -m benchmarks.gpu check [GAME ...]               all strategies, game by game
python -m benchmarks.gpu speed [GAME ...]               nodal states per second
python -m benchmarks.gpu batches GAME ...               simulations per second of searches
python -m benchmarks.gpu strength SECONDS THREADS BATCH PLAYOUTS [GAME ...]
                                                        against the same search on all cores
"""

from __future__ import annotations

import fcntl
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import semisplit
from semisplit import games as catalogue
from semisplit.core.errors import SemisplitError
from semisplit.core.rules import Rules
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.runtime.abi import Part
from semisplit.runtime.gpu.game import GpuGame
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from semisplit.search.settings import Settings

Kind = tuple[str, str | None]
"""A game and a strategy."""
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


def compile_all(kinds: list[Kind]) -> Iterator[Kind]:
    """Compile games on all cores; those that can be played are given as they are ready."""
    for kind, task in on_all_cores(compile_one, kinds):
        try:
            task.result()
            yield kind
        except SemisplitError as error:
            print(*kind, "NOT COMPILED:", error, flush=True)


def on_all_cores(function: Callable[..., object], kinds: list[Kind]) -> Iterator[tuple[Kind, Any]]:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        tasks = {pool.submit(function, *kind): kind for kind in kinds}
        for task in as_completed(tasks):
            yield tasks[task], task


def compile_one(game: str, split: str | None) -> None:
    GpuGame(rules_of(game, split))


def check(games: list[str]) -> None:
    """Compare games of all strategies; those that take long to compile come first."""
    games = sorted(games, key=lambda game: len(semisplit.load(game).text), reverse=True)
    kinds = [(game, split) for game in games for split in (None, *STRATEGIES)]
    began, same = time.perf_counter(), 0
    for kind, task in on_all_cores(differences, kinds):
        try:
            differing = task.result()
        except SemisplitError as error:
            print(*kind, "NOT PLAYED:", error, flush=True)
            continue
        same += not differing
        said = f"{differing} of {COMPARED} games DIFFER" if differing else "the same"
        seconds = time.perf_counter() - began
        print(*kind, said, f"({same} of {len(kinds)} are, {seconds:.0f} s)", flush=True)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of the processes of a check: each needs memory for all threads that the GPU can have."""
    with (Path(tempfile.gettempdir()) / "semisplit-gpu.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def differences(game: str, split: str | None) -> int:
    """How many games with the same seeds differ."""
    rules = rules_of(game, split)
    compiled, start = rules.compile(Part.GAME), start_of(rules)
    on_gpu = GpuGame(rules)
    with one_at_a_time():
        found = on_gpu.batch_playouts([start] * COMPARED, range(COMPARED))
        on_gpu.device.reset()
    count = 0
    for seed in range(COMPARED):
        played = compiled.playouts(start, seed, semisplit=split is not None)
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


SEARCH = "orthodox/semisplit@Mod"
ON_GPU = "threads={},batch={},playouts={},gpu=1"
TRIED = (
    (4, 128, 8),
    (4, 512, 8),
    (8, 256, 8),
    (8, 512, 4),
    (16, 64, 8),
    (16, 128, 8),
    (16, 256, 4),
    (16, 256, 16),
    (16, 512, 2),
    (32, 128, 4),
    (32, 128, 16),
)
"""Threads, leaves of a batch, and playouts of each leaf."""
PER_MOVE = 0.03


def cores() -> str:
    return f"{SEARCH},threads={len(os.sched_getaffinity(0))}"


def batches(games: list[str]) -> None:
    """Simulations per second of searches with several sizes of batches."""
    for game in games:
        for kind in (cores(), *(f"{SEARCH},{ON_GPU.format(*sizes)}" for sizes in TRIED)):
            search = Search(semisplit.load(game), parse_settings(kind), seed=1)
            search.run(Budget(seconds=0.1), details=False)
            result = search.run(Budget(seconds=0.5), details=False)
            rate = result.simulations / result.seconds
            print(game, kind, f"{rate:.3g} simulations/s, {result.nodes} nodes", flush=True)


def strength(arguments: list[str]) -> None:
    """Games of the best sizes against the same search on all cores, with equal time."""
    seconds, *sizes = arguments[:4]
    end = time.perf_counter() + float(seconds)
    games = arguments[4:] or ["breakthrough", "hex", "amazons", "connect4"]
    kinds = [parse_settings(f"{SEARCH},{ON_GPU.format(*sizes)}"), parse_settings(cores())]
    scores: dict[str, list[float]] = {game: [] for game in games}
    number = 0
    while time.perf_counter() < end:
        game, side = games[number % len(games)], number // len(games) % 2
        scores[game].append(play_game(game, kinds, side, number))
        number += 1
        if number % (2 * len(games)) == 0:
            for name, results in scores.items():
                low, high = wilson(sum(results), len(results))
                mean = sum(results) / len(results)
                print(f"{name}: {mean:.1%} of {len(results)} ({low:.0%} to {high:.0%})", flush=True)


def play_game(name: str, kinds: list[Settings], side: int, seed: int) -> float:
    """The share of the points that the first of two searches gets."""
    game = semisplit.load(name)
    searches = [Search(game, kind, seed=seed + 1) for kind in kinds]
    state = game.initial_state()
    while not state.is_terminal:
        thinking = searches[(state.player - 1) ^ side]
        move = thinking.run(Budget(seconds=PER_MOVE), details=False).move
        for search in searches:
            search.play(move)
        state = state.apply(str(move))
    return state.scores[side] / sum(state.scores)


def wilson(successes: float, number: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, successes / number
    centre = share + z * z / (2 * number)
    spread = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return (centre - spread) / (1 + z * z / number), (centre + spread) / (1 + z * z / number)


if __name__ == "__main__":
    what, *names = sys.argv[1:]
    verbs = {"check": check, "speed": speed, "batches": batches, "strength": strength}
    verbs[what](names or [*catalogue.names("rbg")])
