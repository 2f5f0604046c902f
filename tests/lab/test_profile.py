"""What a game is like, found out by playing it."""

import re
from xml.etree import ElementTree

import pytest

import semisplit
from semisplit.lab.reports.document import Picture, Table
from semisplit.lab.reports.profile import examine, report


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect4_3p", "eight_puzzle", "blocker"])
def test_reports_have_numbers_and_pictures(game: str) -> None:
    loaded = semisplit.load(game)
    profile = examine(loaded, 0.5)
    document = report(profile, game)
    pictures = [part for part in document.parts if isinstance(part, Picture)]
    (numbers,) = [part for part in document.parts if isinstance(part, Table)]
    assert len(pictures) == 4
    for picture in pictures:
        ElementTree.fromstring(picture.svg)
    rows = {name: value for name, value in numbers.rows}
    assert int(rows["random games"].replace(",", "")) == len(profile.games)
    assert document.html.count("<svg") == 4


def test_what_random_games_of_tic_tac_toe_are_like() -> None:
    profile = examine(semisplit.load("tic_tac_toe"), 2)
    assert {one.length for one in profile.games} <= set(range(5, 10))
    assert sum(profile.winners.values()) == len(profile.games)
    # Known of random play: the first player wins 58.5 % of all games.
    assert profile.winners["xplayer"] / len(profile.games) == pytest.approx(0.585, abs=0.1)
    assert [set(counts) for counts in profile.choices[:3]] == [{9}, {8}, {7}]


def test_one_player_solves_or_does_not() -> None:
    document = report(examine(semisplit.load("eight_puzzle"), 0.3), "Eight puzzle")
    assert re.match(r"0 of [\d,]+ random games reach the highest score", document.paragraphs[0])
