"""Schedules: the gates of each section, with loops in their layers."""

from semisplit.language.gdl.network.schedule import goal_blocks, make_schedule
from tests.support.analysed import text
from tests.support.networks import circuit

RULES = """
(role a) (init (at 1)) (edge 1 2) (edge 2 3) (edge 3 1) (legal a go) (legal a cut)
(<= (next (at ?y)) (does a go) (true (at ?x)) (edge ?x ?y) (not (true (cut ?x))))
(<= (next (cut ?x)) (does a cut) (true (at ?x)))
(<= (next (cut ?x)) (true (cut ?x)))
(<= (next (at ?x)) (does a cut) (true (at ?x)))
(<= (way ?x) (true (at ?x)))
(<= (way ?y) (way ?x) (edge ?x ?y) (not (true (cut ?x))))
(<= terminal (not (way 3)))
(<= (goal a 100) (way 3)) (<= (goal a 0) (not (way 3)))
"""
"""A circle of three places, and which of them can be reached, which takes a loop."""


def schedule_text(rules: str) -> str:
    """The blocks of each section: gates, then the variables of a loop and what they become."""
    schedule = make_schedule(circuit(rules))
    lines = []
    for name, blocks in zip(("moves", "next", "goals"), schedule):
        lines.append(f"{name}:")
        for block in blocks:
            gates = " ".join(map(str, block.gates))
            loop = [f"{node} becomes {_literal(literal)}" for node, literal in block.variables]
            lines.append(f"  {gates}" + (f"; repeat: {', '.join(loop)}" if loop else ""))
    return "\n".join(lines)


def _literal(literal: int) -> str:
    return f"{'~' if literal & 1 else ''}{literal >> 1}"


def test_a_loop_is_computed_before_what_depends_on_it() -> None:
    assert schedule_text(RULES) == text("""
        moves:
          12 24 14 25 13 26; repeat: 9 becomes ~24, 10 becomes ~25, 11 becomes ~26
        next:
          20 29 15 31 18 27 16 30 19 28 17 32 21 22 23
        goals:
        """)


def test_goals_alone_need_their_own_cone() -> None:
    blocks = goal_blocks(circuit(RULES))
    assert [len(block.variables) for block in blocks] == [3]
