"""How fast and how large games are, and how long compiling takes."""

from __future__ import annotations

import math
import statistics
import time
from contextlib import suppress
from random import Random
from typing import NamedTuple

from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.core.errors import WorkLimit
from semisplit.core.strategy import SplitStrategy
from semisplit.game import Game, State
from semisplit.language.registry import parse_rules
from semisplit.language.rules import Rules
from semisplit.stats.records import PAPERS_QUANTILE

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


class Estimate(NamedTuple):
    """A mean, and half of its 95 % interval."""

    value: float
    margin: float


class Shape(NamedTuple):
    """What random games are like."""

    nodal_states: Estimate
    """In a game."""
    all_states: Estimate
    """In a game, those inside moves and dead ones included."""
    branching: Estimate
    """Moves or semimoves in a state, of all states."""


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
    abandoned: int
    """Iterations that were given up."""
    note: str


def measure_search(game: str, agent: str, seconds: float) -> SearchSpeed:
    """Search for some seconds, after as many that do not count.

    Those bring the memory for the tree, which all searches of a process have but the first.
    """
    from semisplit.agents import parse_agent
    from semisplit.agents.agent import make_search
    from semisplit.loading import load
    from semisplit.search import Budget, Result

    def search() -> Result:
        fresh = make_search(parse_agent(agent), load(game), seed=0)
        return fresh.run(Budget(seconds=seconds), details=False)

    search()
    result = search()
    return SearchSpeed(
        result.simulations / result.seconds,
        result.states / result.seconds,
        result.nodes,
        result.bytes,
        result.tree_share,
        result.abandoned,
        result.note,
    )


def measure_compiling(
    text: str, name: str, split: SplitStrategy | None
) -> tuple[CompiledGame, CompileTimes]:
    """Compile a game that is not in the cache, then take it from there."""
    cache.forget(parse_rules(text, name).split(split).object_name(Bundle.GAME))
    begin = time.perf_counter()
    parse_rules(text, name).split(split).compile(Bundle.GAME)
    cold = time.perf_counter() - begin
    rules = parse_rules(text, name).split(split)
    begin = time.perf_counter()
    compiled = rules.compile(Bundle.GAME)
    return compiled, CompileTimes(cold, time.perf_counter() - begin)


def measure_speed(
    compiled: CompiledGame, rules: Rules, seconds: float, *, semisplit: bool
) -> Speed:
    """Play at random for about some seconds.

    The rates are those of the median of several slices, so that a moment in which the computer was
    busy otherwise does no harm.
    """
    start = compiled.run_keeper(compiled.codec.pack(rules.start))
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


def measure_shape(game: Game, seconds: float) -> Shape:
    """Play at random for about some seconds, with the split strategy of the game if it has one."""
    nodal, every = _measure_lengths(game, seconds / 2)
    random = Random(0)
    counts: list[tuple[int, int]] = []
    end = time.perf_counter() + seconds / 2
    while len(counts) < _SLICES or time.perf_counter() < end:
        counts.append(_count_choices(game, random))
    choices, states = (sum(column) for column in zip(*counts))
    ratio = choices / states
    # The error of a ratio of sums over games, to first order.
    residuals = sum((one[0] - ratio * one[1]) ** 2 for one in counts)
    return Shape(nodal, every, Estimate(ratio, PAPERS_QUANTILE * math.sqrt(residuals) / states))


def _measure_lengths(game: Game, seconds: float) -> tuple[Estimate, Estimate]:
    compiled, semisplit = game.compiled, game.split is not None
    start = compiled.run_keeper(compiled.codec.pack(game.rules.start))
    moves: list[int] = []
    states: list[int] = []
    end = time.perf_counter() + seconds
    while len(moves) < _SLICES or time.perf_counter() < end:
        played = compiled.playouts(start, len(moves), semisplit=semisplit)
        moves.append(played.moves)
        states.append(played.states)
    return _mean(moves), _mean(states)


def _mean(values: list[int]) -> Estimate:
    error = statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(statistics.fmean(values), PAPERS_QUANTILE * error)


def _count_choices(game: Game, random: Random) -> tuple[int, int]:
    """The (semi)moves in all states of a random game, and the states."""
    choices = states = 0

    def after_move(state: State) -> State | None:
        nonlocal choices, states
        left = state.semimoves()
        choices += len(left)
        states += 1
        random.shuffle(left)
        for semimove in left:
            following = state.apply(semimove)
            end = following if following.is_nodal else after_move(following)
            if end is not None:
                return end
        return None

    state: State | None = game.initial_state()
    while state is not None and not state.is_terminal:
        state = after_move(state)
    return choices, states


def measure_single(game: Game, seconds: float) -> float:
    """The microseconds of a random game with whole moves that is played alone: the median."""
    compiled = game.compiled
    start = compiled.run_keeper(compiled.codec.pack(game.rules.start))
    spent: list[float] = []
    end = time.perf_counter() + seconds
    while len(spent) < _SLICES or time.perf_counter() < end:
        begin = time.perf_counter()
        compiled.playouts(start, len(spent))
        spent.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(spent)


def count_moves(game: Game, seconds: float) -> float:
    """The mean number of moves in the positions of random games, of all players together."""
    # Semimoves of a split strategy may be dead, a player's part of a move is not.
    game, random = game.split_by(None), Random(0)
    counts: list[int] = []
    end = time.perf_counter() + seconds
    while not counts or time.perf_counter() < end:
        state = game.initial_state()
        while not state.is_terminal:
            counts.append(game.reasoner.count_moves(state.position))
            state = state.apply(random.choice(state.semimoves()))
            while not state.is_nodal:
                state = state.apply(random.choice(state.semimoves()))
    return statistics.fmean(counts)
