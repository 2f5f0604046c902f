"""Rules that are split: they say the same, and can be ground."""

import numpy as np
import pytest
from hypothesis import given, settings

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground import program as module
from semisplit.language.gdl.ground.program import GroundProgram, ground
from semisplit.language.gdl.ground.split import split_clauses
from semisplit.language.gdl.ground.translate import Translation
from semisplit.language.gdl.network.circuit import build_circuit
from semisplit.language.gdl.network.schedule import evaluate, make_schedule
from tests.support.generate_gdl import descriptions

CHAIN = """
(role a) (init (f 0)) (goal a 0) (<= terminal (true (f 1)))
(<= (legal a go) (true (f ?x)))
(<= (next (f ?y)) (true (f ?x)) (digit ?y))
(<= (goal a 100) (true (f ?v)) (true (f ?w)) (true (f ?x)) (true (f ?y)) (true (f ?z))
    (distinct ?v ?w) (distinct ?w ?x) (not (true (g ?x ?y))) (distinct ?y ?z))
""" + "".join(f"(digit {number})" for number in range(30))


def split_program(text: str) -> GroundProgram:
    """A program all of whose rules are split, needed or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Translation", lambda clauses: Translation(split_clauses(clauses)))
        return ground(parse(text))


def outputs(program: GroundProgram, seed: int) -> np.ndarray:
    """What holds in some states and after some moves."""
    circuit = build_circuit(program)
    random = np.random.default_rng(seed)
    fluents = random.random((len(program.fluents), 64)) < 0.5
    moves = np.zeros((len(program.moves), 64), bool)
    for role in range(len(program.roles)):
        codes = [code for code, (owner, _) in enumerate(program.moves) if owner == role]
        if codes:
            moves[random.choice(codes, 64), np.arange(64)] = True
    given_values = np.vstack([fluents, moves])
    rows = []
    for section, literals in (
        ("next", [*circuit.legal, circuit.terminal, *circuit.next]),
        ("goals", circuit.goals),
    ):
        values = evaluate(circuit, make_schedule(circuit), given_values, section)
        rows += [values[literal >> 1] ^ bool(literal & 1) for literal in literals]
    return np.array(rows)


@given(descriptions())
@settings(max_examples=60, deadline=None)
def test_split_rules_say_the_same(text: str) -> None:
    plain, split = ground(parse(text)), split_program(text)
    assert (plain.fluents, plain.moves) == (split.fluents, split.moves)
    goals = [[(role, value) for role, value, _ in each.goals] for each in (plain, split)]
    assert goals[0] == goals[1]
    assert np.array_equal(outputs(plain, 1), outputs(split, 1))


def test_each_variable_is_eliminated_with_as_few_others_as_possible() -> None:
    (clause,) = [c for c in parse(CHAIN).clauses if c.head.name == "goal" and c.positive]
    parts = split_clauses([clause])
    variables = [
        {
            a.name
            for atom in part.positive
            for t in atom.arguments
            for a in getattr(t, "arguments", [t])
        }
        for part in parts
    ]
    assert len(parts) == 4
    assert max(map(len, variables)) <= 3
