"""Rules ground by joins of tables say what they say when clingo grounds them."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from semisplit import games
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground.clingo import Limits
from semisplit.language.gdl.ground.large import ground_large
from semisplit.language.gdl.ground.program import GroundProgram, ground
from semisplit.language.gdl.network.circuit import build_circuit
from semisplit.language.gdl.network.schedule import evaluate, make_schedule
from tests.support.generate_gdl import descriptions

STATES = 64
Values = dict[Any, NDArray[np.bool_]]


def outputs(program: GroundProgram, given: Values) -> Values:
    """What holds in some states and after some moves; what is not given does not hold there."""
    circuit = build_circuit(program)
    keys = [*program.fluents, *program.moves]
    inputs = np.array([given[key] for key in keys]).reshape(len(keys), STATES)
    found: Values = defaultdict(lambda: np.zeros(STATES, bool))
    for section, literals, names in (
        ("next", circuit.legal, [("legal", *move) for move in program.moves]),
        ("next", [circuit.terminal], ["terminal"]),
        ("next", circuit.next, [("next", fluent) for fluent in program.fluents]),
        ("goals", circuit.goals, [("goal", *goal[:2]) for goal in program.goals]),
    ):
        values = evaluate(circuit, make_schedule(circuit), inputs, section)
        for name, literal in zip(names, literals):
            found[name] = values[literal >> 1] ^ bool(literal & 1)
    return found


def states(program: GroundProgram) -> Values:
    """Fluents and moves in random states, in each of which each role makes a move."""
    random = np.random.default_rng(1)
    values: Values = defaultdict(lambda: np.zeros(STATES, bool))
    for fluent in program.fluents:
        values[fluent] = random.random(STATES) < random.choice([0.05, 0.5])
    for role in range(len(program.roles)):
        moves = [move for move in program.moves if move[0] == role]
        made = random.integers(max(1, len(moves)), size=STATES)
        for number, move in enumerate(moves):
            values[move] = made == number
    return values


def compare(text: str) -> None:
    description = parse(text)
    plain, large = ground(description), ground_large(description, Limits())
    # A condition that always fails is seen later, so there may be more that never holds.
    assert {*plain.fluents} <= {*large.fluents}
    assert {*plain.moves} <= {*large.moves}
    initial = {f for f, holds in zip(large.fluents, large.initial) if holds}
    assert initial == {f for f, holds in zip(plain.fluents, plain.initial) if holds}
    given = states(plain)
    expected, found = outputs(plain, given), outputs(large, given)
    for name in {*expected, *found}:
        assert np.array_equal(expected[name], found[name]), name


@given(descriptions())
@settings(max_examples=40, deadline=None)
def test_generated_rules(text: str) -> None:
    compare(text)


@pytest.mark.parametrize("name", ["breakthrough", "checkers", "farmers", "hex_4", "othello"])
def test_bundled_games(name: str) -> None:
    compare(games.text(f"{name}.kif"))


HEAD = "(role a) (role b) (init (f 0)) (goal a 0) (legal b go) (<= terminal (true (f 1)))"
SMALL = {
    "circle": """(<= (legal a (go ?x)) (joined 0 ?x)) (<= (next (f ?x)) (does a (go ?x)))
        (<= (joined ?x ?y) (true (f ?x)) (edge ?x ?y))
        (<= (joined ?x ?z) (joined ?x ?y) (edge ?y ?z)) (<= (joined ?x ?y) (joined ?y ?x))
        (edge 0 1) (edge 1 2) (edge 2 0) (edge 2 3)""",
    "most moves": """(<= (legal a (go ?x ?y)) (n ?x) (n ?y)) (<= (legal b (go ?x ?y)) (n ?x) (n ?y))
        (<= (next (f ?x)) (true (f ?x)) (does ?r (go ?y ?z)) (distinct ?x ?y) (distinct ?x ?z))
        (<= (next (g ?x)) (n ?x) (does ?r (go ?y ?z)) (distinct ?x ?y))
        (<= (next (f ?x)) (does ?r (go ?x ?y)) (not (true (f ?y)))) (n 0) (n 1) (n 2) (n 3)""",
    "asked and not": """(<= (legal a (go ?x ?y)) (near ?x ?y) (not (after ?x ?y ?x)))
        (<= (near ?x ?y) (true (f ?x)) (n ?y) (distinct ?x ?y)) (n 0) (n 1) (n 2)
        (<= (after ?x ?y ?z) (n ?x) (n ?y) (true (f ?z)) (not (same ?x ?y ?z)))
        (<= (same ?x ?y ?z) (n ?x) (true (f ?y)) (n ?z) (distinct ?x ?z))
        (<= (next (f ?y)) (does a (go ?x ?y)) (not (same ?x ?y ?x)))""",
}


@pytest.mark.parametrize("rules", SMALL.values(), ids=SMALL)
def test_small_rules(rules: str) -> None:
    compare(HEAD + rules)


CHAIN = """
(role a) (init (f 0)) (goal a 0) (<= terminal (true (f 1)))
(<= (legal a go) (true (f ?x)))
(<= (next (f ?y)) (true (f ?x)) (digit ?y))
(<= (goal a 100) (true (f ?v)) (true (f ?w)) (true (f ?x)) (true (f ?y)) (true (f ?z))
    (distinct ?v ?w) (distinct ?w ?x) (not (true (g ?x ?y))) (distinct ?y ?z))
""" + "".join(f"(digit {number})" for number in range(30))


def test_rules_with_many_variables_take_little() -> None:
    program = ground(parse(CHAIN, "chain"))
    assert len(program.rules) < 10_000
    assert len(program.fluents) == 30
