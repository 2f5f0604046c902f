"""What is said of macros that are used wrongly, and of names that clash: one error each."""

import pytest

from semisplit.core.errors import RuleError
from semisplit.language.rbg.check.description import parse
from tests.support.prelude import PRELUDE

Said = tuple[str, int, int, str | None]


def errors(text: str) -> list[Said]:
    """Message, line, column and hint of each error."""
    with pytest.raises(RuleError) as caught:
        parse(text)
    return [(error.message, *error.position, error.hint) for error in caught.value.diagnostics]


def later(name: str, line: int) -> str:
    return f"macro '{name}' is defined later, in line {line}; move it up"


@pytest.mark.parametrize(
    ("text", "message", "line", "column", "defined_in"),
    [
        ("#m = later\n#later = up\n#rules = ->w m", "undeclared name 'later'", 5, 6, 6),
        ("#rules = ->w later\n#later = up", "undeclared name 'later'", 5, 14, 6),
        ("#rules = ->w later(up;x) {x}\n#later(a;b) = a", "undeclared name 'later'", 5, 14, 6),
        ("#rules = ->w {later(x;o)}\n#later(a;b) = a", "undeclared name 'later'", 5, 15, 6),
        ("#rules = {$ t later 3}\n#later = ==", "expected a comparison, found 'later'", 5, 15, 6),
        ("#rules = later(up;x) later\n#later(a;b) = a", "undeclared name 'later'", 5, 10, 6),
    ],
)
def test_a_macro_used_too_early(
    text: str, message: str, line: int, column: int, defined_in: int
) -> None:
    assert errors(PRELUDE + text) == [(message, line, column, later("later", defined_in))]


@pytest.mark.parametrize(
    ("section", "message", "line", "column"),
    [
        ("#players = w(later)", "player 'w' needs an upper bound", 1, 12),
        ("#board = later", "expected '[' with the piece of the vertex, found the end", 4, 15),
        ("#board = rectangle(later,[e])", "expected the name of a direction, found '['", 4, 26),
        ("#board = rectangle(a,c,d,f,[later,e])", "undeclared piece 'later'", 4, 29),
        ("#board = rectangle(a,c,d,f,[later(e;x),e])", "undeclared piece 'later'", 4, 29),
        ("#board = rectangle(a,c,d,f,later)", "expected '[' at the start of a row", 4, 28),
    ],
)
def test_a_macro_used_too_early_in_a_declaration(
    section: str, message: str, line: int, column: int
) -> None:
    sections = PRELUDE.splitlines()
    sections[line - 1] = section
    ((said, *place, hint),) = errors("\n".join([*sections, "#rules = ->w foo", "#later = e"]))
    assert said.startswith(message)
    assert (*place, hint) == (line, column, later("later", 6))


def test_names_that_only_look_like_macros() -> None:
    """No name is proposed in place of itself."""
    (said,) = errors(f"{PRELUDE}#loop = up loop\n#rules = loop")
    assert said[0] == "undeclared name 'loop'"
    assert said[3] == "a macro cannot use itself"
    (said,) = errors(f"{PRELUDE}#ab = up\n#m = a~b\n#rules = m ab")
    assert said[3] == "names that '~' has joined are not looked up as macros"
    (said,) = errors(f"{PRELUDE}#m(who) = ->who\n#rules = m(w) who")
    assert said[0] == "undeclared name 'who'"
    assert said[3] != "did you mean 'who'?"


@pytest.mark.parametrize(
    ("rules", "column"),
    [
        ("->w turn(up;down) ->>", 14),
        ("->w {turn(e)} ->>", 15),
        ("->w {$ t turn 3} ->>", 19),
        ("->turn(w) ->>", 12),
        ("->w many many ->>", 21),
    ],
)
def test_a_wrong_number_of_arguments(rules: str, column: int) -> None:
    """What follows from it is not reported: that would propose the very same name."""
    macros = "#turn(a;b;c) = a b c\n#many = turn(w)\n"
    ((said, _, where, hint),) = errors(f"{PRELUDE}{macros}#rules = {rules}")
    assert said.startswith("macro 'turn' is called with")
    assert said.endswith("but takes 3 arguments")
    assert (where, hint) == (9 if "many" in rules else column, None)


def test_independent_errors_are_still_reported() -> None:
    macros = "#turn(a;b) = a b\n"
    found = errors(f"{PRELUDE}{macros}#rules = ->w turn(up) foo turn(down) {{z}}")
    assert [error[:3] for error in found] == [
        ("macro 'turn' is called with 1 argument but takes 2 arguments", 6, 14),
        ("undeclared name 'foo'", 6, 23),
        ("macro 'turn' is called with 1 argument but takes 2 arguments", 6, 27),
        ("undeclared name 'z'", 6, 39),
    ]


def test_a_wrong_call_in_a_declaration_brings_no_flood() -> None:
    text = PRELUDE.replace("#players = w(100), b(50)", "#who(a) = a(9)\n#players = who(w;b)")
    assert [error[:3] for error in errors(f"{text}#rules = ->w up ->b")] == [
        ("macro 'who' is called with 2 arguments but takes 1 argument", 2, 12)
    ]


@pytest.mark.parametrize(
    ("section", "slip"),
    [("pieces", "piece"), ("variables", "variable"), ("board", "Board"), ("board", "baord")],
)
def test_a_misspelt_section(section: str, slip: str) -> None:
    text = PRELUDE.replace(f"#{section}", f"#{slip}") + "#rules = ->w {e} up"
    line = PRELUDE[: PRELUDE.index(f"#{section}")].count("\n") + 1
    said = (f"section '#{section}' is missing", line, 2, f"did you mean '{section}'?")
    assert errors(text) == [said]


def test_a_macro_that_is_no_misspelt_section() -> None:
    macros = "#playerTurn = ->w\n#rule(a) = a\n"
    assert errors(PRELUDE + macros) == [("section '#rules' is missing", 7, 1, None)]


def test_names_share_one_space() -> None:
    hint = "players, pieces, variables and directions share one space of names"
    found = errors(
        "#players = v(100), h(100)\n#pieces = e, v, h\n#variables =\n"
        "#board = a[e]{v:c} c[e]{v:a}\n"
        "#turn(p) = ->p {e} [p] {? {p} + {v}}\n"
        "#rules = (turn(v) turn(h))*"
    )
    assert found == [
        ("'v' is declared as a player already", 2, 14, hint),
        ("'h' is declared as a player already", 2, 17, hint),
    ]
