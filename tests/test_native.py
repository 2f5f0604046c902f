"""Compiled games against the interpreter: on generated rules, on all games, and at the limits."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from semisplit import games, load
from semisplit.core.errors import PlayLimit
from semisplit.native.build import emit
from semisplit.native.compile import facts
from semisplit.native.compiled import CompiledGame
from semisplit.native.target import object_code
from semisplit.rbg.ast import Rule
from semisplit.rbg.description import Description
from semisplit.rbg.interpret import KEEPER, Interpreter, Position
from semisplit.rbg.split import STRATEGIES, SplitStrategy, split_rules
from tests import generate
from tests.prelude import description

SMALL = description("->w")


class Unknown(Exception):
    """The interpreter gave up, so there is nothing to compare with."""


@contextmanager
def interpreting() -> Iterator[None]:
    """Where only the interpreter works; limits that compiled games hit are failures."""
    try:
        yield
    except PlayLimit as limit:
        raise Unknown from limit


def compiled(game: Description, rules: Rule, split: SplitStrategy | None) -> CompiledGame:
    """Compile rules with every index into a table checked."""
    program = emit(game, rules, split, checked=True)
    return CompiledGame(object_code(str(program.module.ir)), facts(program, split))


def check_position(
    rules: Interpreter, native: CompiledGame, position: Position, mod: bool | None
) -> list[Position]:
    """Compare everything that can be asked in a position; the positions after its moves."""
    state = native.pack(position)
    assert native.unpack(state) == position
    with interpreting():
        moves = dict(rules.moves(position))
    assert sorted(native.moves(state)) == sorted(moves)
    assert native.count_moves(state) == len(moves)
    assert (native.count_moves(state, enough=1) > 0) == bool(moves)
    reached = dict(moves)
    if mod is not None:
        with interpreting():
            semimoves = dict(rules.semimoves(position, mod=mod))
        assert sorted(native.semimoves(state)) == sorted(semimoves)
        reached |= semimoves
    if rules.is_nodal(position):
        for seed in range(8):
            for semisplit in [False] if mod is None else [False, True]:
                one = native.playout(state, seed, max_moves=1, semisplit=semisplit)
                assert one.moves == min(len(moves), 1)
                assert native.unpack(one.final) in (list(moves.values()) or [position])
    for steps, after in list(reached.items())[:20]:
        played = native.play(state, steps)
        assert played is not None
        assert native.unpack(played) == after
        with suppress(Unknown):
            with interpreting():
                expected = rules.run_keeper(after)
            assert native.unpack(native.run_keeper(played)) == expected
    return list(reached.values())


def check_generated(rules: Rule, split: SplitStrategy | None) -> None:
    """Follow the rules a few moves deep in both engines."""
    if split is not None:
        rules = split_rules(rules, SMALL.board, split)
    slow = Interpreter(SMALL, rules, max_walks=2_000)
    native = compiled(SMALL, rules, split)
    mod = split.mod if split else None
    with suppress(Unknown):
        with interpreting():
            positions = [slow.run_keeper(slow.start)]
        assert native.unpack(native.run_keeper(native.pack(slow.start))) == positions[0]
        for _ in range(4):
            following = []
            for position in positions:
                if position.player != KEEPER:
                    following += check_position(slow, native, position, mod)
            with interpreting():
                positions = [slow.run_keeper(position) for position in following[:5]]
        start = native.run_keeper(native.pack(slow.start))
        native.playouts(start, 1)
        if split is not None:
            native.playouts(start, 1, semisplit=True)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(generate.rules)
def test_generated_rules(rules: Rule) -> None:
    check_generated(rules, None)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(generate.rules, generate.strategies)
def test_generated_rules_split(rules: Rule, split: SplitStrategy) -> None:
    check_generated(rules, split)


PLIES = {"breakthru": 12, "connect6": 1, "paper_soccer": 10}
"""How far to go in games whose positions have tens of thousands of moves later."""


GAMES = [
    (name, strategy)
    for name in games.names()
    for strategy in [None, *STRATEGIES]
    # Positions of the other forms have tens of thousands of moves; see also `test_arimaa`.
    if "arimaa" not in name or (name == "arimaa_split" and strategy in (None, "Mod"))
]


@pytest.mark.parametrize(("name", "strategy"), GAMES)
def test_games(name: str, strategy: str | None) -> None:
    """Random games, with a few of their positions compared in all detail."""
    game = load(name, strategy)
    slow, native = game.interpreter, game.compiled
    mod = game.split.mod if game.split else None
    random = Random(f"{name} {strategy}")
    start = native.run_keeper(native.pack(slow.start))
    assert native.unpack(start) == slow.run_keeper(slow.start)
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
            check_position(slow, native, native.unpack(state), mod)
