"""Small descriptions in GDL, shared by tests."""

from semisplit.language.gdl.play.interpret import Interpreter, Position

GAME = (
    "(role you) (init s) (legal you go) (<= (next s) (true s)) (goal you 50)"
    " (<= terminal (true t)) "
)
"""The smallest game, on one line, to which rules can be added."""

TIC_TAC_TOE = """
(role x) (role o)
(n 1) (n 2) (n 3)
(other x o) (other o x)
(init (control x))
(<= (init (cell ?i ?j b)) (n ?i) (n ?j))
(<= (legal ?p (mark ?i ?j)) (true (control ?p)) (true (cell ?i ?j b)))
(<= (legal ?p noop) (true (control ?q)) (other ?p ?q))
(<= (next (cell ?i ?j ?p)) (does ?p (mark ?i ?j)))
(<= (next (cell ?i ?j ?s)) (true (cell ?i ?j ?s)) (distinct ?s b))
(<= (next (cell ?i ?j b)) (true (cell ?i ?j b)) (does ?p (mark ?k ?l))
    (or (distinct ?i ?k) (distinct ?j ?l)))
(<= (next (control ?p)) (true (control ?q)) (other ?p ?q))
(<= (line ?s) (true (cell ?i 1 ?s)) (true (cell ?i 2 ?s)) (true (cell ?i 3 ?s)) (distinct ?s b))
(<= (line ?s) (true (cell 1 ?j ?s)) (true (cell 2 ?j ?s)) (true (cell 3 ?j ?s)) (distinct ?s b))
(<= (line ?s) (true (cell 1 1 ?s)) (true (cell 2 2 ?s)) (true (cell 3 3 ?s)) (distinct ?s b))
(<= (line ?s) (true (cell 1 3 ?s)) (true (cell 2 2 ?s)) (true (cell 3 1 ?s)) (distinct ?s b))
(<= won (line ?s))
(<= open (true (cell ?i ?j b)))
(<= terminal won)
(<= terminal (not open))
(<= (goal ?p 100) (line ?p))
(<= (goal ?p 0) (line ?q) (other ?p ?q))
(<= (goal ?p 50) (role ?p) (not won))
"""


def perft(game: Interpreter, position: Position, depth: int) -> int:
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    return sum(perft(game, after, depth - 1) for _, after in game.moves(position))
