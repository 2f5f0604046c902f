"""Playouts on a GPU: whether they are those of the processor, and how fast they are.

python -m benchmarks.gpu check [GAME ...]               all strategies, game by game
python -m benchmarks.gpu speed [GAME ...]               nodal states per second
python -m benchmarks.gpu batches GAME ...               simulations per second of searches
python -m benchmarks.gpu strength SECONDS THREADS BATCH PLAYOUTS [GAME ...]
                                                        against the same search on all cores
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.support.threads import rules_of, run_code, start_of

import semisplit
from semisplit import games as catalogue
from semisplit.compiler.gpu.driver import GpuError
from semisplit.compiler.gpu.game import MOVES, GpuGame
from semisplit.compiler.runtime.abi import THREAD_LANES, Bundle
from semisplit.core.errors import SemisplitError
from semisplit.core.limits import MAX_MOVES
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.language.rules import Rules
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from semisplit.search.settings import Settings

Kind = tuple[str, str | None]
"""A game and a strategy."""
COMPARED = 64
"""Games of each kind that are compared."""
SLOW_SECONDS, SLOW_MOVES, FEW_COMPARED = 0.02, 40, 8
"""Games that take the processor so long for so many moves, as Arimaa without Mod with tens of
thousands of moves in a position, would take a thread of a GPU hours. Of these the last moves are
compared."""
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


def kinds_of(game: str, *strategies: str) -> list[Kind]:
    """A game with some strategies, if there are any, and without."""
    split = strategies if semisplit.load(game).rules.can_split else ()
    return [(game, strategy) for strategy in (*split, None)]


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
    """Compare games of all strategies; those that take long to compile come last."""
    games = sorted(games, key=lambda game: ("arimaa" in game, len(semisplit.load(game).text)))
    kinds = [kind for game in games for kind in kinds_of(game, *reversed(STRATEGIES))]
    began, same = time.perf_counter(), 0
    for kind, task in on_all_cores(differences, kinds):
        try:
            differing = task.result()
        except SemisplitError as error:
            print(*kind, "NOT PLAYED:", error, flush=True)
            continue
        same += not differing
        said = f"{differing} games DIFFER" if differing else "the same"
        seconds = time.perf_counter() - began
        print(*kind, said, f"({same} of {len(kinds)} are, {seconds:.0f} s)", flush=True)


def differences(game: str, split: str | None) -> int:
    """How many games with the same seeds differ."""
    rules = rules_of(game, split)
    if rules.compile(Bundle.GAME).facts.lanes > 1:
        return differences_in_lanes(rules)
    compiled, start, is_split = rules.compile(Bundle.GAME), start_of(rules), split is not None
    began = time.perf_counter()
    compiled.playout(start, 0, max_moves=SLOW_MOVES, semisplit=is_split)
    is_slow = time.perf_counter() - began > SLOW_SECONDS
    starts = last_moves(rules) if is_slow else [start] * COMPARED
    most = 2 if is_slow else MAX_MOVES
    rows = play_alone(GpuGame(rules, max_moves=most), starts)
    count = 0
    for seed, start in enumerate(starts):
        played = compiled.playout(start, seed, max_moves=most, semisplit=is_split)
        count += tuple(rows[seed, MOVES:]) != (played.moves, played.states, *played.scores)
    return count


def differences_in_lanes(rules: Rules) -> int:
    """How many pieces of games that are played at once differ from those of a thread here."""
    expected = run_code(
        rules.emit_threads(0), rules, [*range(COMPARED)], THREAD_LANES, THREAD_LANES
    )
    rows = play_alone(GpuGame(rules), [start_of(rules)] * COMPARED, THREAD_LANES)
    return int(np.count_nonzero((rows != expected).any(axis=1)))


def play_alone(game: GpuGame, starts: list[bytes], count: int = 1) -> NDArray[np.int64]:
    """Games from each state. Other processes may need the GPU's memory: then we wait."""
    memory = np.frombuffer(b"".join(starts), np.uint8)
    seeds = np.arange(len(starts), dtype=np.uint64)
    for _ in range(100):
        try:
            rows = game.play(memory, seeds, count)
            game.device.reset()
            return rows
        except GpuError as error:
            if "memory" not in str(error):
                raise
            time.sleep(0.5)
    raise GpuError("the memory of the GPU is not enough")


def last_moves(rules: Rules) -> list[bytes]:
    """States before the last move of random games, which are split to be played fast."""
    split = rules.split(SplitStrategy.parse("Mod"))
    start, compiled, codec = (
        start_of(split),
        split.compile(Bundle.GAME),
        rules.compile(Bundle.GAME).codec,
    )
    states = []
    for seed in range(FEW_COMPARED):
        length = compiled.playouts(start, seed, semisplit=True).moves
        played = compiled.playout(start, seed, max_moves=length - 1, semisplit=True)
        states.append(codec.pack(compiled.codec.unpack(compiled.run_keeper(played.final))))
    return states


def speed(games: list[str]) -> None:
    print("game strategy registers local G_states/s goal games/s depth")
    kinds = [kind for game in games for kind in kinds_of(game, "Mod")]
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
    (8, 512, 4),
    (16, 64, 8),
    (16, 128, 4),
    (16, 128, 16),
    (16, 256, 1),
    (16, 256, 4),
    (16, 256, 16),
    (16, 512, 4),
    (16, 1024, 4),
    (32, 128, 4),
)
"""Threads, leaves of a batch, and playouts of each leaf."""
PER_MOVE = 0.02


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
    """Games of searches with some sizes against the same search on all cores, with equal time."""
    seconds, *sizes = arguments[:4]
    games = arguments[4:] or ["breakthrough", "hex", "amazons", "connect4"]
    kinds = [parse_settings(f"{SEARCH},{ON_GPU.format(*sizes)}"), parse_settings(cores())]
    for game in games:
        for kind in kinds:
            Search(semisplit.load(game), kind, seed=0).run(Budget(seconds=PER_MOVE))
    scores: dict[str, list[float]] = {game: [] for game in games}
    number, end = 0, time.perf_counter() + float(seconds)
    while time.perf_counter() < end:
        game, side = games[number % len(games)], number // len(games) % 2
        scores[game].append(play_game(game, kinds, side, number))
        number += 1
    scores["all"] = [score for results in scores.values() for score in results]
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
    verbs[what](names or [*catalogue.names("rbg"), *catalogue.names("kif")])
