"""Small games that consist of others, or nearly do."""

_COUNTING = "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
_CLOCK = """
(init (time 0)) (<= (next (time ?u)) (true (time ?t)) (tick ?t ?u))
(tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7) (tick 7 8) (tick 8 9)
(<= terminal (true (time 9)))
"""
_COUNTERS = f"""
(role you) (name a) (name b) {_COUNTING} {_CLOCK}
(<= (init (at ?c 0)) (name ?c))
(<= (legal you (up ?c)) (true (at ?c ?n)) (succ ?n ?m))
(<= (legal you (down ?c)) (true (at ?c ?m)) (succ ?n ?m))
(legal you rest)
(<= (moved ?c) (does you (up ?c)))
(<= (moved ?c) (does you (down ?c)))
(<= (next (at ?c ?m)) (does you (up ?c)) (true (at ?c ?n)) (succ ?n ?m))
(<= (next (at ?c ?n)) (does you (down ?c)) (true (at ?c ?m)) (succ ?n ?m))
"""
_GOAL = """
(<= (goal you 100) (true (at a 4)) (true (at b 3)))
(<= (goal you 50) (true (at a 4)) (not (true (at b 3))))
(<= (goal you 50) (true (at b 3)) (not (true (at a 4))))
(<= (goal you 0) (not (true (at a 4))) (not (true (at b 3))))
"""
TWO_COUNTERS = f"{_COUNTERS} {_GOAL} (<= (next (at ?c ?n)) (true (at ?c ?n)) (not (moved ?c)))"
"""Two independent counters, one of which is moved in each step."""

COUPLED_COUNTERS = f"""{_COUNTERS} {_GOAL}
(<= (next (at ?c ?n)) (true (at ?c ?n)) (not (moved ?c)) (not (jammed ?c)))
(<= (jammed b) (true (at a 4)) (true (at b 4)))
(<= (next (at b 0)) (jammed b))
"""
"""The same, but for what happens if both are at 4, which is rare."""

SERIES = """
(role you)
(bit 1) (bit 2) (bit 3) (side left) (side right)
(<= (legal you (set left ?b)) (bit ?b) (not (true (on left ?b))) (not over))
(<= (legal you (clear left ?b)) (true (on left ?b)) (not over))
(<= (legal you (set right ?b)) (bit ?b) (not (true (on right ?b))) over)
(<= (legal you (clear right ?b)) (true (on right ?b)) over)
(<= over (true (on left 1)) (true (on left 2)) (not (true (on left 3))))
(<= (next (on ?s ?b)) (does you (set ?s ?b)))
(<= (next (on ?s ?b)) (true (on ?s ?b)) (not (does you (clear ?s ?b))))
(<= done (true (on right 1)) (not (true (on right 2))) (true (on right 3)))
(<= terminal done)
(<= (goal you 100) done)
(<= (goal you 0) (not done))
"""
"""A combination of three switches opens the way to another one."""

PAIRS = """
(role you) (world 1) (world 2) (next_to 1 2) (next_to 2 3) (next_to 3 1) (way left) (way right)
(<= (init (place ?w 1)) (world ?w))
(<= (legal you (go ?a ?b)) (may 1 ?a) (may 2 ?b))
(<= (may ?w ?m) (world ?w) (way ?m) (not (true (locked ?w))))
(<= (may ?w lock) (world ?w) (not (true (locked ?w))))
(<= (may ?w unlock) (true (locked ?w)))
(<= (does_in 1 ?a) (does you (go ?a ?b)))
(<= (does_in 2 ?b) (does you (go ?a ?b)))
(<= (next (locked ?w)) (does_in ?w lock))
(<= (next (place ?w ?y)) (does_in ?w right) (true (place ?w ?x)) (next_to ?x ?y))
(<= (next (place ?w ?x)) (does_in ?w left) (true (place ?w ?y)) (next_to ?x ?y))
(<= (next (place ?w ?x)) (true (place ?w ?x)) (does_in ?w lock))
(<= (next (place ?w ?x)) (true (place ?w ?x)) (does_in ?w unlock))
(<= (home ?w) (true (locked ?w)) (true (place ?w 3)))
(<= terminal (home 1) (home 2))
(<= (goal you 100) (home 1) (home 2))
(<= (goal you 0) (not (home 1)))
(<= (goal you 0) (not (home 2)))
"""
"""Each move is a pair of moves in two worlds."""

BACK_AND_FORTH = SERIES.replace(
    "(<= (legal you (clear left ?b)) (true (on left ?b)) (not over))",
    "(<= (legal you (clear left ?b)) (true (on left ?b)))",
)
"""The same, but for that one may go back to the first combination."""

TWO_BOARDS = """
(role x) (role o) (other x o) (other o x)
(board l) (board r) (n 1) (n 2) (n 3) (line 1 1 1 2 1 3) (line 2 1 2 2 2 3) (line 3 1 3 2 3 3)
(line 1 1 2 1 3 1) (line 1 2 2 2 3 2) (line 1 3 2 3 3 3) (line 1 1 2 2 3 3) (line 1 3 2 2 3 1)
(init (control x))
(<= (init (cell ?b ?i ?j blank)) (board ?b) (n ?i) (n ?j))
(<= (legal ?p (mark ?b ?i ?j)) (true (control ?p)) (true (cell ?b ?i ?j blank)))
(<= (legal ?p noop) (true (control ?q)) (other ?p ?q))
(<= (next (control ?p)) (true (control ?q)) (other ?p ?q))
(<= (next (cell ?b ?i ?j ?p)) (does ?p (mark ?b ?i ?j)))
(<= (next (cell ?b ?i ?j ?p)) (true (cell ?b ?i ?j ?p)) (distinct ?p blank))
(<= (next (cell ?b ?i ?j blank)) (true (cell ?b ?i ?j blank)) (does ?p (mark ?c ?k ?l))
    (or (distinct ?b ?c) (distinct ?i ?k) (distinct ?j ?l)))
(<= (row ?b ?p) (line ?i ?j ?k ?l ?m ?n) (role ?p)
    (true (cell ?b ?i ?j ?p)) (true (cell ?b ?k ?l ?p)) (true (cell ?b ?m ?n ?p)))
(<= (open ?b) (true (cell ?b ?i ?j blank)))
(<= (ended ?b) (row ?b ?p))
(<= (ended ?b) (board ?b) (not (open ?b)))
(<= terminal (ended l) (ended r))
(<= (goal ?p 100) (row l ?p) (row r ?p))
(<= (goal ?p 50) (row l ?p) (not (row r ?p)))
(<= (goal ?p 50) (row r ?p) (not (row l ?p)))
(<= (goal ?p 0) (role ?p) (not (row r ?p)) (not (row l ?p)))
"""
"""Two boards of tic-tac-toe; marks may be added to those with a row, and both may have one."""

_MARK = "(<= (legal ?p (mark ?b ?i ?j)) (true (control ?p)) (true (cell ?b ?i ?j blank)))"
BOARDS_IN_SERIES = TWO_BOARDS.replace(
    _MARK,
    f"{_MARK[:-1]} (active ?b)) (<= (active l) (not (ended l)))"
    " (<= (active r) (ended l) (not (ended r)))",
)
"""The same, but for that the second board is played when the first one has been."""

_FLAG = "(<= (next over1) (ended l)) (<= (next over1) (true over1))"
BOARDS_WITH_A_FLAG = BOARDS_IN_SERIES.replace(
    "(<= (active r) (ended l) (not (ended r)))",
    f"(<= (active r) (true over1) (not (ended r))) {_FLAG}"
    " (<= (legal ?p pass) (true (control ?p)) (ended l) (not (true over1)))"
    " (<= (next (cell ?b ?i ?j blank)) (true (cell ?b ?i ?j blank)) (does ?p pass))",
).replace(
    "(<= (next (cell ?b ?i ?j ?p)) (does ?p (mark ?b ?i ?j)))",
    "(<= (next (cell l ?i ?j ?p)) (does ?p (mark l ?i ?j)))"
    " (<= (next (cell r ?i ?j ?p)) (does ?p (mark r ?i ?j)) (true over1))",
)
"""What becomes of the second board depends on a flag, by the rules: that the first one is over."""

BOARDS_SET_UP_LATER = BOARDS_WITH_A_FLAG.replace(
    "(<= (init (cell ?b ?i ?j blank)) (board ?b) (n ?i) (n ?j))",
    "(<= (init (cell l ?i ?j blank)) (n ?i) (n ?j))"
    " (<= (next (cell r ?i ?j blank)) (n ?i) (n ?j) (ended l) (not (true over1)))",
).replace(
    "(<= (ended ?b) (board ?b) (not (open ?b)))",
    "(<= (ended l) (not (open l))) (<= (ended r) (true over1) (not (open r)))",
)
"""The second board is set up when the first one is over."""

FLAG_THAT_MATTERS = BOARDS_WITH_A_FLAG + " (<= (next (cell r 1 1 x)) (true over1) (row l o))"
"""Who has lost the first board has a mark on the second one."""

BOARDS_WITH_PHASES = TWO_BOARDS.replace(
    _MARK,
    f"{_MARK[:-1]} (true (phase ?b))) (init (phase l))"
    " (<= (next (phase l)) (true (phase l)) (not (ended l))) (<= (next (phase r)) (ended l))"
    " (<= (next (phase r)) (true (phase r)))",
)
"""The same with a fluent that says which board is being played."""

_SWITCHES = " ".join(f"(switch {number})" for number in range(20))
_ALL = " ".join(f"(true (on {number}))" for number in range(20))
LAMP_BESIDE_SWITCHES = f"""
(role you) {_SWITCHES} (switch lamp) {_CLOCK}
(<= (legal you (press ?s)) (switch ?s))
(<= (next (on ?s)) (does you (press ?s)) (not (true (on ?s))) (not (stuck ?s)))
(<= (next (on ?s)) (true (on ?s)) (not (does you (press ?s))))
(<= (goal you 100) (true (on lamp)))
(<= (goal you 0) (not (true (on lamp))))
"""
"""Twenty switches do nothing; none has to do with another."""

STUCK_LAMP = f"{LAMP_BESIDE_SWITCHES} (<= (stuck lamp) {_ALL})"
"""The same, but for that the lamp is stuck if all are on, which never happens in random play."""

UNLOCKED = """
(role you) (bit 1) (bit 2) (bit 3)
(<= (legal you (press ?b)) (bit ?b))
(<= (legal you turn) (true (on 1)) (true (on 2)) (true (on 3)) (not (true key)))
(<= (legal you (write ?b)) (bit ?b) (true key) (not (true (letter ?b))))
(<= (next (on ?b)) (does you (press ?b)) (not (true (on ?b))))
(<= (next (on ?b)) (true (on ?b)) (not (does you (press ?b))))
(<= (next key) (does you turn))
(<= (next key) (true key))
(<= (next (letter ?b)) (does you (write ?b)))
(<= (next (letter ?b)) (true (letter ?b)))
(<= done (true (letter 1)) (true (letter 2)) (true (letter 3)))
(<= terminal done)
(<= (goal you 100) done)
(<= (goal you 0) (not done))
"""
"""Switches give a key that opens the way to letters; but they can be pressed any time."""
