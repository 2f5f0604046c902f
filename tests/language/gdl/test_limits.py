"""Whatever the text is, there is an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit.core.errors import ManyMoves, PlayLimit, RuleError
from semisplit.game import Game
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.text.format import format_text
from semisplit.language.gdl.text.keywords import ARITIES, LOGICAL
from tests.support.hostile_gdl import ACCEPTED, ENDLESS, JOINT_MOVES, REFUSED

_WORK = 100_000
"""Enough for a small game, and reached soon."""


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert len(caught.value.diagnostics) <= 20


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(text: str) -> None:
    game = Interpreter(parse(text))
    assert [steps[0].wire for steps, _ in game.moves(game.start)] == ["go"]
    format_text(text)


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_play_comes_to_an_end(text: str) -> None:
    with pytest.raises(PlayLimit):
        play(Interpreter(parse(text), _WORK))


def play(game: Interpreter) -> None:
    """Make the first move again and again, until the game is over."""
    position = game.start
    for _ in range(200):
        _, position = next(game.moves(position))


def test_too_many_joint_moves() -> None:
    with pytest.raises(ManyMoves):
        Game.parse(JOINT_MOVES, engine="interpreter").initial_state().moves(100)


NAMES = ["?x", "?y", "a", "f", "p", "q", "100"]
WORDS = st.sampled_from(["(", "(", "(", ")", ")", ")", ";", "\n", *NAMES, *ARITIES, *LOGICAL])


def told(text: str) -> str:
    """What is said about a text, if something is."""
    try:
        _ = Interpreter(parse(text), _WORK).start
    except (RuleError, PlayLimit) as error:
        return str(error)
    return "accepted"


@given(st.lists(WORDS, max_size=60).map(" ".join))
@settings(max_examples=500, deadline=None)
def test_any_words(text: str) -> None:
    assert told(text)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_characters(text: str) -> None:
    assert told(text)
