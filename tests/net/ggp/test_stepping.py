"""Stepping by the interpreter, by the compiled game, and through what the interpreter cannot."""

import asyncio
from pathlib import Path
from random import Random

import pytest

import semisplit.games
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.errors import InputError, PlayLimit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import Interpreter, State
from semisplit.language.gdl.rules import GdlRules
from semisplit.net.ggp import stepping
from semisplit.net.ggp.apart import HostStepper
from semisplit.net.ggp.stepping import Course, Stepper, Way
from tests.support.gdl import GAME, TIC_TAC_TOE

GAMES = sorted(Path(semisplit.games.__file__).parent.glob("*.kif"))
SLOW = "two_thirds"
"""Takes ten seconds to compile."""
_STEPS = 12

DIGITS = "".join(f"(d {digit}) " for digit in range(10))
MANY = " ".join(f"?x{number}" for number in range(6))
HARD = f"{GAME}{DIGITS}(<= (legal you (a {MANY})) {' '.join(f'(d {v})' for v in MANY.split())})"
"""A million legal moves."""


def compiled(rules: GdlRules, max_work: int = 1_000_000) -> Stepper:
    rules.compile(Bundle.GAME)
    stepper = Stepper(rules, max_work)
    assert stepper.use_compiled()
    return stepper


@pytest.mark.parametrize("path", [p for p in GAMES if p.stem != SLOW], ids=lambda p: p.stem)
def test_both_ways_are_the_same_on_bundled_games(path: Path) -> None:
    rules = GdlRules(parse(path.read_text(), path.stem))
    judge, stepper, random = Stepper(rules), compiled(rules), Random(1)
    state = rules.interpreter.initial
    for _ in range(_STEPS):
        legal = judge.legal(state)
        assert stepper.legal(state) == legal
        if not legal:
            assert stepper.scores(state) == judge.scores(state)
            break
        joint = [random.choice(may) for may in legal]
        before, state = state, judge.next_state(state, joint)
        assert stepper.next_state(before, joint) == state


def test_the_end_of_a_game() -> None:
    rules = GdlRules(parse(TIC_TAC_TOE))
    judge, stepper, random = Stepper(rules), compiled(rules), Random(2)
    state: State = rules.interpreter.initial
    while legal := stepper.legal(state):
        state = stepper.next_state(state, [random.choice(may) for may in legal])
    assert judge.legal(state) == []
    assert stepper.scores(state) == judge.scores(state)


def test_some_moves_are_better_than_none() -> None:
    rules = GdlRules(parse(HARD))
    stepper = Stepper(rules, max_work=10_000)
    state = rules.interpreter.initial
    with pytest.raises(PlayLimit):
        stepper.legal(state)
    found, way = stepper.moves(state, 0)
    assert way == Way.PARTIAL
    assert 10 <= len(found) <= 100
    assert {move.name for move in found} <= {"go", "a"}


def test_nothing_is_found_where_nothing_can_be() -> None:
    join = " ".join(f"(d ?x{number})" for number in range(8))
    text = f"(role you) (init s) {DIGITS}(<= (legal you go) {join} (not (d ?x7)))"
    text += "(goal you 0) (<= terminal (true t)) (<= (next s) (true s))"
    rules = GdlRules(parse(text))
    with pytest.raises(PlayLimit):
        Stepper(rules, max_work=10_000).moves(rules.interpreter.initial, 0)


def test_a_host_compiles_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepping, "_QUICK", -1.0)
    rules = GdlRules(parse(f"{TIC_TAC_TOE}; not in the cache\n"))

    async def play() -> list[bool]:
        stepper = HostStepper(rules)
        state, ways = rules.interpreter.initial, []
        await stepper.legal(state)
        assert stepper._compiling is not None
        await stepper._compiling
        while legal := await stepper.legal(state):
            ways.append(stepper._stepper.compiled is not None)
            state = await stepper.next_state(state, [may[0] for may in legal])
        stepper.close()
        assert sum(await stepper.scores(state)) == 100
        return ways

    ways = asyncio.run(play())
    assert len(ways) >= 5
    assert all(ways)


def test_moves_that_cannot_be_followed_yet_are_made_by_the_compiled_game() -> None:
    rules = GdlRules(parse(TIC_TAC_TOE))
    rules.compile(Bundle.GAME)
    course = Course(rules, 0)
    rules.__dict__["interpreter"] = Interpreter(rules.description, 10)
    course.stepper = Stepper(rules, 10)
    course.tell(("( mark 2 2 )", "noop"))
    course.tell(("NOOP", "(Mark 1 1)"))
    for _ in range(2):
        with pytest.raises(PlayLimit):
            list(course.catch_up())
    assert course.made == 0
    course.stepper.use_compiled()
    steps = [choices() for choices in course.catch_up()]
    assert [(step.role, step.wire) for (step,) in steps] == [(1, "(mark 2 2)"), (2, "(mark 1 1)")]
    found, way = course.moves()
    assert (len(found), way, course.made) == (7, Way.COMPILED, 2)
    course.tell(("noop", "noop"))
    with pytest.raises(InputError):
        list(course.catch_up())
    assert len(course.moves().found) == 7
