"""Games in GDL in which several players decide at once, shared by tests."""

from collections.abc import Mapping

Payoffs = Mapping[tuple[str, str], tuple[int, int]]
"""What the two players get, by what they choose."""


def matrix_game(payoffs: Payoffs) -> str:
    """A game of one joint move."""
    rows = dict.fromkeys(row for row, _ in payoffs)
    columns = dict.fromkeys(column for _, column in payoffs)
    lines = ["(role row) (role column) (init start)"]
    lines += [f"(<= (legal row {move}) (true start))" for move in rows]
    lines += [f"(<= (legal column {move}) (true start))" for move in columns]
    lines += ["(<= (next (did ?r ?m)) (does ?r ?m))", "(<= terminal (not (true start)))"]
    for (row, column), goals in payoffs.items():
        played = f"(true (did row {row})) (true (did column {column}))"
        for role, goal in zip(("row", "column"), goals):
            lines.append(f"(<= (goal {role} {goal}) {played})")
    return "\n".join(lines)


PENNIES: Payoffs = {
    ("heads", "heads"): (100, 0),
    ("heads", "tails"): (0, 100),
    ("tails", "heads"): (0, 100),
    ("tails", "tails"): (100, 0),
}
"""Matching pennies: both moves equally often."""

DILEMMA: Payoffs = {
    ("silent", "silent"): (60, 60),
    ("silent", "defect"): (0, 100),
    ("defect", "silent"): (100, 0),
    ("defect", "defect"): (20, 20),
}
"""The prisoner's dilemma: whatever the other does, defecting is better."""

WELL: Payoffs = {
    (mine, yours): (50, 50) if mine == yours else ((100, 0) if yours in beaten else (0, 100))
    for mine, beaten in {
        "rock": ("scissors",),
        "paper": ("rock", "well"),
        "scissors": ("paper",),
        "well": ("rock", "scissors"),
    }.items()
    for yours in ("rock", "paper", "scissors", "well")
}
"""Rock, paper, scissors, well: the well does what rock does, and beats it; the others are even."""

ASYMMETRIC: Payoffs = {
    ("up", "left"): (100, 0),
    ("up", "right"): (40, 60),
    ("down", "left"): (20, 80),
    ("down", "right"): (60, 40),
}
"""Up with a chance of 2/5, left with one of 1/5; then row gets 52."""

TURNS = """
(role left) (role right) (role idle)
(init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(thing a) (thing b) (thing c)
(<= (legal left ?t) (thing ?t) (not (true (step 1))))
(<= (legal left wait) (true (step 1)))
(<= (legal right ?t) (thing ?t) (distinct ?t c) (not (true (step 2))))
(<= (legal right wait) (true (step 2)))
(legal idle wait)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (did ?r ?t ?n)) (does ?r ?t) (true (step ?n)))
(<= (next (did ?r ?t ?n)) (true (did ?r ?t ?n)))
(<= terminal (true (step 3)))
(<= (same ?n) (true (did left ?t ?n)) (true (did right ?t ?n)))
(<= bold (true (did left c ?n)))
(<= (goal left 100) (same 0) bold)
(<= (goal left 70) (same 0) (not bold))
(<= (goal left 30) (not (same 0)) (true (did right a 1)))
(<= (goal left 0) (not (same 0)) (not (true (did right a 1))))
(<= (goal right 100) (not (same 0)) (not (true (did right a 1))))
(<= (goal right 50) (not (same 0)) (true (did right a 1)))
(<= (goal right 20) (same 0))
(goal idle 50)
"""
"""Both choose, then right alone, then left alone; somebody waits all the time."""

THREE = """
(role one) (role two) (role three)
(init (step 0)) (succ 0 1) (succ 1 2)
(thing a) (thing b)
(<= (legal ?r ?t) (role ?r) (thing ?t))
(<= (legal three c) (true (step 1)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (did ?r ?t ?n)) (does ?r ?t) (true (step ?n)))
(<= (next (did ?r ?t ?n)) (true (did ?r ?t ?n)))
(<= terminal (true (step 2)))
(<= (same ?r ?s) (true (did ?r ?t 0)) (true (did ?s ?t 1)))
(<= (goal one 100) (same one two))
(<= (goal one 20) (not (same one two)))
(<= (goal two 100) (same two three))
(<= (goal two 0) (not (same two three)))
(<= (goal three 80) (same three one))
(<= (goal three 10) (not (same three one)))
"""
"""Three players choose at once, twice."""

DRAWS = """
(role me) (role random)
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(thing a) (thing b) (thing c)
(<= turn (or (true (step 0)) (true (step 2))))
(<= (legal me ?t) turn (thing ?t))
(<= (legal me wait) (not turn))
(<= (legal random ?t) (not turn) (thing ?t))
(<= (legal random wait) turn)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (did ?r ?t ?n)) (does ?r ?t) (thing ?t) (true (step ?n)))
(<= (next (did ?r ?t ?n)) (true (did ?r ?t ?n)))
(<= terminal (true (step 3)))
(<= (did_all ?x ?y ?z) (true (did me ?x 0)) (true (did random ?y 1)) (true (did me ?z 2)))
(<= (goal me 100) (did_all a ?t ?t))
(<= (goal me 70) (did_all b ?t c) (distinct ?t a))
(<= (goal me 30) (did_all c ?s ?t))
(<= (goal me 10) (not (goal me 100)) (not (goal me 70)) (not (goal me 30)))
(<= (goal random 100) (true (did random c ?n)))
(<= (goal random 0) (not (goal random 100)))
"""
"""One player chooses, then chance draws, then the player chooses again; chance has a goal."""

BETS = """
(role me) (role random) (init start)
(thing a) (thing b) (thing c)
(<= (legal ?r ?t) (role ?r) (thing ?t) (true start))
(<= (legal random wait) (not (true start)))
(<= (legal me left) (not (true start)))
(<= (legal me right) (not (true start)))
(<= (next (did ?r ?t)) (does ?r ?t))
(<= (next (did ?r ?t)) (true (did ?r ?t)))
(<= terminal (true (did me left)))
(<= terminal (true (did me right)))
(<= same (true (did me ?t)) (true (did random ?t)))
(<= (goal me 90) same (true (did me left)))
(<= (goal me 20) same (true (did me right)))
(<= (goal me 40) (not same) (true (did me right)))
(<= (goal me 0) (not same) (true (did me left)))
(<= (goal random 100) (true (did random c)))
(<= (goal random 0) (not (true (did random c))))
"""
"""A player bets on what chance draws at the same time, and then chooses once more."""
