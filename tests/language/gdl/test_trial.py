"""Random play finds what is wrong with a game."""

import pytest

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.trial import try_out
from tests.support.gdl import TIC_TAC_TOE

COUNT = (
    "(role you) (init (at 0)) (next_of 0 1) (next_of 1 2) (next_of 2 3)"
    "(<= (next (at ?y)) (true (at ?x)) (next_of ?x ?y)) (<= terminal (true (at 3)))"
)

FAULTS = [
    (
        f"{COUNT}(<= (legal you go) (not (true (at 2)))) (goal you 1)",
        "you has no legal move, after go, go",
    ),
    (
        f"{COUNT}(legal you go) (<= (goal you 1) (true (at 2)))",
        "you gets no goal in the end, after go, go, go",
    ),
    (
        f"{COUNT}(legal you go) (goal you 1) (goal you 2)",
        "you gets 1 and 2 in the end, after go, go, go",
    ),
    (
        f"{COUNT}(legal you go) (goal you 1) (base (at 0)) (base (at 1)) (base (at 3))",
        "fluent (at 2) is not among those of 'base', after go, go",
    ),
    (
        f"{COUNT}(legal you go) (goal you 1) (input you stop)",
        "move go of you is not among those of 'input', at the start",
    ),
    (
        "(role you) (legal you go) (goal you 1) (<= terminal (true x))",
        "a game has not ended after 10,000 steps",
    ),
    (
        "(role you) (legal you go) (goal you 1) (init x) (<= (next (f ?x)) (true ?x))"
        "(<= terminal (true y))",
        "the rules make larger and larger terms, without an end, after 100 moves",
    ),
]


@pytest.mark.parametrize(("text", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_faults(text: str, fault: str) -> None:
    assert try_out(GdlRules(parse(text)), seconds=60, games=1).faults == [fault]


def test_a_game_without_faults() -> None:
    trial = try_out(GdlRules(parse(TIC_TAC_TOE)), seconds=60, games=5)
    assert not trial.faults
    assert trial.games == 5
    assert 25 <= trial.steps <= 45
