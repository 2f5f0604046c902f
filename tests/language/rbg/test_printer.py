"""Descriptions printed and read again, and the formatter."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit import Game, games, load
from semisplit.core.errors import RuleError
from semisplit.core.source import Source
from semisplit.language.rbg.check.description import Description, parse
from semisplit.language.rbg.check.printer import print_low_level, print_rule
from semisplit.language.rbg.text.ast import Concat, On, Rule, Star
from semisplit.language.rbg.text.format import format_text
from semisplit.language.rbg.text.lexer import tokenize
from semisplit.language.rbg.text.report import Report
from tests.support import generate, generate_games
from tests.support.prelude import PRELUDE, description
from tests.support.rules import rbg


@settings(max_examples=300, deadline=None)
@given(generate.rules)
def test_printed_rules_read_back(rules: Rule) -> None:
    assert description(print_rule(rules)).rules == rules


def check_low_level_text(game: Description) -> None:
    """Print, parse, print gives the same text, and the same game."""
    text = print_low_level(game)
    again = parse(text)
    assert print_low_level(again) == text
    assert again.rules == game.rules
    assert again.board.edges == game.board.edges
    assert (again.players, again.variables) == (game.players, game.variables)


@pytest.mark.parametrize("name", games.names("rbg"))
def test_low_level_text_of_games(name: str) -> None:
    check_low_level_text(parse(games.text(name)))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32))
def test_generated_games_printed_or_laid_out_anew_are_the_same(seed: int) -> None:
    text = generate_games.generate(Random(seed)).text
    game = parse(text)
    check_low_level_text(game)
    again = parse(format_text(text))
    assert (again.rules, again.board, again.players) == (game.rules, game.board, game.players)


def test_low_level_text() -> None:
    assert print_low_level(description("->w ({e})* (up + (down + [x,o])) (left)^2")) == (
        "#players = w(100), b(50)\n"
        "#pieces = e, o, x\n"
        "#variables = t(3), u(7)\n"
        "#board =\n"
        "rx0y0[e]{down:rx0y1, right:rx1y0}\n"
        "rx1y0[x]{left:rx0y0, right:rx2y0}\n"
        "rx2y0[o]{down:rx2y1, left:rx1y0}\n"
        "rx0y1[e]{up:rx0y0}\n"
        "rx2y1[e]{up:rx2y0}\n"
        "#rules = ->w ({e})* (up + down + [x] + [o]) left left\n"
    )


def test_low_level_text_of_a_split_game() -> None:
    """Whole moves of the printed game are those of the original."""
    text = rbg(load("breakthrough", "ModPlusShift")).low_level_text()
    assert "(up* + down*) . (left* + right*)" in text
    game = Game.parse(text, split="Dots")
    assert rbg(game).divided == rbg(load("breakthrough", "ModPlusShift")).divided
    assert len(game.initial_state().moves()) == 22


def test_the_empty_word_prints_as_a_test_for_all_pieces() -> None:
    text = print_rule(Star(Concat(())), ("e", "o", "x"))
    assert text == "({e,o,x})*"
    assert description(text).rules == Star(On(frozenset({"e", "o", "x"})))


def texts(text: str) -> list[str]:
    source = Source("", text)
    return [token.text.rstrip() for token in tokenize(source, Report(source), comments=True)]


@pytest.mark.parametrize("name", games.names("rbg"))
def test_games_are_well_laid_out(name: str) -> None:
    assert format_text(games.text(name)) == games.text(name)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*"()[]{}~#-+^/*.,;:$=!?<>", "{?", "[$", "->", "->>", "==", "a", "12", "\n", " ", "  "]
        ),
        max_size=60,
    ).map("".join)
)
def test_formatting_keeps_the_tokens(text: str) -> None:
    try:
        formatted = format_text(text)
    except RuleError:
        return  # two of the pieces made an open comment
    assert texts(formatted) == texts(text)
    assert format_text(formatted) == formatted


def test_formatting() -> None:
    ugly = (
        "#a= x   // hi\n\n\n\n   ( b\n +c ; d )*\n// about\n  // the rules\n"
        "#board =   rectangle(  a\n     [e]\n    [e,e])\n  #rules=->w   (\nx {$t==1}\n)*"
    )
    assert format_text(ugly) == (
        "#a = x // hi\n\n    (b\n        +c; d)*\n// about\n// the rules\n"
        "#board = rectangle(a\n     [e]\n    [e,e])\n#rules = ->w (\n    x {$ t==1}\n)*\n"
    )


def test_formatting_refuses_stray_characters() -> None:
    with pytest.raises(RuleError, match="stray character"):
        format_text(PRELUDE + "#rules = up_x")
