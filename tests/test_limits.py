"""Hostile input: every text ends in a description or in our error, soon."""

import random
import time
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from semisplit import games
from semisplit.core.errors import RuleError
from semisplit.rbg.description import Description, parse
from semisplit.rbg.format import format_text
from tests.prelude import PRELUDE


def read(text: str) -> Description | RuleError:
    """What a text ends in; anything else that is raised fails the test."""
    start = time.process_time()
    try:
        return parse(text)
    except RuleError as error:
        return error
    finally:
        assert time.process_time() - start < 2


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
        PRELUDE
        + "#m0 = up\n"
        + "".join(f"#m{i} = m{i - 1}\n" for i in range(1, 300))
        + "#rules = m299",
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
    ("number", f"{PRELUDE}#rules = [$ t={'9' * 10_000}]", "number 99999999999999999999... is too"),
    ("pasted number", f"{PRELUDE}#m(a) = a~a~a\n#rules = up^m(99999)", "is too large"),
]


@pytest.mark.parametrize(("text", "message"), [x[1:] for x in LIMITS], ids=[x[0] for x in LIMITS])
def test_each_limit_has_its_message(text: str, message: str) -> None:
    found = read(text)
    assert isinstance(found, RuleError)
    assert message in str(found)


@pytest.mark.parametrize(
    "text",
    [
        f"{PRELUDE}#m(a) = a{'~a' * 60_000}\n#rules = m(u p)",
        f"{PRELUDE}#rules = {'(up + down) ' * 20_000}",
        f"{PRELUDE}#rules = {'+' * 100_000}",
        f"{PRELUDE}#rules = {'(' * 99}{'up + ' * 40_000}",
        PRELUDE + "#" * 200_000,
        PRELUDE + "#a=" * 60_000,
        f"#players = {'w(1),' * 50_000}",
        f"#pieces = {','.join(f'p{i}' for i in range(30_000))}",
        f"#board = rectangle({'[' * 200_000}",
    ],
    ids=range(9),
)
def test_large_texts_end_soon(text: str) -> None:
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


@pytest.mark.parametrize("name", games.names())
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
