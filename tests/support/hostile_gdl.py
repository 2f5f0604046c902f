"""Texts in GDL that try to take long: for the tests of limits and for measuring."""

from tests.support.gdl import GAME

_DIGITS = "".join(f"(d {digit}) " for digit in range(10))
_EQUAL = "".join(f"(not (distinct ?x{i + 1} (f ?x{i} ?x{i}))) " for i in range(60))
_BOUND = "".join(f"(d ?x{i}) " for i in range(61))

REFUSED = {
    "text": ("(" * 300_000, "the text has 300000 characters, more than 262144"),
    "nesting": ("(" * 100_000, "parentheses are nested too deeply"),
    "negations": (f"{GAME}(<= p {'(not ' * 5000}a{')' * 5000})", "nested too deeply"),
    "terms": (f"{GAME}(p {'(f ' * 5000}a{')' * 5000})", "nested too deeply"),
    "closing": (")" * 100_000, "closes nothing"),
    "arity": (f"{GAME}(p {'a ' * 50_000})", "'p' has 50000 arguments"),
    "rules": ("(a)" * 60_000, "there are 60000 rules, more than 50000"),
    "body": (f"{GAME}(<= p {'(d a) ' * 30_000})", "too many conditions"),
    "alternatives": (f"{GAME}(<= p (or {'(d a) ' * 30_000}))", "too many conditions"),
    "name": (f"{GAME}({'p' * 100_000} a)", "name pppppppppppppppppppp... is too long"),
    "equal terms": (f"{GAME}{_DIGITS}(<= p {_BOUND}{_EQUAL})", "the rules are too large without"),
    "no variables": (f"{GAME}{'(p ?x) ' * 20_000}", "variable ?x in a fact"),
    "characters": ("\0\x1b[31m(" * 10_000, "nested too deeply"),
}
"""What is limited, a text beyond the limit, and the message."""

_CHAIN = "".join(f"(<= (p{i + 1} ?x) (p{i} ?x)) " for i in range(2_000))
_CYCLE = "".join(f"(<= (p{i + 1} ?x) (p{i} ?x) (d ?x)) " for i in range(2_000))
_OR = "(or (d ?x) (e ?x) (distinct ?x 3)) "

_LONG = "".join(f"(d (f ?x {i})) (d ?x{i}) " for i in range(120))

ACCEPTED = {
    "chain": f"{GAME}(p0 a) {_CHAIN}",
    "cycle": f"{GAME}{_DIGITS}(p0 1) {_CYCLE}(<= (p0 ?x) (p2000 ?x) (d ?x))",
    "many alternatives": f"{GAME}{_DIGITS}(e 1) (<= (p ?x) (d ?x) {_OR * 250})",
    "alternatives in alternatives": (
        f"{GAME}{_DIGITS}(<= p {'(or (d 1) (and (d 2) ' * 20}(d 3){'))' * 20})"
    ),
    "negated alternatives": (
        f"{GAME}{_DIGITS}(<= p {'(not (or (d 1) (and (d 2) ' * 14}(d 3){')))' * 14})"
    ),
    "multiplied alternatives": (
        f"{GAME}{_DIGITS}(e 1) (<= (p ?x) (d ?x) (or (and {_OR * 50}) (and {_OR * 50})))"
    ),
    "long bodies": f"{GAME}{_DIGITS}" + f"(<= (p ?x) (d ?x) {_LONG}) " * 30,
    "comments": GAME + "; (" * 50_000 + "\n" + ";\n" * 50_000,
    "warnings": f"{GAME}{'(<= q (not (not (a!)))) ' * 2_000}",
    "unknown names": f"{GAME}{''.join(f'(<= p{i} q{i}) ' for i in range(4_000))}",
    "facts": f"{GAME}{''.join(f'(fact {i}) ' for i in range(6_000))}",
}
"""Large texts with nothing wrong about them."""

_OPEN = [f"?x{i}" for i in range(9)]
_JOIN = " ".join(f"(d {variable})" for variable in _OPEN)

ENDLESS = {
    "join": f"{GAME}{_DIGITS}(<= (legal you (a ?x0)) {_JOIN}(not (d ?x8)))",
    "many rows": f"{GAME}{_DIGITS}(<= (legal you (a {' '.join(_OPEN)})) {_JOIN})",
    "growing state": (
        "(role you) (init x) (legal you go) (goal you 0) (<= terminal (true y))"
        "(<= (next (f ?x ?x)) (true ?x))"
    ),
    "growing terms": f"{GAME}(p0 a) "
    + "".join(f"(<= (p{i + 1} (f ?x ?x)) (p{i} ?x)) " for i in range(50))
    + "(<= (legal you ?x) (p50 ?x))",
}
"""Descriptions without errors that take too long to play."""

JOINT_MOVES = "".join(f"(role r{number}) " for number in range(60)) + (
    "(<= (legal ?r ?m) (role ?r) (move ?m)) (move a) (move b) (move c)"
    "(goal r0 0) (<= terminal (true t))"
)
"""More joint moves than there are atoms in the sun."""

NASTY = {
    **{f"gdl {name}": text for name, (text, _) in REFUSED.items()},
    **{f"gdl {name}": text for name, text in {**ACCEPTED, **ENDLESS}.items()},
    "gdl joint moves": JOINT_MOVES,
}
"""All of them, for commands."""
