"""Compiled games against the interpreter: on generated rules, on all games, and at the limits."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from semisplit import games, load
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.language.rbg.play.interpret import KEEPER, Interpreter
from semisplit.language.rbg.split.split import split_rules
from semisplit.language.rbg.text.ast import Rule
from tests.support import generate
from tests.support.compare import (
    Unknown,
    check_generated_game,
    check_position,
    compiled,
    interpreting,
)
from tests.support.prelude import description
from tests.support.rules import rbg
from tests.support.sampling import exhaustive, sampled_strategies

SMALL = description("->w")


def check_generated(rules: Rule, split: SplitStrategy | None) -> None:
    """Follow the rules a few moves deep in both engines."""
    if split is not None:
        rules = split_rules(rules, SMALL.board, split)
    slow = Interpreter(SMALL, rules, max_visits=20_000)
    native = compiled(SMALL, rules, split)
    mod = split.mod if split else None
    with suppress(Unknown):
        with interpreting():
            positions = [slow.run_keeper(slow.start)]
        assert native.codec.unpack(native.run_keeper(native.codec.pack(slow.start))) == positions[0]
        for _ in range(4):
            following = []
            for position in positions:
                if position.player != KEEPER:
                    following += check_position(slow, native, position, mod)
            with interpreting():
                positions = [slow.run_keeper(position) for position in following[:5]]
        start = native.run_keeper(native.codec.pack(slow.start))
        native.playouts(start, 1)
        if split is not None:
            native.playouts(start, 1, semisplit=True)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(generate.rules)
def test_generated_rules(rules: Rule) -> None:
    check_generated(rules, None)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(generate.rules, generate.strategies)
def test_generated_rules_split(rules: Rule, split: SplitStrategy) -> None:
    check_generated(rules, split)


@pytest.mark.parametrize("number", range(32))
def test_generated_games(number: int) -> None:
    """Whole games on boards of any size and kind; `benchmarks.generated_games` makes thousands."""
    assert check_generated_game(Random(f"0.{number}"))


PLIES = {"breakthru": 12, "connect6": 1, "paper_soccer": 10}
"""How far to go in games whose positions have tens of thousands of moves later."""


LONG_TURNS = {"arimaa", "arimaa_fixed_position"}


def names_and_strategies() -> Iterator[Any]:
    # Positions of the other forms of Arimaa have tens of thousands of moves; see `test_arimaa`.
    for name in [name for name in games.names("rbg") if name not in LONG_TURNS]:
        sampled = [None, "Mod", *sampled_strategies(name, 0 if name == "arimaa_split" else 1)]
        for strategy in [None, *STRATEGIES]:
            marks = () if strategy in sampled else exhaustive
            yield pytest.param(name, strategy, marks=marks)


@pytest.mark.parametrize(("name", "strategy"), list(names_and_strategies()))
def test_games(name: str, strategy: str | None) -> None:
    """Random games, with a few of their positions compared in all detail."""
    game = load(name, strategy)
    slow, native = rbg(game).interpreter, game.compiled
    mod = game.split.mod if game.split else None
    random = Random(f"{name} {strategy}")
    start = native.run_keeper(native.codec.pack(slow.start))
    assert native.codec.unpack(start) == slow.run_keeper(slow.start)
    state, path = start, [start]
    while native.player(state) and len(path) < PLIES.get(name, 200):
        moves = native.moves(state) if mod is None else native.semimoves(state)
        if not moves:
            break
        played = native.play(state, random.choice(moves))
        assert played is not None
        state = native.run_keeper(played)
        path.append(state)
    for state in random.sample(path, min(2, len(path))):
        if native.player(state):
            check_position(slow, native, native.codec.unpack(state), mod)
