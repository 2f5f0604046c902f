"""Pictures of some positions, with whatever pictures may show."""

from itertools import islice
from xml.etree import ElementTree

import pytest

from semisplit.ui.render.svg import draw
from tests.golden.conftest import Expect, ExpectFiles
from tests.support.playthrough import play

POSITIONS = {
    "amazons": 12,
    "breakthrough": 21,
    "chess": 20,
    "connect4": 9,
    "eight_puzzle": 2,
    "english_draughts": 30,
    "go_9x9": 40,
    "hanoi": 3,
    "hex_9x9": 20,
    "pentago": 12,
    "the_mill_game": 25,
    "tic_tac_toe_gdl": 4,
    "yavalath": 9,
}
"""After so many moves of the game's playthrough."""


@pytest.mark.parametrize("name", POSITIONS)
def test_picture(name: str, expect: Expect) -> None:
    """What the last move has changed is marked; every second board is turned."""
    *_, before, state = (state for state, _, _ in islice(play(name), POSITIONS[name] + 1))
    turned = POSITIONS[name] % 2 == 1
    drawn = draw(state.game.rules, state.position, since=before.position, turned=turned)
    element = ElementTree.fromstring(drawn)
    # In lines a difference can be read.
    ElementTree.indent(element)
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    expect(f"pictures/{name}.svg", ElementTree.tostring(element, encoding="unicode") + "\n")


def test_each_text_is_one_of_a_position(expect_files: ExpectFiles) -> None:
    expect_files("pictures", [f"{name}.svg" for name in POSITIONS])
