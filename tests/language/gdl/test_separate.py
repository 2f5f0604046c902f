"""Rules that are stratified by atoms, and not by names."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.errors import RuleError
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Atom
from tests.support.gdl import GAME, TIC_TAC_TOE
from tests.support.gdl_facts import compiled_levels, interpreted_levels
from tests.support.gdl_oracle import stable_model

ACCEPTED = [
    # By constants.
    "(<= (goal ?r 100) (role ?r) (true t)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
    "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 20)))"
    "(<= (goal ?r 20) (true s) (role ?r) (not (goal ?r 100)))",
    "(<= (p a ?x) (d ?x) (not (p b ?x))) (<= (p b ?x) (true ?x) (d ?x)) (d s) (d t)",
    # A pie rule: who may swap need not wait, and who waits cannot put anything.
    "(<= (legal you swap) (true (turn 2))) (<= (legal you wait) (true s) (not (legal you swap)))"
    "(<= (legal you (put ?x)) (d ?x) (not (legal you wait))) (d a) (d b) (<= (next (turn 2)) q) q",
    # By functions.
    "(<= (legal you (take ?x)) (d ?x) (not (legal you (swap ?x)))) (d a) (d b)"
    "(<= (legal you (swap a)) (true s))",
    # With a variable for what may be anything.
    "(<= (p ?k) (kind ?k) (q ?k)) (<= (q a) (not (p b))) (<= (q b) (not (p c))) (kind a) (kind b)"
    "(kind c)",
    # By ground atoms.
    "(<= (win ?x) (edge ?x ?y) (not (win ?y))) (edge a b) (edge b c) (edge a c) (edge c d)",
    "(<= (win ?x ?s) (edge ?x ?y) (true ?s) (not (win ?y ?s))) (edge a b) (edge b c)",
    "(<= (p (f ?x)) (d ?x) (not (p ?x))) (d a) (d (f a)) (d (f (f a)))",
    "(<= (p ?x) (d ?x) (or (not (p a)) (e ?x)) (distinct ?x a)) (d a) (d b) (e b)"
    "(<= (p a) (true s))",
]


@pytest.mark.parametrize("rules", ACCEPTED)
def test_the_model_is_the_only_stable_one(rules: str) -> None:
    description = parse(GAME + rules)
    game = Interpreter(description)
    given_facts = [Atom("true", (fluent,)) for fluent in game.initial]
    expected = stable_model(description.rules, given_facts)
    for name in {rule.head.name for rule in description.rules} - {"next"}:
        assert game.model(game.initial)[name].rows == expected.get(name, set()), name


@pytest.mark.parametrize(
    ("rules", "hint"),
    [
        ("(<= (p ?x) (d ?x) (not (p a))) (d a)", "'(p a)' <= not '(p a)'"),
        ("(<= (win ?x) (edge ?x ?y) (not (win ?y))) (edge a b) (edge b a)", "not '(win b)'"),
        (
            "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"
            "(<= (goal ?r 100) (role ?r) (not (goal ?r 0)))",
            "'(goal you 0)' <= not '(goal you 100)' <= not '(goal you 0)'",
        ),
    ],
)
def test_a_circle_of_atoms_is_named(rules: str, hint: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse(GAME + rules)
    (error,) = caught.value.diagnostics
    assert "depends on its own negation" in error.message
    assert hint in (error.hint or "")


def test_a_circle_of_too_many_atoms_is_refused() -> None:
    domain = " ".join(f"(d {number})" for number in range(30))
    circle = "(<= (p ?x ?y ?z) (d ?x) (d ?y) (d ?z) (not (p ?y ?z ?x)))"
    with pytest.raises(RuleError, match="own negation"):
        parse(f"{GAME} {domain} {circle}")


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8), st.integers(0, 4))
@settings(max_examples=40, deadline=None)
def test_graphs_without_circles_are_accepted(edges: list[tuple[int, int]], depth: int) -> None:
    facts = " ".join(f"(edge {x} {y})" for x, y in edges)
    rules = f"(<= (win ?x) (edge ?x ?y) (not (win ?y))) (edge 8 9) {facts}"
    try:
        description = parse(GAME + rules)
    except RuleError:
        assert any(_leads_back(edges, start) for start, _ in edges)
        return
    model = Interpreter(description).model(frozenset())
    assert model["win"].rows == stable_model(description.rules, [])["win"]
    assert not any(_leads_back(edges, start) for start, _ in edges)


def _leads_back(edges: list[tuple[int, int]], start: int) -> bool:
    """Whether some way leads back to where it began."""
    reached = {y for x, y in edges if x == start}
    for _ in edges:
        reached |= {y for x, y in edges if x in reached}
    return start in reached


def test_play_is_the_same_however_goals_are_written() -> None:
    open_, _, rest = TIC_TAC_TOE.partition("(<= (goal ?p 0)")
    other = f"{open_} (<= (goal ?p 0) (role ?p) (not (goal ?p 100)) (not (goal ?p 50)))"
    other += rest.partition("\n")[2].join(("\n", ""))
    games = [GdlRules(parse(text)) for text in (TIC_TAC_TOE, other)]
    first, second = (list(islice(interpreted_levels(rules), 5)) for rules in games)
    assert first == second
    compiled = compiled_levels(games[1], games[1].compile(Bundle.GAME))
    assert list(islice(compiled, 5)) == first
    assert decompose(games[1].description).subgames == decompose(games[0].description).subgames
