"""Texts that try to take long: for the tests of limits and for measuring."""

from tests.support.prelude import PRELUDE

CHAIN = "".join(f"#m{i} = m{i - 1}\n" for i in range(1, 300))
DOUBLING = "".join(f"#m{i} = m{i - 1} m{i - 1}\n" for i in range(1, 60))

LIMITS = [
    ("text", "/" * 300_000, "the text has 300000 characters, more than 262144"),
    ("expansion", f"{PRELUDE}#m0 = up\n{DOUBLING}#rules = m59", "expand to more than 200000"),
    ("empty expansion", f"{PRELUDE}#m0 =\n{DOUBLING}#rules = m59", "expand to more than 200000"),
    (
        "doubled arguments",
        f"{PRELUDE}#d(a) = a a\n#rules = {'d(' * 40}up{')' * 40}",
        "expand to more than 200000",
    ),
    (
        "doubled names",
        f"{PRELUDE}#d(a) = a~a\n#rules = {'d(' * 40}up{')' * 40}",
        "expand to more than 200000",
    ),
    (
        "macro depth",
        f"{PRELUDE}#m0 = up\n{CHAIN}#rules = m299",
        "more than 100 macro calls inside each other",
    ),
    (
        "argument depth",
        f"{PRELUDE}#d(a) = a\n#rules = {'d(' * 5000}up{')' * 5000}",
        "more than 100 macro calls inside each other",
    ),
    ("nesting", f"{PRELUDE}#rules = {'(' * 5000}up{')' * 5000}", "more than 100 brackets"),
    (
        "arithmetic nesting",
        f"{PRELUDE}#rules = [$ t={'(' * 5000}1{')' * 5000}]",
        "more than 100 brackets",
    ),
    ("pattern nesting", f"{PRELUDE}#rules = {'{!' * 5000}up{'}' * 5000}", "more than 100 brackets"),
    (
        "actions",
        f"{PRELUDE}#rules = (((up^1000)^1000)^1000)^2147483647",
        "the rules have more than 100000 actions",
    ),
    (
        "board",
        "#players = w(1) #pieces = e #variables = #r = [e" + ",e" * 199 + "]\n#board = "
        f"rectangle(up,down,left,right,{'r ' * 100})\n#rules = up",
        "the board has 20000 vertices, more than 10000",
    ),
    ("operators", f"{PRELUDE}#rules = [$ t=0{'+0' * 50_000}]", "more than 200 operators"),
    ("number", f"{PRELUDE}#rules = [$ t={'9' * 10_000}]", "number 99999999999999999999... is too"),
    ("name", f"{PRELUDE}#rules = {'y' * 100_000}", "name yyyyyyyyyyyyyyyyyyyy... is too long"),
    (
        "pasted name",
        f"{PRELUDE}#m(a) = a{'~a' * 300}\n#rules = m(up)",
        "name upupupupupupupupupup... is too long",
    ),
    ("pasted number", f"{PRELUDE}#m(a) = a~a~a\n#rules = up^m(99999)", "is too large"),
]
"""What is limited, a text beyond the limit, and the message."""

LARGE = [
    f"{PRELUDE}#m(a) = a{'~a' * 60_000}\n#rules = m(u p)",
    f"{PRELUDE}#rules = {'(up + down) ' * 20_000}",
    f"{PRELUDE}#rules = {'+' * 100_000}",
    f"{PRELUDE}#rules = {'(' * 99}{'up + ' * 40_000}",
    PRELUDE + "#" * 200_000,
    PRELUDE + "#a=" * 60_000,
    f"#players = {'w(1),' * 50_000}",
    f"#pieces = {','.join(f'p{i}' for i in range(30_000))}",
    f"#board = rectangle({'[' * 200_000}",
]
"""Texts within the limits of size and expansion, but large in some other way."""


def _game(
    rules: str,
    board: str = "rectangle(up,down,left,right,[e,x,o][e,e,e][e,e,e])",
    pieces: str = "e, x, o",
    variables: str = "t(1000)",
    macros: str = "",
) -> str:
    return (
        f"#players = w(100), b(100)\n#pieces = {pieces}\n#variables = {variables}\n"
        f"#board = {board}\n#any = (up* + down*)(left* + right*)\n{macros}#rules = {rules}\n"
    )


def _board(width: int, height: int, piece: str = "e") -> str:
    row = f"[{','.join([piece] * width)}]"
    return f"rectangle(up,down,left,right,{row * height})"


def _turns(move: str) -> str:
    """A game of two players who make the same moves."""
    return f"(->w {move} ->b {move})*"


_PLACE = _turns("any {e} [x]")
_DIRECTIONS = ("up", "down", "left", "right", "up left", "up right", "down left", "down right")
_SLIDES = " + ".join(f"({d} {{e}})({d} {{e}})*" for d in _DIRECTIONS)
_QUEENS = _turns(f"any {{x}} [e] ({_SLIDES}) [x]")
_LINE = " + ".join(f"{d} {{x}} {d} {{x}} {d} {{x}} {d} {{x}}" for d in _DIRECTIONS[::2])
_LINES = f"(->w any {{e}} [x] ->> ({{! any {{x}} ({_LINE})}} ->b + {{? any {{x}} ({_LINE})}} ->w))*"
_STEP = "(up + down + left + right)"
_GRAPH = " ".join(
    f"v{i}[e]{{{', '.join(f'd{k}:v{(i * 7 + k * k * 31) % 400}' for k in range(12))}}}"
    for i in range(400)
)

NASTY = {
    "board of 10x1000": _game(_PLACE, _board(10, 1000)),
    "board of 1x10000": _game(_turns("(left* + right*) {e} [x]"), _board(10000, 1)),
    "board of 100x100": _game(_PLACE, _board(100, 100)),
    "walks on 100x100": _game(_turns(f"any {{x}} [e] {_STEP}* {{e}} [x]"), _board(100, 100, "x")),
    "steps on 60x60": _game(_turns(f"any {{x}} [e] {_STEP} {{e}} [x]"), _board(60, 60, "x")),
    "lines on 70x70": _game(_LINES, _board(70, 70)),
    "queens on 40x40": _game(_QUEENS, _board(40, 40).replace("[e", "[x")),
    "queens on 12x12": _game(_QUEENS, _board(12, 12).replace("[e", "[x")),
    "graph of 400 vertices": _game(
        _turns(f"({' + '.join(f'd{k}' for k in range(12))})* {{e}} [x]"), _GRAPH
    ),
    "300 pieces": _game(
        _turns("any (" + " + ".join(f"{{p{i}}} [p{(i + 1) % 300}]" for i in range(300)) + ")"),
        _board(8, 8, "p0"),
        ", ".join(f"p{i}" for i in range(300)),
    ),
    "2,000 pieces": _game(
        _turns("any {p0} (" + " + ".join(f"[p{i}]" for i in range(1, 2000)) + ")"),
        _board(8, 8, "p0"),
        ", ".join(f"p{i}" for i in range(2000)),
    ),
    "2,000 pieces on 40x40": _game(
        _turns("any {p0} (" + " + ".join(f"[p{i}]" for i in range(1, 2000)) + ")"),
        _board(40, 40, "p0"),
        ", ".join(f"p{i}" for i in range(2000)),
    ),
    "300 variables": _game(
        _turns(
            "any {e} (" + " + ".join(f"[$ t{i}=t{(i + 1) % 300}+1]" for i in range(300)) + ") [x]"
        ),
        variables=", ".join(f"t{i}(1000)" for i in range(300)),
    ),
    "variables in a row": _game(
        _turns("any {e} " + " ".join(f"[$ t{i}=t{i}+1]" for i in range(300)) + " [x]"),
        variables=", ".join(f"t{i}(1000)" for i in range(300)),
    ),
    "piece with a long name": _game("->w any {e} [x] ->b", pieces=f"e, x, o, {'y' * 100_000}"),
    "pieces with names of 60 letters": _game(
        _turns("any {e} [x]"), pieces="e, x, o, " + ", ".join(f"{'p' * 55}{i}" for i in range(3000))
    ),
    "10^6 moves": _game(_turns("(any {e} [x])^3"), _board(10, 10)),
    "10^9 moves": _game(_turns("(any {e} [x])^6"), _board(6, 6)),
    "10^30 moves": _game(_turns("(any ([x] + [o] + [e]))^20"), _board(6, 6)),
    "many ways to the same square": _game(_turns(f"any {{e}} [x] ({_STEP} [x])^12"), _board(8, 8)),
    "10^9 moves that fail": _game(_turns("(any {e} [x])^6 {o}"), _board(6, 6)),
    "keeper who searches": _game(
        "(->w any {e} [x] ->> (any ([x] + [o] + [e]))^12 {$ t==1} ->b)*", _board(6, 6)
    ),
    "keeper with many moves": _game("(->> any ([x] + [o]))* ->w", _board(8, 8)),
    "keeper without an end": _game("(->> [x])* ->w"),
    "pattern that searches": _game(
        _turns("any {e} {? (any ([x] + [o]))^8 {$ t==1}} [x]"), _board(6, 6)
    ),
    "long move": _game(_turns("([x])^4990")),
    "long move on 40x40": _game(_turns("([x] + [o])^4000 any"), _board(40, 40)),
    "endless move": _game(_turns("([x] up [o] down)*")),
    "chain of dots": _game(_turns("(. up + . down)^800 [x]"), _board(10, 10)),
    "chain of single dots": _game(_turns("(. up . down)^3000 [x]"), _board(10, 10)),
    "chain of optional actions": _game(_turns("(up + {e})^2000 [x]"), _board(10, 10)),
    "chain of optional modifiers": _game(_turns("([x] + {e})^500"), _board(10, 10)),
    "chain of optional assignments": _game(_turns("([$ t=t+1] + {e})^500 [x]"), _board(10, 10)),
    "chain of patterns": _game(_turns("({? up} + {! down})^2000 [x]"), _board(10, 10)),
    "patterns inside each other": _game(
        _turns(f"any {{e}} {'{? any {! up ' * 24}{{e}}{'}}' * 24} [x]"), _board(10, 10)
    ),
    "stars inside each other": _game(
        _turns(f"{'(up ' * 40}{{e}}{' + down)*' * 40} [x]"), _board(10, 10)
    ),
    "many stars": _game(_turns("(any {e})^900 [x]"), _board(10, 10)),
    "many modifiers": _game(
        _turns("(" + " + ".join("up [x] down [o]" for _ in range(5000)) + ")"), _board(10, 10)
    ),
    "many players": "#players = "
    + ", ".join(f"p{i}(100)" for i in range(1000))
    + "\n#pieces = e, x\n#variables =\n#board = "
    + _board(8, 8)
    + "\n#rules = "
    + " ".join(f"->p{i} [x] [e]" for i in range(1000))
    + "\n",
    "long arithmetic": _game(
        _turns(f"any {{e}} ([$ t=t{'+t*1' * 90}] {{$ t{'+x' * 150} < 9}} [x])^20")
    ),
}
"""Valid descriptions that take long, or much memory, in some stage behind the parser."""
