"""The same game in other words has the same sub-games."""

import re
from random import Random

import pytest

from semisplit import games
from semisplit.core.report import Report
from semisplit.core.source import Source, Span
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.expressions import Expression, Group, read_expressions
from semisplit.language.gdl.text.lexer import tokenize
from semisplit.language.gdl.text.notation import write_term
from tests.language.gdl.decompose import tiny

_KEPT = {"<=", "role", "init", "true", "next", "legal", "does", "terminal", "goal"} | {
    "not",
    "or",
    "distinct",
}


def _forms(text: str) -> list[Expression]:
    report: Report[Span] = Report(Source("game", text))
    return read_expressions(tokenize(report.source, report), report)


def _write(form: Expression) -> str:
    return f"({' '.join(map(_write, form.items))})" if isinstance(form, Group) else form.text


def _shuffled(form: Expression, random: Random) -> str:
    """A rule with its conditions in another order."""
    if not isinstance(form, Group) or _write(form.items[0]) != "<=":
        return _write(form)
    arrow, head, *body = map(_write, form.items)
    random.shuffle(body)
    return f"({' '.join([arrow, head, *body])})"


def _vary(text: str, random: Random) -> tuple[str, dict[str, str]]:
    """Other names, and all in another order; what the new names were."""
    forms = _forms(text)
    roles = [_write(form) for form in forms if _write(form).startswith("(role ")]
    rest = [_shuffled(form, random) for form in forms if _write(form) not in roles]
    random.shuffle(rest)
    # Large numbers may be goals, and 0 is.
    names = {name for name in re.findall(r"[^\s()]+", " ".join([*roles, *rest]))}
    old = sorted(name for name in names - _KEPT if not re.fullmatch(r"\?.*|-?\d\d+|0", name))
    new = [f"{random.choice('abcxyz')}{number}" for number in range(len(old))]
    random.shuffle(new)
    renamed = dict(zip(old, new))
    varied = re.sub(r"[^\s()]+", lambda m: renamed.get(m[0], m[0]), " ".join([*roles, *rest]))
    return varied, {value: key for key, value in renamed.items()}


@pytest.mark.parametrize(
    "name",
    [
        "incredible",
        "lights_on_parallel",
        "nonogram_g",
        "nonogram_cube",
        "double_ttt_choice",
        "nim",
        "tic_tac_toe_gdl",
        "SERIES",
        "PAIRS",
        "COUPLED_COUNTERS",
        "TWO_BOARDS",
    ],
)
def test_names_and_order_make_no_difference(name: str) -> None:
    text = getattr(tiny, name) if hasattr(tiny, name) else games.text(name)
    varied, names = _vary(text, Random(1))
    original, variant = decompose(parse(text)), decompose(parse(varied))

    def old(text: str) -> str:
        return re.sub(r"[^\s()]+", lambda m: names.get(m[0], m[0]), text)

    assert {frozenset(map(write_term, fluents)) for fluents in original.subgames} == {
        frozenset(old(write_term(fluent)) for fluent in fluents) for fluents in variant.subgames
    }
    assert set(map(write_term, original.control)) == {old(write_term(f)) for f in variant.control}
    assert {(step.role, write_term(step.move)) for step in original.useless} == {
        (step.role, old(write_term(step.move))) for step in variant.useless
    }
    assert original.kind == variant.kind


@pytest.mark.parametrize("name", ["nonogram_g", "nonogram_tetris"])
def test_it_does_not_matter_which_argument_says_the_row(name: str) -> None:
    cell = "(cell ?x ?y marked)"
    text = games.text(name)
    assert cell in text
    turned = text.replace(cell, "(cell ?y ?x marked)")
    lines, others = (decompose(parse(game)).subgames for game in (text, turned))
    assert set(lines) == {
        frozenset(Term(cell.name, (y, x, mark)) for cell in line for x, y, mark in [cell.arguments])
        for line in others
    }
