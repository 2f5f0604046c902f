"""Every class of wrong description: what is said, and where."""

import pytest

from semisplit.core.errors import RuleError
from semisplit.language.gdl.check.description import parse
from tests.support.gdl import GAME


def errors(text: str) -> list[tuple[str, int, int]]:
    """Message, line and column of each error."""
    with pytest.raises(RuleError) as caught:
        parse(text, "game.kif")
    return [(error.message, *error.position) for error in caught.value.diagnostics]


FORMS = [
    ("(p a", "not closed before the end of the file", 1),
    ("(p a) )", "closes nothing", 7),
    ("(p (a) (<= (q) (p a)) )", "not closed before the next rule", 1),
    ("(p ())", "empty parentheses where a term", 4),
    ("()", "empty parentheses where a relation", 1),
    ("((p a) b)", "a name is expected", 2),
    ("(p ((f a) b))", "a name is expected", 5),
    ("?x", "variable '?x' stands where a relation", 1),
    ("(?p a)", "a relation cannot begin with a variable", 2),
    ("(p (?f a))", "a term cannot begin with a variable", 5),
    ("(p ?)", "a variable needs a name", 4),
    ("<=", "'<=' stands outside of parentheses", 1),
    ("(<=)", "a rule needs a head", 1),
    ("(p <=)", "keyword '<=' inside of a term", 4),
    ("(p (not a))", "keyword 'not' inside of a term", 4),
    ("(not (p a))", "'not' cannot be the head", 1),
    ("(<= (or a b) (true c))", "'or' cannot be the head", 5),
    ("(distinct a b)", "'distinct' cannot be the head", 1),
    ("(<= p (not a b))", "'not' takes one condition, not 2", 7),
    ("(<= p (distinct a))", "'distinct' takes two terms, not 1", 7),
    ("(<= p not)", "'not' needs parentheses", 7),
    ("(<= p (true a b))", "'true' takes 1 argument, not 2", 7),
    ("(terminal a)", "'terminal' takes no arguments, not 1", 1),
    ("(legal you)", "'legal' takes 2 arguments, not 1", 1),
    ("(next (next a))", "keyword 'next' is used as a function", 7),
    ("(p (f (does a b)))", "keyword 'does' is used as a function", 7),
]


@pytest.mark.parametrize(("text", "message", "column"), FORMS)
def test_forms(text: str, message: str, column: int) -> None:
    found = errors(f"{GAME}\n{text}")
    assert [one for one in found if message in one[0] and one[1:] == (2, column)], found


RESTRICTIONS = [
    # Keywords in their places.
    ("(true s)", "'true' in a head", 1),
    ("(<= (does you go) (true s))", "'does' in a head", 5),
    ("(<= (role ?x) (p ?x)) (p a)", "players cannot be given by a rule", 5),
    ("(<= (next q) (init q))", "'init' in a body", 14),
    ("(<= p (not (next q)))", "'next' in a body", 12),
    ("(<= p (or (base q) (input you go)))", "'base' in a body", 11),
    ("(<= p (or (base q) (input you go)))", "'input' in a body", 20),
    ("(goal you 101)", "not a value of a goal", 1),
    ("(goal you much)", "not a value of a goal", 1),
    # Independence.
    ("(<= (init q) (true s))", "'init' depends on 'true'", 14),
    ("(<= (init q) p) (<= p r) (<= r (not (true s)))", "on 'true' through 'p', 'r'", 14),
    ("(<= (base q) (does you go))", "'base' depends on 'does'", 14),
    ("(<= (input you a) (true s))", "'input' depends on 'true'", 19),
    ("(<= (legal you a) p) (<= p (does you go))", "'legal' depends on 'does' through 'p'", 19),
    ("(<= (goal you 0) (does you go))", "'goal' depends on 'does'", 18),
    ("(<= terminal (does you go))", "'terminal' depends on 'does'", 14),
    # Safety.
    ("(p ?x)", "variable ?x in a fact", 4),
    ("(role ?x)", "variable ?x in a fact", 7),
    ("(<= (p ?x) (true s))", "variable ?x in the head", 8),
    ("(<= (p ?X) (not (true ?x)))", "variable ?x in the head", 8),
    ("(<= p (not (true ?x)))", "variable ?x in a 'not'", 18),
    ("(<= p (true ?y) (distinct ?x ?y))", "variable ?x in a 'distinct'", 27),
    ("(<= (p ?x) (or (true ?x) (true s)))", "variable ?x in the head", 8),
    ("(<= p (or (true ?x) (true s)) (not (q ?x))) (q a)", "variable ?x in a 'not'", 17),
    # Stratification.
    ("(<= p (not p))", "'p' depends on its own negation", 12),
    ("(<= p (not q)) (<= q (not p))", "depends on its own negation", 12),
    ("(<= p (not q)) (<= q r) (<= r (true s) p)", "depends on its own negation", 12),
    ("(<= (p ?x) (d ?x) (or (q ?x) (not (p a)))) (d a) (q a)", "its own negation", 35),
    # Recursion.
    ("(n z) (<= (n ?x) (n (s ?x)))", "'n' depends on itself, and nothing says what ?x", 18),
    ("(p a) (<= (p (f ?x)) (p ?x))", "'p' depends on itself, and nothing says what ?x", 22),
    ("(p a) (<= (p (f ?x)) (q ?x)) (<= (q ?x) (p ?x))", "'p' depends on itself through 'q'", 22),
]


@pytest.mark.parametrize(("text", "message", "column"), RESTRICTIONS)
def test_restrictions(text: str, message: str, column: int) -> None:
    found = errors(f"{GAME}\n{text}")
    assert [one for one in found if message in one[0] and one[1:] == (2, column)], found


@pytest.mark.parametrize("missing", ["role", "legal", "goal", "terminal"])
def test_what_every_game_has(missing: str) -> None:
    forms = {
        "role": "(role a)",
        "legal": "(legal a b)",
        "goal": "(goal a 0)",
        "terminal": "terminal",
    }
    found = errors(" ".join(form for name, form in forms.items() if name != missing))
    assert found == [(f"there is no rule for '{missing}'", 1, 1)]


def test_no_rules_at_all() -> None:
    assert errors(" ; nothing\n") == [("there are no rules", 1, 1)]


def test_the_circle_of_a_negation_is_named() -> None:
    text = f"{GAME}(<= p (true s) (not q)) (<= q r) (<= r (not t)) (<= t p)"
    with pytest.raises(RuleError) as caught:
        parse(text)
    (error,) = caught.value.diagnostics
    assert error.hint == "the circle is 'p' <= not 'q' <= 'r' <= not 't' <= 'p'"


def test_recursion_that_ends_is_allowed() -> None:
    parse(
        f"{GAME}(<= (reach ?x ?z) (edge ?x ?y) (reach ?y ?z)) (<= (reach ?x ?y) (edge ?x ?y))"
        "(edge a b) (edge b a) (<= (even ?n) (succ ?m ?n) (odd ?m))"
        "(<= (odd ?n) (succ ?m ?n) (even ?m)) (even 0) (succ 0 1) (succ 1 2)"
        "(<= (deep (f ?x)) (true (f ?x)) (deep (f ?x)))"
    )


def test_several_errors_are_found_in_one_run() -> None:
    text = f"{GAME}\n(p ())\n(q ?x)\n(<= r (not a b))\n(<= (legal you (x)) ((y)))"
    assert [line for _, line, _ in errors(text)] == [2, 4, 5]
    text = f"{GAME}\n(q ?x)\n(<= p (not p))\n(true a)\n(goal you 700)"
    assert [line for _, line, _ in errors(text)] == [2, 3, 4, 5]


def test_errors_are_told_with_place_and_advice() -> None:
    with pytest.raises(RuleError) as caught:
        parse(f"{GAME}\r  (<= (p ?x)\r\n(true s))", "game.kif")
    assert str(caught.value).splitlines() == [
        "game.kif:2:10: error: variable ?x in the head is in no positive condition,"
        " so it could be anything",
        "    2 |   (<= (p ?x)",
        "      |          ^^",
        "      = add a condition that says what ?x can be",
    ]
