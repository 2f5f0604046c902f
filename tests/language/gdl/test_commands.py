"""The command line on a game in GDL, run as a user runs it."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import run
from tests.support.gdl import GAME, TIC_TAC_TOE


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "game.kif"
    file.write_text(f"; Three in a row\n; for two.\n{TIC_TAC_TOE}")
    return str(file)


def test_check(game: str, tmp_path: Path) -> None:
    said = run("check", game, "--play")
    assert "no errors, no warnings" in said
    assert "2 players, 26 rules, 11 relations" in said
    assert "10 fluents at the start, where x has 9, o has 1 legal moves" in said
    assert "nothing was wrong in them" in said
    assert json.loads(run("check", game, "--json"))["moves"] == {"x": 9, "o": 1}
    wrong = tmp_path / "wrong.kif"
    wrong.write_text(f"{GAME}\n(p ?x)\n(<= q (not q))\n")
    said = run("check", str(wrong), status=1)
    assert f"{wrong}:2:4: error: variable ?x in a fact" in said
    assert f"{wrong}:3:12: error: 'q' depends on its own negation" in said
    wrong.write_text(
        "(role a) (init s) (<= (legal a b) (true t)) (goal a 1) (<= terminal (true t))"
    )
    said = run("check", str(wrong), "--play", status=1)
    assert "a has no legal move, at the start" in said
    refused = "chess cannot be tried out by random play: it is in RBG"
    assert refused in run("check", "chess", "--play", status=1)


def test_show_and_moves(game: str) -> None:
    shown = run("show", game)
    assert "Three in a row for two." in shown
    assert "players:   x (0..100), o (0..100)" in shown
    assert "(control x)" in shown
    assert "o has 8 moves:" in run("moves", game, "(mark 2 2)")
    assert "cannot be split by Mod" in run("moves", game, "--split", "Mod", status=1)


def test_format(game: str) -> None:
    assert "would change" in run("format", "--check", game, status=1)
    assert "laid out anew" in run("format", game)
    assert "well laid out" in run("format", "--check", game)
    assert "no errors, no warnings" in run("check", game)
    assert run("format", "-", stdin="(<= a b)") == "(<= a\n    b)\n"


def test_play(game: str) -> None:
    said = run("play", game, "--agent", "flat-mc", "--budget", "9sims", stdin="(mark 2 2)\nquit\n")
    assert "o plays (mark" in said
