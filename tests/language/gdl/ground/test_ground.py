"""Grounding: which fluents and moves there are, and when it is given up."""

import numpy as np
import pytest

from semisplit.core.errors import CompileError, CompileLimit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground import clingo
from semisplit.language.gdl.ground.clingo import Limits
from semisplit.language.gdl.ground.program import FALSE, TRUE, ground
from semisplit.language.gdl.text.ast import Term
from tests.support.commands import run
from tests.support.hostile_gdl import ENDLESS

LAMP = """
(role a) (role b) (base (lamp on)) (input a push)
(init (lamp off)) (init (step 1)) (succ 1 2)
(<= (next (lamp on)) (does a push) (not (true (lamp broken))))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(legal a push) (<= (legal a wait) (true (lamp on)))
(legal b noop) (legal stranger noop)
(<= terminal (true (step 2)) (true (lamp on)))
(goal a 100) (<= (goal b 0) (not (true (lamp off)))) (<= (goal b 30) (true (lamp off)))
"""


def test_fluents_are_what_may_be_true() -> None:
    program = ground(parse(LAMP, "lamp"))
    one, two, on, off = (Term(name) for name in ("1", "2", "on", "off"))
    # What only ever occurs negated is none.
    assert program.fluents == (
        *(Term("lamp", (value,)) for value in (off, on)),
        *(Term("step", (value,)) for value in (one, two)),
    )
    assert program.initial.tolist() == [True, False, True, False]


def test_moves_are_those_of_roles_and_may_always_be_legal() -> None:
    program = ground(parse(LAMP, "lamp"))
    assert program.moves == ((0, Term("push")), (0, Term("wait")), (1, Term("noop")))
    assert program.legal[0] == program.legal[2] == TRUE
    assert program.legal[1] > TRUE


def test_goals_come_with_the_highest_value_first() -> None:
    program = ground(parse(LAMP, "lamp"))
    assert [(role, value) for role, value, _ in program.goals] == [(0, 100), (1, 30), (1, 0)]
    assert program.goals[0][2] == TRUE


def test_a_fluent_that_is_never_next_again_has_no_literal_for_it() -> None:
    program = ground(parse(LAMP, "lamp"))
    assert program.next[program.fluents.index(Term("lamp", (Term("off"),)))] == FALSE
    assert program.next[program.fluents.index(Term("step", (Term("1"),)))] == FALSE


def test_every_ground_rule_that_is_open_tells_its_clause() -> None:
    program = ground(parse(LAMP, "lamp"))
    origins = program.rules.origins[program.rules.origins >= 0]
    heads = {program.clauses[origin].head.name for origin in origins}
    assert heads == {"next", "legal", "terminal", "goal"}
    assert len(origins) == np.count_nonzero(np.diff(program.rules.starts))


HUGE = """
(role a) (init (f 0)) (goal a 0) (<= terminal (true (f 1)))
(<= (legal a go) (true (f ?x)))
(<= (next (f ?y)) (true (f ?x)) (digit ?y))
(<= (many ?v ?w ?x ?y ?z)
    (true (f ?v)) (true (f ?w)) (true (f ?x)) (true (f ?y)) (true (f ?z)))
(<= (goal a 100) (many ?v ?w ?x ?y ?z))
""" + "".join(f"(digit {number})" for number in range(30))


def test_the_rule_that_explodes_is_named() -> None:
    with pytest.raises(CompileLimit) as error:
        ground(parse(HUGE, "huge"), Limits(bytes=1 << 29))
    assert str(error.value) == (
        "the rules of huge without variables take more than 0.5 GB of memory;"
        " it was exceeded by a rule for 'many' in line 5"
    )


def test_clingo_may_be_too_slow_to_find_fluents_and_moves() -> None:
    rules = HUGE.replace("(goal a 100)", "(next (f 1))")
    with pytest.raises(CompileLimit, match="the fluents and moves of huge takes more than 1 s of"):
        ground(parse(rules, "huge"), Limits(seconds=1))


def test_memory_is_limited() -> None:
    with pytest.raises(CompileLimit, match=r"take more than 0\.0322 GB of memory"):
        ground(parse(HUGE, "huge"), Limits(bytes=33 << 20))


def test_without_clingo_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if its input does not fit into what the system keeps for it."""
    monkeypatch.setattr(clingo, "_CHILD", "import no_such_module")
    facts = "".join(f"(fact {number} is-a-fact)" for number in range(8_000))
    text = LAMP.replace("(legal b noop)", "(<= (legal b noop) (fact ?x is-a-fact))") + facts
    with pytest.raises(CompileError, match="No module named 'no_such_module'"):
        ground(parse(text, "long"))


def test_it_takes_no_more_than_what_is_left_of_the_work() -> None:
    end = run(("moves", "FILE"), ENDLESS["growing terms"], None, "--time-limit", "2")
    assert end.fault is None, end.said
    # On a slow machine what grounding leaves of the time ends in the next stage.
    assert "more than 2 s of processor time" in end.said


def test_the_time_of_the_other_process_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []
    monkeypatch.setattr(clingo, "charge", seconds.append)
    ground(parse(LAMP, "lamp"))
    assert len(seconds) == 1
    assert seconds[0] > 0
