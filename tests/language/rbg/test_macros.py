"""Macros: visibility, arguments, pasting."""

import pytest

from semisplit.core.errors import RuleError
from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.check.printer import print_rule
from tests.support.prelude import PRELUDE


def expand(macros: str, rules: str) -> str:
    return print_rule(parse(f"{PRELUDE}{macros}\n#rules = {rules}").rules)


@pytest.mark.parametrize(
    ("macros", "rules", "expanded"),
    [
        # No brackets are added.
        ("#m = up down", "m*", "up down*"),
        ("#m(a) = a down", "m(up + left)", "up + left down"),
        # Unbalanced brackets in bodies and, square and curly ones, in arguments.
        ("#m = (up +", "m down)*", "(up + down)*"),
        ("#m(a) = a x}", "m({e,)", "{e,x}"),
        ("#n = 3", "up^n", "up up up"),
        # A macro sees only what was defined before it.
        ("#m = up\n#k = m m", "k", "up up"),
        ("#up = down", "up", "down"),
        # Overloading by the number of arguments.
        ("#m(a) = a\n#m(a;b) = b a", "m(up) m(left;right)", "up right left"),
        ("#m(a) = left a", "m() up", "left up"),
        ("#m(a) = a", "m((up + down) left)", "(up + down) left"),
        # Parameters shadow macros; arguments belong to where they were written.
        ("#a = left\n#m(a) = a", "m(right)", "right"),
        ("#k(b) = b\n#m(a) = k(a)", "m(up)", "up"),
        ("#m(a) = a\n#late = right", "m(late)", "right"),
        # Pasting.
        ("#m(a;b) = a~b", "m(left u;p right)", "left up right"),
        ("#m(a;b;c) = a~b~c", "m(u;;p)", "up"),
        ("#m(a) = a ~ p", "m(u)", "up"),
        ("#m(a) = up^1~a", "m(0)", " ".join(["up"] * 10)),
        ("#m(a) = -~a~>", "m(>) ", "->>"),
        ("#u = u\n#m = u~p", "m", "up"),
        ("#m(a) = {~? a}", "m(up)", "{? up}"),
        ("#k(b) = b\n#m(a) = k(a~p)", "m(u)", "up"),
    ],
)
def test_expansion(macros: str, rules: str, expanded: str) -> None:
    assert expand(macros, rules) == expanded


def test_macros_in_all_sections() -> None:
    game = parse(
        "#n = 2 #row = [e,e] #dirs = north,south,west,east"
        "#players = p~ #pieces = e #variables = v(n)"
        "#board = rectangle(dirs,row row) #rules = north".replace("p~", "p(n)")
    )
    assert game.variables == {"v": 2}
    assert game.players == {"p": 2}
    assert game.board.labels == ["east", "north", "south", "west"]


def test_macro_renames_a_direction_of_the_board() -> None:
    text = PRELUDE.replace("#board", "#up = foo #board") + "#rules = foo up"
    assert print_rule(parse(text).rules) == "foo foo"


def test_macros_after_the_rules_do_nothing() -> None:
    with pytest.raises(RuleError, match="undeclared name 'later'"):
        parse(f"{PRELUDE}#rules = later #later = up")


def test_a_paste_is_not_looked_up_again() -> None:
    with pytest.raises(RuleError, match="undeclared name 'ab'"):
        expand("#ab = up\n#m = a~b", "m")


def test_bracket_behind_a_parameter_is_no_call() -> None:
    with pytest.raises(RuleError, match="macro 'k' is called without arguments"):
        expand("#k(b) = b\n#m(a) = a(up)", "m(k)")
