"""From characters to clauses: what is accepted, and what it becomes."""

import pytest

from semisplit.core.source import Source
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.text.ast import Atom, Clause, Distinct, Term, Variable
from tests.support.gdl import GAME


def read(text: str) -> Description:
    """The description of a small game with more rules."""
    return parse(GAME + text)


def clauses(text: str, head: str) -> list[str]:
    """The clauses for a predicate, written shortly."""
    return [_write(clause) for clause in read(text).clauses if clause.head.name == head]


def _write(clause: Clause) -> str:
    body = [_atom(atom) for atom in clause.positive]
    body += [f"~{_atom(atom)}" for atom in clause.negative]
    body += [f"{_term(one.left)}!={_term(one.right)}" for one in clause.distinct]
    return f"{_atom(clause.head)} <- {' '.join(body)}".strip()


def _atom(atom: Atom) -> str:
    return _term(Term(atom.name, atom.arguments))


def _term(term: Term | Variable) -> str:
    if isinstance(term, Variable):
        return term.name.upper()
    inner = ",".join(map(_term, term.arguments))
    return f"{term.name}({inner})" if inner else term.name


def test_comments_and_any_white_space() -> None:
    text = "(f a);x (\r(f b);y\n\t(f\fc);\v(z\r\n(f(g d));end"
    assert clauses(text, "f") == ["f(a) <-", "f(b) <-", "f(c) <-", "f(g(d)) <-"]


def test_lines_end_with_either_character_or_both() -> None:
    source = Source("x", "ab\rc\r\nd\ne")
    assert [source.line(number) for number in range(1, 5)] == ["ab", "c", "d", "e"]
    assert [source.position(offset) for offset in (0, 3, 6, 8)] == [(1, 1), (2, 1), (3, 1), (4, 1)]


def test_letter_case_is_folded_and_the_first_spelling_kept() -> None:
    description = read("(Pawn A1) (<= (PAWN ?x) (pawn ?X) (Not (TRUE (pawn ?x))))")
    assert description.spelling["pawn"] == "Pawn"
    assert description.spelling["a1"] == "A1"
    assert clauses("(Pawn A1) (<= (PAWN ?x) (pawn ?X) (Not (TRUE ?x)))", "pawn") == [
        "pawn(a1) <-",
        "pawn(X) <- pawn(X) ~true(X)",
    ]


def test_needless_parentheses_and_empty_bodies() -> None:
    assert clauses("(<= (f (a)))", "f") == ["f(a) <-"]


def test_negation_is_pushed_inwards() -> None:
    domain = "(d a) (d b) (p a) (q b) "
    assert clauses(domain + "(<= (h ?x) (d ?x) (not (or (p ?x) (not (q ?x)))))", "h") == [
        "h(X) <- d(X) q(X) ~p(X)"
    ]
    assert clauses(domain + "(<= (h ?x) (d ?x) (not (and (p ?x) (distinct ?x a))))", "h") == [
        "h(X) <- d(X) ~p(X)",
        "h(a) <- d(a)",
    ]


def test_what_is_not_distinct_is_the_same() -> None:
    domain = "(d a) (d (f a b)) "
    assert clauses(domain + "(<= (h ?x ?y) (d ?x) (d (f ?y b)) (not (distinct ?x ?y)))", "h") in (
        ["h(X,X) <- d(X) d(f(X,b))"],
        ["h(Y,Y) <- d(Y) d(f(Y,b))"],
    )
    assert not clauses(domain + "(<= (h ?x) (d ?x) (not (distinct ?x (f ?x))))", "h")
    assert not clauses(domain + "(<= h (d a) (not (distinct a b)))", "h")


def test_alternatives_become_clauses() -> None:
    facts = "(p a) (q a) (r a) "
    assert clauses(facts + "(<= (h ?x) (or (p ?x) (and (q ?x) (or (r ?x) (p ?x)))))", "h") == [
        "h(X) <- p(X)",
        "h(X) <- q(X) r(X)",
        "h(X) <- q(X) p(X)",
    ]
    assert not clauses("(<= (h a) (or))", "h")


def test_many_alternatives_become_predicates() -> None:
    choice = "(or (p ?x) (q ?x) (distinct ?x ?y))"
    text = f"(p a) (q a) (<= (h ?x) (p ?x) (q ?y) {choice * 5})"
    description = read(text)
    assert len([clause for clause in description.clauses if " " in clause.head.name]) >= 3
    assert len(description.clauses) < 150


@pytest.mark.parametrize("count", [2, 5])
def test_predicates_of_different_arities_are_different(count: int) -> None:
    names = {clause.head.name for clause in read(f"(p a) (p {'a ' * count})").clauses}
    assert names >= {"p", f"p {count}"}


def test_places_are_known() -> None:
    description = parse("(role a)\n(<= (legal a b)\n    (true c)) (goal a 0) terminal")
    rule = description.rules[1]
    (atom,) = rule.body
    assert isinstance(atom, Atom)
    assert str(rule.span) == "<string>:2:1"
    assert str(atom.span) == "<string>:3:5"


def test_distinct_is_kept() -> None:
    clause = read("(d a) (<= (h ?x) (d ?x) (distinct ?x b))").clauses[-1]
    assert clause.distinct == (Distinct(Variable("x"), Term("b")),)
