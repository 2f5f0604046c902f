"""What is known about the bundled games in GDL, and counting the same by the rules."""

import csv
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.core.steps import NOBODY
from semisplit.language.gdl.play.interpret import Position
from semisplit.language.gdl.rules import GdlRules

DATA = Path(__file__).parent.parent / "data"


class Level(NamedTuple):
    """What is at the end of all sequences of so many joint moves."""

    leaves: int
    """The sequences,"""
    states: int
    """and their different ends."""
    ended_leaves: int
    """Those that end the game,"""
    ended_states: int
    goals: tuple[int, ...]
    """and the sum of their goals for each role."""


class RandomPlay(NamedTuple):
    """Averages of many games in which each role draws among its moves, with standard errors."""

    games: int
    """0 if they were not played: the averages are exact, by counting."""
    length: float
    length_error: float
    shortest: int
    longest: int
    moves: float
    """Joint moves in a state."""
    goals: tuple[float, ...]
    goal_errors: tuple[float, ...]


def _read_levels() -> dict[str, list[Level]]:
    levels: dict[str, list[Level]] = defaultdict(list)
    with (DATA / "gdl_perft.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            assert int(row["depth"]) == len(levels[row["game"]]), "all depths from 0, in order"
            goals = tuple(map(int, row["goals"].split()))
            numbers = (int(row[name]) for name in Level._fields[:-1])
            levels[row["game"]].append(Level._make((*numbers, goals)))
    return dict(levels)


def _read_random_play() -> dict[str, RandomPlay]:
    with (DATA / "gdl_random.csv").open(newline="") as file:
        return {
            row["game"]: RandomPlay(
                int(row["games"]),
                float(row["length"]),
                float(row["length_error"]),
                int(row["shortest"]),
                int(row["longest"]),
                float(row["moves"]),
                tuple(map(float, row["goals"].split())),
                tuple(map(float, row["goal_errors"].split())),
            )
            for row in csv.DictReader(file)
        }


LEVELS = _read_levels()
"""For each game and depth from 0 on."""
RANDOM_PLAY = _read_random_play()


def transitions(known: list[Level]) -> Iterator[float]:
    """How many moves are to be made, about, to count each level from the one before."""
    yield 0
    for last, level in pairwise(known):
        running = last.leaves - last.ended_leaves
        yield (last.states - last.ended_states) * level.leaves / running


def affordable(known: list[Level], work: float) -> list[Level]:
    """The first levels, as many as can be counted with so many moves."""
    found = []
    for level, moves in zip(known, transitions(known)):
        work -= moves
        if work < 0:
            break
        found.append(level)
    return found


S = TypeVar("S", bound=Hashable)


def count_levels(
    start: S,
    roles: int,
    after: Callable[[S], Iterable[S]],
    goals: Callable[[S], Sequence[int] | None],
) -> Iterator[Level]:
    """Count level after level, each different state once.

    Args:
        start: The initial state.
        roles: How many there are.
        after: The states after a state.
        goals: The goals of a state that ends the game, None for others.
    """
    leaves = {start: 1}
    while leaves:
        ended = [(n, values) for state, n in leaves.items() if (values := goals(state)) is not None]
        yield Level(
            sum(leaves.values()),
            len(leaves),
            sum(n for n, _ in ended),
            len(ended),
            tuple(sum(n * values[role] for n, values in ended) for role in range(roles)),
        )
        following: dict[S, int] = defaultdict(int)
        for state, n in leaves.items():
            for next_state in after(state):
                following[next_state] += n
        leaves = following


def interpreted_levels(rules: GdlRules) -> Iterator[Level]:
    """Count by the interpreter."""

    def after(position: Position) -> Iterator[Position]:
        return (following for _, following in rules.interpreter.moves(position))

    def goals(position: Position) -> Sequence[int] | None:
        return rules.scores(position) if position.player == NOBODY else None

    return count_levels(rules.start, len(rules.players), after, goals)


def compiled_levels(rules: GdlRules, compiled: CompiledGame) -> Iterator[Level]:
    """Count with a compiled game."""

    def after(state: bytes) -> Iterator[bytes]:
        for codes in compiled.moves(state):
            following = compiled.play(state, codes)
            assert following is not None
            yield following

    def goals(state: bytes) -> Sequence[int] | None:
        return compiled.scores(state) if compiled.player(state) == NOBODY else None

    start = compiled.codec.pack(rules.start)
    return count_levels(start, len(rules.players), after, goals)
