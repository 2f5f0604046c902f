"""Descriptions printed, or laid out anew, and read again."""

import pytest
from hypothesis import given, settings

from semisplit import games
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.text.format import format_text
from tests.support.generate_gdl import descriptions
from tests.support.print_gdl import print_rules


def check(description: Description) -> None:
    """Neither printing nor the formatter changes what is read."""
    for text in (print_rules(description.rules), format_text(description.source.text)):
        again = parse(text)
        assert again.rules == description.rules
        assert again.clauses == description.clauses
        assert again.roles == description.roles


@given(descriptions())
@settings(max_examples=40, deadline=None)
def test_generated_descriptions(text: str) -> None:
    check(parse(text))


@pytest.mark.parametrize("name", games.names("kif"))
def test_bundled_games(name: str) -> None:
    check(parse(games.text(name)))
