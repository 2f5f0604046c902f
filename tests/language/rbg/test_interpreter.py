"""The interpreter against a second, independent reading of the rules."""

import pytest
from hypothesis import HealthCheck, given, settings

from semisplit.core.errors import PlayLimit
from semisplit.language.rbg.play.interpret import Interpreter
from semisplit.language.rbg.text.ast import Rule, Switch, concat
from tests.support import generate, oracle
from tests.support.prelude import description, game

SMALL = description("->w")


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(generate.bodies)
def test_moves_are_those_of_the_oracle(body: Rule) -> None:
    rules = concat([body, Switch("w")])
    interpreter = Interpreter(SMALL, rules)
    found = [steps for steps, _ in interpreter.moves(interpreter.start)]
    bounds = {**SMALL.players, **SMALL.variables}
    world = oracle.World((), SMALL.board.pieces, tuple((name, 0) for name in bounds), 0)
    assert len(found) == len(set(found))
    assert set(found) == oracle.moves(SMALL, rules, world)


def test_endless_move_is_stopped() -> None:
    with pytest.raises(PlayLimit, match="more than 5000 modifiers"):
        game("->w ([x])* ->>").initial_state().moves()


def test_endless_pattern_is_stopped() -> None:
    with pytest.raises(PlayLimit, match="pattern"):
        game("->w {? ([x])* {o}} ->>").initial_state().moves()


def test_endless_keeper_is_stopped() -> None:
    with pytest.raises(PlayLimit, match="keeper made 100000 moves in a row"):
        game("(->>)* {} ->w").initial_state()


def test_too_much_work_is_stopped() -> None:
    rules = description("->w ([x] + [o] + [e])^20 {} ->>").rules
    interpreter = Interpreter(SMALL, rules, max_visits=10_000)
    with pytest.raises(PlayLimit, match="takes too long"):
        list(interpreter.moves(interpreter.run_keeper(interpreter.start)))


def test_integers_beyond_64_bits_fail() -> None:
    big = "2147483647*2147483647*2147483647"
    assert game(f"->w {{$ {big}>0}} ->>").initial_state().is_terminal
    assert game(f"->w {{! {{$ {big}>0}}}} ->>").initial_state().moves()


def test_first_move_of_the_keeper() -> None:
    """Alternatives from left to right, a star's body before leaving it out."""
    assert game("([x] + [o]) ->w ->>").initial_state().piece("a2") == "x"
    assert game("(right)* {x} [o] ->w ->>").initial_state().piece("b2") == "o"
