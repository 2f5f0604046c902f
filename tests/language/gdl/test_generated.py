"""Generated descriptions: the interpreter against clingo."""

from random import Random
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.text.ast import Atom
from tests.support.gdl_oracle import stable_model
from tests.support.generate_gdl import MOVE_DEPENDENT, descriptions

_STEPS = 3


@given(descriptions(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_the_model_is_the_only_stable_one(text: str, seed: int) -> None:
    check_models(text, seed)


@given(descriptions(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_questions_have_the_answers_of_that_model(text: str, seed: int) -> None:
    with patch("semisplit.language.gdl.play.strata.LITTLE", 0):
        check_models(text, seed)


def check_models(text: str, seed: int) -> None:
    description = parse(text)
    game, random = Interpreter(description), Random(seed)
    names = {rule.head.name for rule in description.rules}
    state = game.start.fluents
    assert {(fluent,) for fluent in state} == stable_model(description.rules, []).get("init", set())
    for _ in range(_STEPS):
        given_facts = [Atom("true", (fluent,)) for fluent in state]
        expected = stable_model(description.rules, given_facts)
        model = game.model(state)
        for name in names - MOVE_DEPENDENT:
            assert model[name].rows == expected.get(name, set()), name
        moves = tuple(random.choice(legal) for legal in game.legal(state))
        given_facts += [Atom("does", (role, move)) for role, move in zip(description.roles, moves)]
        expected = stable_model(description.rules, given_facts)
        state = game.next_state(state, moves)
        assert {(fluent,) for fluent in state} == expected.get("next", set())
