"""From rules to a circuit: the text after each pass."""

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.network.circuit import reductions
from tests.support.analysed import text
from tests.support.networks import circuit

RULES = """
(role a) (init (on 1)) (line 1 2) (line 2 3) (legal a go) (legal a stay)
(<= (next (on ?y)) (does a go) (true (on ?x)) (line ?x ?y))
(<= (next (on ?x)) (does a stay) (true (on ?x)))
(<= terminal (true (on 3)))
(<= (goal a 100) (true (on 3)))
(<= (goal a 0) (not (true (on 3))))
"""
"""A piece on a line of three places, which goes on or stays. It is in one place only, but the rules
do not say so."""


def stage(name: str) -> str:
    """What there is after a pass; after the last one of that name."""
    found = {each: reached for each, reached in reductions(ground(parse(RULES, "line")))}
    return "\n".join(line.rstrip() for line in str(found[name]).splitlines())


def test_the_rules() -> None:
    assert stage("rules") == text("""
        1 <-
        2 <-
        3 <-
        4 <-
        5 <-
        6 <-
        17 <- 14 15
        18 <- 14 16
        20 <- 15 19
        17 <- 16 19
        20 <- 16 21
        22 <- ~21
        23 <- 21
        24 <- 21
        out ~0 ~0 24 18 17 20 23 22
        """)


def test_what_remains_of_them() -> None:
    assert stage("reach") == text("""
        17 <- 14 15
        18 <- 14 16
        20 <- 15 19
        17 <- 16 19
        20 <- 16 21
        out ~0 ~0 21 18 17 20 21 ~21
        """)


def test_their_gates() -> None:
    assert stage("halve") == text("""
        6 = 1 4
        7 = 1 5
        8 = 2 4
        9 = 2 5
        10 = 3 5
        11 = ~6 ~9
        12 = ~8 ~10
        out ~0 ~0 3 7 ~11 ~12 3 ~3
        """)


def test_what_outputs_mean() -> None:
    game = circuit(RULES)
    assert [game.legal.tolist(), game.terminal, game.next.tolist(), game.goals.tolist()] == [
        [1, 1],
        6,
        [14, 23, 25],
        [6, 7],
    ]
