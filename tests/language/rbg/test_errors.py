"""Every class of wrong description: what is said, and where."""

import pytest

from semisplit.core.errors import RuleError
from semisplit.language.rbg.check.description import parse
from tests.support.prelude import PRELUDE

SECTIONS = {
    "players": "w(100), b(50)",
    "pieces": "e, x, o",
    "variables": "t(3), u(7)",
    "board": "rectangle(up,down,left,right,[e,x,o][e,,e])",
    "rules": "->w",
}


def errors(text: str) -> list[tuple[str, int, int]]:
    """Message, line and column of each error."""
    with pytest.raises(RuleError) as caught:
        parse(text, "game.rbg")
    return [(error.message, *error.position) for error in caught.value.diagnostics]


def check(text: str, message: str, line: int, column: int) -> None:
    """One of the errors is this one, at this place."""
    found = errors(text)
    assert [error for error in found if message in error[0] and error[1:] == (line, column)], found


def document(section: str, body: str) -> str:
    """A description with one section replaced; each section has a line of its own."""
    sections = {**SECTIONS, section: body}
    return "\n".join(f"#{name} = {text}" for name, text in sections.items())


def check_section(section: str, body: str, message: str, offset: int) -> None:
    """`offset` is the column in the section's body, from 1; 0 is the section's name."""
    column = len(f"#{section} = ") + offset if offset else 2
    check(document(section, body), message, list(SECTIONS).index(section) + 1, column)


FILES = [
    ("", "the file is empty", 1, 1),
    ("foo " + PRELUDE + "#rules = ->w", "expected '#', found 'foo'", 1, 1),
    (PRELUDE + "#5 = up\n#rules = ->w", "after '#', found '5'", 5, 2),
    (PRELUDE + "##m = up\n#rules = ->w", "after '#', found '#'", 5, 2),
    (PRELUDE + "#hexagon = up\n#rules = ->w", "after '#', found 'hexagon'", 5, 2),
    (PRELUDE + "#rules ->w", "expected '=' after '#rules'", 5, 8),
    (PRELUDE, "section '#rules' is missing", 5, 1),
    (PRELUDE + '#rules = "text"', "quoted text has no meaning", 5, 10),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), FILES)
def test_files(text: str, message: str, line: int, column: int) -> None:
    check(text, message, line, column)


MACROS = [
    ("#m up", "->w", "expected '=' after '#m'", 5, 4),
    ("#m() = up", "->w", "expected a parameter name, found ')'", 5, 4),
    ("#m(a;) = up", "->w", "expected a parameter name, found ')'", 5, 6),
    ("#m(a,b) = up", "->w", "expected ';' or ')' in the parameter list, found ','", 5, 5),
    ("#m(a;a) = up", "->w", "parameter 'a' is given twice", 5, 6),
    ("#m = up #m = down", "->w", "macro 'm' is defined already, in line 5", 5, 10),
    ("#m(a) = a #m(b) = b", "->w", "macro 'm' is defined already, in line 5", 5, 12),
    ("#m = up #m(a) = a", "->w", "macro 'm' is defined both with and without parameters", 5, 10),
    ("#m(a) = a", "->w m", "macro 'm' is called without arguments but takes 1 argument", 6, 14),
    ("#m(a) = a", "m(up;up)", "macro 'm' is called with 2 arguments but takes 1", 6, 10),
    ("#m(a) = a", "m(up", "the call of macro 'm' has no closing ')'", 6, 10),
    ("#m = up", "u~p", "'~' joins names only inside a macro definition", 6, 11),
    ("#m(a) = a", "m(u~p)", "'~' joins names only inside a macro definition", 6, 13),
    ("#m(a) = up", "m(u~p)", "'~' joins names only inside a macro definition", 6, 13),
    ("#m = ~u", "m", "'~' needs an operand on each side", 5, 6),
    ("#m = u~", "m", "'~' needs an operand on each side", 5, 7),
    ("#m = u~~p", "m", "'~' needs an operand on each side", 5, 8),
    ("#m = 1~x", "m", "cannot join '1' and 'x'", 5, 7),
    ("#m = )~(", "m", "cannot join ')' and '('", 5, 7),
]


@pytest.mark.parametrize(("macro", "rules", "message", "line", "column"), MACROS)
def test_macro_errors(macro: str, rules: str, message: str, line: int, column: int) -> None:
    check(f"{PRELUDE}{macro}\n#rules = {rules}", message, line, column)


DECLARATIONS = [
    ("players", "w(1) b(1)", "expected ',' between players, found 'b'", 6),
    ("players", "w", "player 'w' needs an upper bound", 1),
    ("players", "w(0), b(1)", "the upper bound of 'w' must be at least 1", 3),
    ("players", "w(x)", "player 'w' needs an upper bound", 1),
    ("players", "w(1), w(1)", "player 'w' is declared twice", 7),
    ("players", "", "a game needs at least one player", 0),
    ("players", "3(1)", "expected the name of a player, found '3'", 1),
    ("players", "board(1)", "expected the name of a player, found 'board'", 1),
    ("pieces", "e x", "expected ',' between pieces, found 'x'", 3),
    ("pieces", "e, x, o, w", "'w' is declared as a player already", 10),
    ("pieces", "", "a game needs at least one piece", 0),
    ("variables", "x(3)", "'x' is declared as a piece already", 1),
    ("variables", "t", "variable 't' needs an upper bound", 1),
    ("variables", "t(0)", "the upper bound of 't' must be at least 1", 3),
    ("variables", "t(99999999999)", "number 99999999999 is too large", 3),
]


@pytest.mark.parametrize(("section", "body", "message", "offset"), DECLARATIONS)
def test_declaration_errors(section: str, body: str, message: str, offset: int) -> None:
    check_section(section, body, message, offset)


BOARDS = [
    ("", "the board is empty", 0),
    ("rectangle(up,up,left,right,[e])", "direction 'up' is given twice", 14),
    ("rectangle(up,x,left,right,[e])", "'x' is declared as a piece already", 14),
    ("rectangle(up,w,left,right,[e])", "'w' is declared as a player already", 14),
    ("rectangle(up,t,left,right,[e])", "'t' is declared as a variable already", 14),
    ("rectangle(up,down,left,right,[e,x][e])", "equal, positive length", 1),
    ("rectangle(up,down,left,right,[])", "equal, positive length", 1),
    ("rectangle(up,down,left,right,[,])", "the board has no vertices", 1),
    ("rectangle(up,down,left,right,[e x])", "expected ']' or ',' in a row, found 'x'", 33),
    ("rectangle(up,down,left,right,[e,z])", "undeclared piece 'z'", 33),
    ("rectangle(up,down,left,rules,[e])", "expected the name of a direction, found 'rules'", 24),
    ("board[e]{n:board}", "expected a vertex or a board generator, found 'board'", 1),
    ("rectangle(up,down,left,right,[e]", "found the end of the section", 33),
    ("rectangle(up,down,left,right)", "expected ',' after a direction, found ')'", 29),
    ("rectangle(up,down,left,right,[e]) x", "expected the end of the board, found 'x'", 35),
    ("hexagon(a,c,d,f,g,h,[e][e])", "must grow by one cell each, then shrink", 1),
    ("hexagon(a,c,d,f,g,h,[e][e,e,e])", "must grow by one cell each, then shrink", 1),
    ("hexagon(a,c,d,f,g,h,[])", "must grow by one cell each, then shrink", 1),
    ("cuboid(a,c,d,f,g,h,[[e][e]][[e]])", "same number of equally long rows", 1),
    ("cuboid(a,c,d,f,g,h,[[e][e,e]])", "same number of equally long rows", 1),
    ("a[e]{n:zz}", "an edge leads to an unknown vertex 'zz'", 8),
    ("a[e]{n:c,n:c} c[e]{}", "direction 'n' is given twice", 10),
    ("a[e]{n:a} a[e]{n:a}", "vertex 'a' is given twice", 11),
    ("a[z]{n:a}", "undeclared piece 'z'", 3),
    ("a[]{n:a}", "expected a piece, found ']'", 3),
    ("a[e]{n:a,}", "expected the name of a direction, found '}'", 10),
    ("a[e]{n:a}, c[e]{n:a}", "expected a vertex or a board generator, found ','", 10),
    ("a[e] c[e]", "expected '{' with the edges of the vertex, found 'c'", 6),
]


@pytest.mark.parametrize(("body", "message", "offset"), BOARDS)
def test_board_errors(body: str, message: str, offset: int) -> None:
    check_section("board", body, message, offset)


RULES = [
    ("", "the rules are empty", 0),
    ("->w foo", "undeclared name 'foo'", 5),
    ("->x", "expected a player after '->', found 'x'", 3),
    ("->3", "expected a player after '->', found '3'", 3),
    ("->ww", "undeclared name 'ww'", 3),
    ("->w x ->>", "piece 'x' cannot stand alone as an action", 5),
    ("->w t ->>", "variable 't' cannot stand alone as an action", 5),
    ("->w w ->>", "player 'w' cannot stand alone as an action", 5),
    ("->w 3 ->>", "expected an action, found '3'", 5),
    ("{up}", "expected a piece, but 'up' is a label", 2),
    ("[w]", "expected a piece, but 'w' is a player", 2),
    ("[t]", "expected a piece, but 't' is a variable", 2),
    ("[x,]", "expected a piece, found ']'", 4),
    ("{e x}", "expected ',' or '}', found 'x'", 4),
    ("[$ x=1]", "cannot assign to 'x', which is a piece", 4),
    ("[$ t==1]", "expected '=' after 't', found '=='", 5),
    ("[$ t]", "expected '=' after 't', found ']'", 5),
    ("[$ t=u<1]", "expected an action or ']', found '<'", 7),
    ("{$ t}", "expected a comparison, found '}'", 5),
    ("{$ t=1}", "expected a comparison, found '='", 5),
    ("{$ t<1<2}", "exactly one comparison is possible", 7),
    ("{$ t<1, u<1}", "exactly one comparison is possible", 7),
    ("{$ (t==1)}", "expected ')' to close a bracket, found '=='", 6),
    ("[$ t=1", "'[$' has no closing ']'", 1),
    ("{$ t<-1}", "expected a number, variable or piece, found '-'", 6),
    ("[$ t=t+-1]", "expected a number, variable or piece, found '-'", 8),
    ("[$ t=+u]", "expected a number after '+', found 'u'", 7),
    ("{$ t+up==1}", "direction 'up' has no value", 6),
    ("[$ t=4294967295]", "number 4294967295 is too large", 6),
    ("up , down", "expected an action, found ','", 4),
    ("{? up}*", "'*' may follow only brackets, directions, switches and dots", 7),
    ("{e}*", "'*' may follow only brackets, directions, switches and dots", 4),
    ("[x]^2", "'^' may follow only brackets, directions, switches and dots", 4),
    ("{$ t==1}*", "'*' may follow only brackets, directions, switches and dots", 9),
    ("up**", "only one suffix is possible here", 4),
    ("up^2*", "only one suffix is possible here", 5),
    ("(up +)", "expected an action, found ')'", 6),
    ("(+ up)", "expected an action, found '+'", 2),
    ("()", "expected an action, found ')'", 2),
    ("{?}", "expected an action, found '}'", 3),
    ("(up", "'(' has no closing ')'", 1),
    ("{? up", "'{?' has no closing '}'", 1),
    ("up)", "expected an action, found ')'", 3),
    ("up^t", "expected a number after '^', found 't'", 4),
    ("up^0", "'^0' would repeat nothing", 4),
    ("->w ; up", "expected an action, found ';'", 5),
    ("->w board", "undeclared name 'board'", 5),
    ("{ ? up}", "expected a piece, found '?'", 3),
]


@pytest.mark.parametrize(("body", "message", "offset"), RULES)
def test_rule_errors(body: str, message: str, offset: int) -> None:
    check_section("rules", body, message, offset)


def test_independent_errors_are_reported_together() -> None:
    found = errors(
        "#players = w(100), b(0)\n#pieces = e, x, o\n#variables = t(3)\n"
        "#board = rectangle(up,down,left,right,[e,e])\n"
        "#rules = ->w (up + ) {e x} [$ x=1] ->>"
    )
    assert [place[0] for _, *place in found] == [1, 5, 5, 5]


def test_errors_of_several_rules_and_macros() -> None:
    found = errors(PRELUDE + "#m = foo\n#rules = ->w m (bar) {! left {z}} ->>")
    assert [message for message, *_ in found] == [
        "undeclared name 'foo'",
        "undeclared name 'bar'",
        "undeclared name 'z'",
    ]


def test_an_unreadable_declaration_does_not_bring_a_flood() -> None:
    """Names that could not be read are not reported once more wherever they are used."""
    found = errors(document("pieces", "e x o") + " {x} [o] {q}")
    assert [message for message, *_ in found] == ["expected ',' between pieces, found 'x'"]


def test_at_most_twenty_errors() -> None:
    names = " ".join(f"foo{i}" for i in range(100))
    assert len(errors(document("rules", names))) == 20


def test_full_message() -> None:
    macros = "#step(d) = d {e}\n#go(d) = step(d) {ee}\n"
    with pytest.raises(RuleError) as caught:
        parse(f"{PRELUDE}{macros}#rules = ->w go(uo) ->>", "my.rbg")
    assert str(caught.value) == (
        "my.rbg:6:19: error: undeclared name 'ee'\n"
        "    6 | #go(d) = step(d) {ee}\n"
        "      |                   ^^\n"
        "      = did you mean 'e'?\n"
        "      = in macro 'go', called at my.rbg:7:14\n"
        "my.rbg:7:17: error: undeclared name 'uo'\n"
        "    7 | #rules = ->w go(uo) ->>\n"
        "      |                 ^^\n"
        "      = did you mean 'up'?"
    )


def test_a_name_is_reported_once() -> None:
    assert errors(document("rules", "foo " * 100)) == [("undeclared name 'foo'", 5, 10)]


def test_suggestions_fit_the_place() -> None:
    macros = "#anySquare = up*\n#on(pawn) = {pwan}\n"
    text = f"{PRELUDE}{macros}#rules = ->ww anySqare {{ee}} [$ tt=1] on(x) ->>"
    with pytest.raises(RuleError) as caught:
        parse(text)
    hints = [error.hint for error in caught.value.diagnostics]
    assert hints == [f"did you mean '{name}'?" for name in ("pawn", "w", "anySquare", "e", "t")]


def test_long_chains_of_macros_are_shortened() -> None:
    chain = "".join(f"#m{i} = m{i - 1}\n" for i in range(1, 20))
    with pytest.raises(RuleError) as caught:
        parse(f"{PRELUDE}#m0 = foo\n{chain}#rules = m19", "my.rbg")
    assert str(caught.value).splitlines()[-2:] == [
        "      = in macro 'm3', called at my.rbg:9:7",
        "      = in 15 more calls from 'm19', called at my.rbg:25:10",
    ]
