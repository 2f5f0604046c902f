"""The formatter: a layout, and nothing but a layout."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit.core.errors import RuleError
from semisplit.core.report import Report
from semisplit.core.source import Source
from semisplit.language.gdl.text.format import format_text
from semisplit.language.gdl.text.lexer import tokenize
from semisplit.language.registry import format_rules


def tokens(text: str) -> list[str]:
    source = Source("", text)
    return [token.text.rstrip() for token in tokenize(source, Report(source), comments=True)]


CASES = {
    "facts": ("(role  a)(role b)\n( succ 1\n2 )", "(role a) (role b)\n(succ 1 2)\n"),
    "rule": (
        "(<= (p ?x) (q ?x) (not (r ?x)))(<= z\ny)",
        "(<= (p ?x)\n    (q ?x)\n    (not (r ?x)))\n(<= z\n    y)\n",
    ),
    "rule without a body": ("( <=  p )", "(<= p)\n"),
    "blank lines": ("\n\n(a)\r\r\n\n; c\n\n\n(b)\n(c)", "(a)\n\n; c\n\n(b)\n(c)\n"),
    "comments": (
        "(a) ;  one \n(<= p ; two\nq;three\n ; four\n(or r ; five\ns) ; six\n) ; seven",
        "(a) ;  one\n(<= p ; two\n    q ;three\n    ; four\n    (or\n        r ; five\n"
        "        s)) ; six ; seven\n",
    ),
    "comment at the end": ("(<= p\nq\n; end\n)", "(<= p\n    q\n    ; end\n)\n"),
    "comment before everything": ("(; why\np a)", "(\n    ; why\n    p\n    a)\n"),
    "nothing": (" \n ", ""),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_layout(text: str, expected: str) -> None:
    assert format_text(text) == expected
    assert format_text(expected) == expected
    assert tokens(text) == tokens(expected) or ";" in text


def test_what_is_too_long_is_broken() -> None:
    words = " ".join(f"(condition number{i})" for i in range(6))
    formatted = format_text(f"(<= p (or {words}))")
    assert formatted.splitlines()[1:3] == ["    (or", "        (condition number0)"]
    assert max(map(len, formatted.splitlines())) < 60


def test_wrong_parentheses() -> None:
    with pytest.raises(RuleError, match="closes nothing"):
        format_text("(a))")


def test_the_language_is_told() -> None:
    assert format_rules("(<= a b)", "x.kif") == "(<= a\n    b)\n"
    assert format_rules("#players = a(1)", "x.rbg") == "#players = a(1)\n"


ATOMS = st.sampled_from(["a", "<=", "?x", "or", "not", "longer_name" * 3])
FORMS = st.recursive(
    ATOMS,
    lambda inner: st.lists(
        st.tuples(inner, st.sampled_from([" ", "\n", " ; c\n", "\n; d\n", "\n\n"])).map("".join),
        max_size=5,
    ).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=30,
)


@given(st.lists(FORMS, max_size=5).map("\n".join))
@settings(max_examples=300, deadline=None)
def test_nothing_is_lost_and_a_second_time_changes_nothing(text: str) -> None:
    try:
        formatted = format_text(text)
    except RuleError:
        return
    source = Source("", text)
    without_comments = [token.text for token in tokenize(source, Report(source))]
    again = Source("", formatted)
    assert [token.text for token in tokenize(again, Report(again))] == without_comments
    assert formatted.count(";") == text.count(";")
    assert format_text(formatted) == formatted
