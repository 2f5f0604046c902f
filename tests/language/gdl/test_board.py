"""Boards, told by a comment or guessed from the rules."""

import pytest

from semisplit import games
from semisplit.core.board.diagram import draw
from semisplit.game import Game
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.features.domains import Argument, find_domains
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.rules import Appearance

_GAME = """
(role Red) (role blue)
(init (control Red))
(succ a b) (succ b c)
(index a) (index b) (index c)
(<= (legal ?r (put ?x ?y)) (role ?r) (index ?x) (index ?y))
(<= (next (at ?x ?y ?r)) (does ?r (put ?x ?y)))
(<= (next (control ?r)) (true (control ?r)))
(<= terminal (true (at ?x ?y ?r)) (succ ?y ?z))
(<= (goal ?r 50) (role ?r))
"""


def appearance_of(text: str) -> Appearance:
    appearance = Game.parse(text, "x.kif", engine="interpreter").rules.appearance
    assert appearance is not None
    return appearance


def drawing(text: str, fluents: str) -> str:
    rules = GdlRules(parse(text))
    appearance = rules.appearance
    assert appearance is not None
    pieces = rules.pieces(rules.read_position(fluents))
    return draw(appearance.geometry, [appearance.symbols[piece] for piece in pieces])


def test_constants_in_a_row_are_taken_for_coordinates() -> None:
    appearance = appearance_of(_GAME)
    assert appearance.geometry.shape == "rectangle"
    assert appearance.geometry.names == tuple(f"{x} {y}" for y in "cba" for x in "abc")
    assert appearance.owners == {"red": "Red", "blue": "blue"}


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("(at ?x ?y ?who)", "c . . .\nb . . .\na . . b\n  a b c"),
        ("(at ?x ?row ?who)", "a . . b\nb . . .\nc . . .\n  a b c"),
        ("(at ?y ?column ?who)", "c b . .\nb . . .\na . . .\n  a b c"),
        ("hexagon (at ?x ?y ?who)", "     a b c\nc   . . .\nb  . . .\na . . b"),
    ],
)
def test_a_comment_tells_the_board(comment: str, expected: str) -> None:
    shown = drawing(f"; board: {comment}\n{_GAME}", "(at c a blue) (control blue)")
    assert [line.rstrip() for line in shown.splitlines()] == expected.splitlines()


def test_without_a_board_nothing_is_drawn() -> None:
    for text in (f"; Board: none\n{_GAME}", _GAME.replace("(succ b c)", "(succ b a)")):
        assert Game.parse(text, "x.kif", engine="interpreter").rules.appearance is None


def test_the_rest_of_a_position_stands_beside_the_board() -> None:
    rules = GdlRules(parse(_GAME))
    position = rules.read_position("(at c a blue) (control Red)")
    assert rules.beside_board(position) == "(control Red)"


@pytest.mark.parametrize(
    "comment", ["", "cell", "(at ?x ?x ?y)", "(at ?x ?z)", "hex (at ?x ?y ?w)"]
)
def test_a_comment_that_says_nothing_is_warned_of(comment: str) -> None:
    [warning] = parse(f"; board: {comment}\n{_GAME}").warnings
    assert warning.message == "this does not say what the board is"
    assert warning.position == (1, len("; board: ") + 1)


def test_a_comment_names_fluents_that_exist() -> None:
    [warning] = parse(f"; board: (att ?x ?y ?who)\n{_GAME}").warnings
    assert warning.message == "fluent 'att' with 3 argument(s) never becomes true"


@pytest.mark.parametrize("name", games.names("kif"))
def test_bundled_games_have_the_board_that_one_expects(name: str) -> None:
    rules = GdlRules(parse(games.text(name), name))
    appearance = rules.appearance
    without = {"asteroids_parallel", "blocks_world_parallel", "buttons", "farmers", "hanoi"}
    without |= {"incredible", "nim", "rps_well", "two_thirds"}
    without |= {"dice_race", "hidden_rps", "kuhn_poker", "monty_hall", "pig"}
    assert (appearance is None) == (name in without)
    if appearance is not None:
        pieces = rules.pieces(rules.start)
        assert len(pieces) == len(appearance.geometry.cells)
        assert set(appearance.symbols).issuperset(pieces)
        assert len(set(appearance.symbols.values())) == len(appearance.symbols)
        assert len(set(appearance.geometry.names)) == len(appearance.geometry.names)


def test_pieces_of_several_words_and_several_boards() -> None:
    assert appearance_of(games.text("checkers")).symbols["white king"] == "wK"
    two = appearance_of(games.text("dual_connect_four"))
    assert two.geometry.labels[2] == ("cell normal", "cell suicide")
    assert len(two.geometry.cells) == 2 * 48


def test_domains_are_those_that_all_conditions_allow() -> None:
    text = _GAME.replace("(index c))", "").replace("(index ?y))", "(succ ?y ?z))", 1)
    domains = find_domains(parse(text).clauses)
    assert [*domains[Argument("at", 3, 0, True)]] == ["a", "b", "c"]
    assert [*domains[Argument("at", 3, 1, True)]] == ["a", "b"]
    assert [*domains[Argument("at", 3, 2, True)]] == ["red", "blue"]
