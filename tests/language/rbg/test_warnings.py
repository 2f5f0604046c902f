"""Warnings: legal, but surely not meant."""

import pytest

from semisplit import Game, games, load
from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.lint import check
from tests.support.prelude import PRELUDE
from tests.support.rules import rbg


def warnings(text: str) -> list[tuple[str, int, int]]:
    return [(warning.message, *warning.position) for warning in check(parse(text))]


def warned(rules: str) -> list[tuple[str, int, int]]:
    """Warnings about rules that use all pieces and variables."""
    return warnings(f"{PRELUDE}#rules = {rules} {{$ t+u==9}}")


def test_unused_names() -> None:
    text = PRELUDE.replace("o\n", "o, z\n") + "#m = up\n#k(a) = a\n#rules = ->w {$ t==0} ->>"
    assert warnings(text) == [
        ("piece 'z' is never used", 2, 20),
        ("variable 'u' is never used", 3, 20),
        ("macro 'm' is never used", 5, 2),
        ("macro 'k' is never used", 6, 2),
    ]


def test_repeated_section() -> None:
    text = f"{PRELUDE}#rules = ->b\n#rules = ->w {{$ t+u==0}} ->>"
    assert warnings(text) == [("section '#rules' is given again; the last one counts", 6, 2)]


def test_empty_macro() -> None:
    text = f"{PRELUDE}#m =\n#rules = ->w m {{$ t+u==0}} ->>"
    assert warnings(text) == [("macro 'm' is empty", 5, 2)]


def test_stray_characters_and_open_comments() -> None:
    assert warned("->w up_@ ->>")[:2] == [
        ("stray character '_'", 5, 16),
        ("stray character '@'", 5, 17),
    ]
    assert warnings(f"{PRELUDE}#rules = ->w {{$ t+u==0}} ->> /* and so on") == [
        ("comment without an end", 5, 29)
    ]


@pytest.mark.parametrize(
    ("rules", "column"),
    [
        ("->w ([x])* ->>", 19),
        ("->w ([x] right left)* ->>", 30),
        ("->w ([$ t=1])* ->>", 23),
        ("->w ([x] up*)* ->>", 23),
        ("->w (([x])* up)* ->>", 20),
        ("->w (right (right left)* [x] left)* ->>", 44),
        ("->w ([x] + right)* ->>", 27),
    ],
)
def test_rules_that_are_not_straight(rules: str, column: int) -> None:
    message = "the rules are not straight: this repeats a modifier for ever"
    assert warned(rules) == [(message, 5, column)]


@pytest.mark.parametrize(
    "rules",
    [
        "->w ([x] right)* ->>",
        "->w ({e} [x])* ->>",
        "->w ([$ t=t+1])* ->>",
        "(->w [x] ->>)*",
        "->w ((right left)* [x] {e} (up down)*)* ->>",
    ],
)
def test_rules_that_are_bounded_by_the_board_or_a_test(rules: str) -> None:
    assert warned(rules) == []


def test_keeper_with_a_choice() -> None:
    message = "behind this the keeper has a real choice"
    assert warned("right* [o] ->w ->>") == [(message, 1, 1)]
    assert warned("->w ->> ([x] + [o]) ->b ->>") == [(message, 5, 14)]


def test_keeper_without_a_choice() -> None:
    assert (
        warned("->w ->> ([x] + {e} [x]) ->b ->>")
        == [("behind this the keeper has a real choice", 5, 14)]
        or warned("->w ->> ({e} + {e,x}) [x] ->b ->>") == []
    )


def test_constant_out_of_bounds() -> None:
    assert warned("->w [$ t=4] ->>") == [("this never succeeds: 't' is at most 3", 5, 17)]


def test_direction_without_edges() -> None:
    text = PRELUDE.replace("[e,,e]", "") + "#rules = ->w (up + right) {$ t+u==0} ->>"
    assert warnings(text) == [("this never succeeds: no edge is called 'up'", 5, 15)]
    assert [move.wire for move in Game.parse(text).initial_state().moves()] == ["2 2"]


def test_rules_without_a_switch() -> None:
    assert warned("up") == [("the rules have no switch, so nobody ever moves", 1, 1)]


@pytest.mark.parametrize("name", games.names("rbg"))
def test_bundled_games_give_no_warning(name: str) -> None:
    assert [warning.render() for warning in check(rbg(load(name)).description)] == []
