"""A whole game of each bundled game."""

import pytest

from semisplit import games
from tests.golden.conftest import Expect, ExpectFiles
from tests.support.playthrough import playthrough


@pytest.mark.parametrize("name", games.names())
def test_playthrough(name: str, expect: Expect) -> None:
    expect(f"games/{name}.txt", playthrough(name))


def test_each_text_is_one_of_a_game(expect_files: ExpectFiles) -> None:
    expect_files("games", [f"{name}.txt" for name in games.names()])
