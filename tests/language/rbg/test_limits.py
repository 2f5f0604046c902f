"""Hostile input: every text ends in a description or in our error.

How long that takes is measured by `benchmarks/hostile_input.py`.
"""

import random
import signal
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from semisplit import games
from semisplit.core.errors import RuleError
from semisplit.language.rbg.check.description import Description, parse
from semisplit.language.rbg.text.format import format_text
from tests.support.hostile import LARGE, LIMITS
from tests.support.prelude import PRELUDE


def read(text: str) -> Description | RuleError:
    """What a text ends in; anything else that is raised, and a hang, fails the test."""
    signal.alarm(60)
    try:
        return parse(text)
    except RuleError as error:
        return error
    finally:
        signal.alarm(0)


@pytest.mark.parametrize(("text", "message"), [x[1:] for x in LIMITS], ids=[x[0] for x in LIMITS])
def test_each_limit_has_its_message(text: str, message: str) -> None:
    found = read(text)
    assert isinstance(found, RuleError)
    assert message in str(found)


@pytest.mark.parametrize("text", LARGE, ids=range(len(LARGE)))
def test_large_texts_end(text: str) -> None:
    read(text)


TOKENS = [
    *"()[]{}~#-+^/*.,;:$=!?<>",
    *("{?", "{!", "{$", "[$", "->", "->>", "==", "!=", "<=", ">="),
    *("#players", "#pieces", "#variables", "#board", "#rules", "#m(a)", "rectangle", "hexagon"),
    *("w", "b", "e", "x", "t", "u", "up", "down", "m", "a", "0", "1", "7", "99999999999"),
]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
@example("\x00#\ud7ff")
def test_any_text(text: str) -> None:
    read(text)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=60).map(" ".join))
def test_any_rules(body: str) -> None:
    read(f"{PRELUDE}#rules = {body}")
    read(body)


@pytest.mark.parametrize("name", games.names("rbg"))
def test_mutations_of_games(name: str) -> None:
    """Cut, doubled, swapped and foreign pieces of text in a valid description."""
    text = games.text(name)
    rng = random.Random(name)
    for _ in range(12):
        mutated = text
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(mutated))
            end = min(len(mutated), start + rng.randint(1, 12))
            replacement = rng.choice(
                ["", mutated[start:end] * 2, rng.choice(TOKENS), mutated[start:end][::-1]]
            )
            mutated = mutated[:start] + replacement + mutated[end:]
        read(mutated)
        with suppress(RuleError):
            formatted = format_text(mutated)
            assert format_text(formatted) == formatted
