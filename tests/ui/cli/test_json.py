"""What verbs print for programs; replays and experiments: tests/lab."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import run


def told(*arguments: str) -> dict[str, Any]:
    """What a command prints, which must be nothing but one object."""
    found = json.loads(run(*arguments, "--json"))
    assert isinstance(found, dict)
    return found


def test_a_game_in_rbg() -> None:
    shown = told("show", "the_mill_game")
    assert shown.keys() == {
        *("game", "language", "title", "about", "players"),
        *("variables", "symbols", "board"),
    }
    assert shown["language"] == "RBG"
    assert shown["players"] == {"white": 100, "black": 100}
    assert shown["about"][0].startswith("First the players take turns")
    board = shown["board"]
    assert board["vertices"][0].keys() == {"name", "piece"}
    names = {vertex["name"] for vertex in board["vertices"]}
    assert len(board["edges"]) == len(names) == 24
    assert all({*edges.values()} <= names for edges in board["edges"])
    assert {vertex["piece"] for vertex in board["vertices"]} <= shown["symbols"].keys()


def test_games_in_gdl() -> None:
    shown = told("show", "connect4_7")
    assert shown["language"] == "GDL"
    assert shown["board"]["vertices"][0] == {"name": "1 6", "piece": "empty"}
    assert "board" not in told("show", "hanoi")


def test_json_is_one_of_several_things_to_show() -> None:
    assert "choose one" in run("show", "go_9x9", "--json", "--groups", "border", status=2)
    assert "only with" in run("show", "go_9x9", "d4", "--json", status=2)


def test_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = told("compile", "tic_tac_toe", "--split", "Mod")
    assert found.keys() == {"game", "split", "seconds", "state_bytes", "cache"}
    assert (found["game"], found["split"]) == ("tic_tac_toe", "Mod")
    stage = told("compile", "tic_tac_toe", "--emit", "graph")
    assert stage.keys() == {"game", "split", "graph"}
    assert stage["split"] is None
    assert "9 squares" in stage["graph"]


def test_a_report(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    found = told("report", "tic_tac_toe", "--seconds", "0.1", "--out", str(page))
    assert found["report"] == str(page)
    assert page.exists()
    assert (found["game"], found["title"]) == ("tic_tac_toe", "Tic-tac-toe")
    assert found["findings"]
    assert sum(found["wins"].values()) + found["without_winner"] == found["random_games"] > 0
    assert found["wins"].keys() == found["scores"].keys() == {"xplayer", "oplayer"}
    assert (
        5 <= found["lengths"]["least"] <= found["lengths"]["mean"] <= found["lengths"]["most"] <= 9
    )
    assert found["moves"]["most"] == 9
    assert found["searches"]["games"] > 0
