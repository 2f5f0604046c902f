"""Texts that try to take long: for the tests of limits and for measuring."""

from tests.prelude import PRELUDE

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
