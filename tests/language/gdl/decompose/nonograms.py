"""Nonograms with counters, as text in GDL."""

_PICTURE = (".XXX.", "X....", "X.XXX", "X...X", ".XXX.")
_SIZE = len(_PICTURE)
_LINES = [
    *((f"(row {place})", line) for place, line in enumerate(_PICTURE, 1)),
    *((f"(column {place})", "".join(line)) for place, line in enumerate(zip(*_PICTURE), 1)),
]
_MARKS = "".join(_PICTURE).count("X")
_INDICES = range(1, _SIZE + 1)


def _hints() -> str:
    """How long the runs of marked cells are, in order, and how many there are."""
    found = []
    for name, line in _LINES:
        runs = line.replace(".", " ").split()
        found += [f"(hint {name} {place} {len(run)})" for place, run in enumerate(runs, 1)]
        found.append(f"(hints {name} {len(runs)}) (wanted {name} {line.count('X')})")
    return "\n".join(found)


_RULES = f"""
(role player)
{" ".join(f"(index {place})" for place in _INDICES)}
{" ".join(f"(succ {number} {number + 1})" for number in range(_MARKS + 8))}
(<= (legal player (mark ?x ?y)) (index ?x) (index ?y) (not (true (cell ?x ?y))))
(<= (next (cell ?x ?y)) (does player (mark ?x ?y)))
(<= (next (cell ?x ?y)) (true (cell ?x ?y)))
{_hints()}
(<= (line (row ?y)) (index ?y))
(<= (line (column ?x)) (index ?x))
(<= (marked (row ?y) ?x) (true (cell ?x ?y)))
(<= (marked (column ?x) ?y) (true (cell ?x ?y)))
(<= (read ?line 0 0 0) (line ?line))
(<= (read ?line ?cell ?runs ?longer) (succ ?before ?cell) (read ?line ?before ?runs ?long)
    (marked ?line ?cell) (succ ?long ?longer) (succ ?runs ?this) (hint ?line ?this ?most)
    (at_most ?longer ?most))
(<= (read ?line ?cell ?runs 0) (succ ?before ?cell) (place ?cell) (read ?line ?before ?runs 0)
    (not (marked ?line ?cell)))
(<= (read ?line ?cell ?more 0) (succ ?before ?cell) (place ?cell) (hint ?line ?more ?long)
    (succ ?runs ?more) (read ?line ?before ?runs ?long) (not (marked ?line ?cell)))
(<= (place ?cell) (index ?cell))
(place {_SIZE + 1})
(<= (at_most ?number ?number) (index ?number))
(<= (at_most ?number ?more) (at_most ?number ?less) (succ ?less ?more) (index ?more))
(<= (right ?line) (hints ?line ?runs) (read ?line {_SIZE + 1} ?runs 0))
(<= unfinished (line ?line) (not (right ?line)))
(<= (goal player 100) (not unfinished) counted)
(<= (goal player 0) unfinished)
(<= (goal player 0) (not counted))
"""

COUNTED_MARKS = f"""{_RULES}
(legal player pass)
(init (marks 0))
(<= (next (marks ?more)) (does player (mark ?x ?y)) (true (marks ?number)) (succ ?number ?more))
(<= (next (marks ?number)) (does player pass) (true (marks ?number)))
(init (time 0))
(<= (next (time ?later)) (true (time ?now)) (succ ?now ?later))
(<= counted (true (marks {_MARKS})))
(<= terminal counted)
(<= terminal (true (time {_MARKS + 7})))
"""
"""All marks are counted; as one may pass, what was counted does not follow from the time."""

COUNTED_LINES = f"""{_RULES}
{" ".join(f"(count {number})" for number in range(_SIZE + 1))}
(<= (init (count ?line 0)) (line ?line))
(<= (touched (row ?y)) (does player (mark ?x ?y)))
(<= (touched (column ?x)) (does player (mark ?x ?y)))
(<= (next (count ?line ?more)) (touched ?line) (true (count ?line ?number)) (succ ?number ?more)
    (count ?more))
(<= (next (count ?line ?number)) (not (touched ?line)) (true (count ?line ?number)))
(<= (too_many ?line) (true (count ?line ?number)) (wanted ?line ?wanted) (above ?number ?wanted))
(<= (above ?more ?number) (succ ?number ?more) (count ?more))
(<= (above ?more ?number) (succ ?less ?more) (count ?more) (above ?less ?number))
(<= (full ?line) (true (count ?line ?number)) (wanted ?line ?number))
(<= (open ?line) (line ?line) (not (full ?line)))
(<= counted (not incomplete))
(<= incomplete (open ?line))
(<= terminal (too_many ?line))
(<= terminal (not unfinished))
"""
"""The marks of each line are counted; too many in one of them end the game."""
