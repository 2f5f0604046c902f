"""Every class of warning: what is said, and where."""

import pytest

from semisplit.language.gdl.check.description import parse
from tests.support.gdl import GAME

WARNINGS = [
    ("(p a/b) (<= (q) (p ?x) (q))", "unusual characters in 'a/b'", 4),
    ("(<= (q) (or) (q))", "an 'or' of nothing never holds", 9),
    ("(<= q (true s) (or (or q q)))", "'or' directly inside of 'or'", 20),
    ("(<= q (true s) (not (not (or r q)))) r", "'not' directly inside of 'not'", 21),
    ("(<= q (true s) q (not (or r))) r", "'or' directly inside of 'not'", 23),
    ("(<= q (true s) q (not (distinct a b)))", "'distinct' directly inside of 'not'", 23),
    ("(<= q (true s) (and q))", "'and' is not part of the language", 16),
    ("(<= q) (<= r q r)", "this rule has no body", 1),
    ("(<= (q) q)", "needless parentheses around 'q'", 5),
    ("(<= (q (a)) (q a))", "needless parentheses around 'a'", 8),
    ("(q a) (<= (q ?x ?x) (q ?x) (q ?x ?x))", "'q' has 2 arguments here, and 1 before", 11),
    ("(q (f a)) (<= (q (f a b)) (q a))", "'f' has 2 arguments here, and 1 before", 18),
    ("(q true) (<= (q a) (q a))", "keyword 'true' is used as a constant", 4),
    ("(q (q a)) (<= (q a) (q a))", "'q' is the name of a relation and of a function", 4),
    ("(q Ab) (<= (q aB) (q a))", "name 'aB' was 'Ab' before", 15),
    ("(q a) (<= (q ?Ab) (q ?aB))", "variable '?aB' was '?Ab' before", 22),
    ("(<= q (true s) p q)", "'p' never holds: no rule is about it", 16),
    ("(q a)", "'q' is never used", 1),
    ("(<= q (true r) q)", "fluent 'r' never becomes true", 7),
    ("(<= q (true (s 1)) q)", "fluent 's' with 1 argument(s) never becomes true", 7),
    ("(init (ss 1))", "nothing asks for fluent 'ss'", 1),
    ("(<= (next (r 1)) (true s))", "nothing asks for fluent 'r'", 5),
    ("(<= (next s) (does you goo))", "move 'goo' never is legal", 14),
    ("(legal yuo go)", "'yuo' is not a player", 1),
]


@pytest.mark.parametrize(("text", "message", "column"), WARNINGS)
def test_warnings(text: str, message: str, column: int) -> None:
    found = [(one.message, *one.position) for one in parse(f"{GAME}\n{text}").warnings]
    assert [one for one in found if message in one[0] and one[1:] == (2, column)], found


def test_a_plain_game_has_none_but_what_is_in_it() -> None:
    assert [one.message for one in parse(GAME).warnings] == ["fluent 't' never becomes true"]
    assert not parse(f"{GAME}(<= (next t) (does you go))").warnings


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("(colour red) (<= (next t) (color red))", "did you mean 'colour'?"),
        ("(<= (next t) (not (does you g)))", "did you mean 'go'?"),
        ("(legal yuo go)", "did you mean 'you'?"),
    ],
)
def test_misspelt_names(text: str, hint: str) -> None:
    assert hint in [one.hint for one in parse(GAME + text).warnings]
