"""How fast a compiled game is, and how long compiling takes; for `bench` and for benchmarks."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import NamedTuple

from semisplit.core.errors import WorkLimit
from semisplit.native.compile import compile_game
from semisplit.native.compiled import CompiledGame
from semisplit.rbg.description import Description
from semisplit.rbg.interpret import start_position
from semisplit.rbg.split import SplitStrategy

_SLICES = 5
_ATTEMPTS = 5
"""In some games a playout in thousands gets lost; then others are taken."""


class Speed(NamedTuple):
    """Random play from the initial state, on one core."""

    nodal_states_per_s: float
    """Moves per second."""
    all_states_per_s: float
    playouts_per_s: float
    mean_depth: float
    """Moves per playout."""


class CompileTimes(NamedTuple):
    """From text to functions that can be called."""

    compile_s_cold: float
    compile_s_cached: float


class _Slice(NamedTuple):
    seconds: float
    games: int
    moves: int
    states: int


class SearchSpeed(NamedTuple):
    """A search on the first move, with a tree that grows from empty, on one core."""

    simulations_per_s: float
    nodal_states_per_s: float
    nodes: int
    bytes: int
    tree_share: float


def measure_search(game: str, agent: str, seconds: float) -> SearchSpeed:
    """Search for some seconds."""
    import semisplit
    from semisplit.search import Budget, Search
    from semisplit.search.notation import parse_settings

    search = Search(semisplit.load(game), parse_settings(agent))
    result = search.run(Budget(seconds=seconds))
    return SearchSpeed(
        result.simulations / result.seconds,
        result.states / result.seconds,
        result.nodes,
        result.bytes,
        result.tree_share,
    )


def measure_compiling(
    text: str, name: str, split: SplitStrategy | None
) -> tuple[CompiledGame, CompileTimes]:
    """Compile a game without the cache, then take it from there."""
    begin = time.perf_counter()
    compile_game(text, name, split, use_cache=False)
    cold = time.perf_counter() - begin
    compile_game(text, name, split)
    begin = time.perf_counter()
    compiled = compile_game(text, name, split)
    return compiled, CompileTimes(cold, time.perf_counter() - begin)


def measure_speed(
    compiled: CompiledGame, description: Description, seconds: float, *, semisplit: bool
) -> Speed:
    """Play at random for about some seconds.

    The rates are those of the median of several slices, so that a moment in which the computer was
    busy otherwise does no harm.
    """
    start = compiled.run_keeper(compiled.pack(start_position(description)))
    seed = 0

    def play(count: int) -> _Slice:
        nonlocal seed
        for _ in range(_ATTEMPTS):
            begin = time.perf_counter()
            # Playouts that have been seen before would be easier to predict for the processor.
            seed += count
            with suppress(WorkLimit):
                played = compiled.playouts(start, seed, count, semisplit=semisplit)
                spent = time.perf_counter() - begin
                return _Slice(spent, count, played.moves, played.states)
        raise WorkLimit("nearly all random games get lost while looking for moves")

    # The shorter runs on the way to the first slice warm up, and take as long as one more slice.
    # A slice may be twice as long as needed: all in all it is from 3/4 to 3/2 of the time.
    count = 1
    while (last := play(count)).seconds < seconds / 8:
        count *= 2
    slices = [last, *(play(count) for _ in range(_SLICES - 1))]
    median = sorted(slices, key=lambda one: one.moves / one.seconds)[_SLICES // 2]
    return Speed(
        median.moves / median.seconds,
        median.states / median.seconds,
        median.games / median.seconds,
        sum(one.moves for one in slices) / sum(one.games for one in slices),
    )
