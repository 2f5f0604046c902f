"""The command line, run as a user runs it."""

import json
import re
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

import semisplit
from semisplit.ui.cli.main import app
from tests.support.command_line import run
from tests.support.prelude import PRELUDE


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.rbg"
    file.write_text(PRELUDE + "#rules = ->w {z} foo ->>\n")
    return file


def test_help() -> None:
    assert "perft" in run("--help")
    assert "DEPTH" in run("perft", "--help")


@pytest.mark.parametrize("width", ["40", "80"])
def test_verbs_stand_under_what_they_are_for(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    told = run("--help")
    purposes = re.split(r"^(\S.*):$", told, flags=re.MULTILINE)[1:]
    verbs = {
        purpose: re.findall(r"^  (\w+)", listed, re.MULTILINE)
        for purpose, listed in zip(purposes[::2], purposes[1::2])
    }
    purposes = ["Play", "Write games", "Experiment", "General Game Playing", "Machines"]
    assert [*verbs] == ["Options", *purposes]
    assert {"play", "web"} <= {*verbs["Play"]}
    assert {"match", "reproduce"} <= {*verbs["Experiment"]}
    assert verbs["General Game Playing"] == ["serve", "connect", "ggp"]
    shown = [verb for listed in verbs.values() for verb in listed]
    commands = get_command(app)
    assert isinstance(commands, TyperGroup)
    assert sorted(shown) == sorted(commands.commands)


def test_version() -> None:
    assert run("--version") == f"semisplit {semisplit.__version__}\n"


def test_games() -> None:
    listed = json.loads(run("games", "--json"))
    assert {"game": "chess", "title": "Chess", "players": ["white", "black"]}.items() <= next(
        game for game in listed if game["game"] == "chess"
    ).items()
    assert "Yavalath" in run("games")


@pytest.mark.parametrize("game", ["breakthrough", "yavalath", "the_mill_game"])
def test_show(game: str) -> None:
    shown = run("show", game)
    assert "players:" in shown
    drawn = {"breakthrough": "8 b b b", "yavalath": "5 . . .", "the_mill_game": "a1 ."}
    assert drawn[game] in shown


def test_check(wrong: Path) -> None:
    assert "no errors, no warnings" in run("check", "breakthrough")
    said = run("check", str(wrong), status=1)
    assert f"{wrong}:5:15: error: undeclared name 'z'" in said
    assert f"{wrong}:5:18: error: undeclared name 'foo'" in said
    assert said.endswith("2 errors\n")
    errors = json.loads(run("check", str(wrong), "--json", status=1))["errors"]
    assert [(error["line"], error["column"]) for error in errors] == [(5, 15), (5, 18)]
    assert json.loads(run("check", "breakthrough", "--json"))["modifiers_per_move"] == 1


def test_a_file_wherever_a_game_is_expected(tmp_path: Path, wrong: Path) -> None:
    file = tmp_path / "mine.rbg"
    file.write_text(PRELUDE + "#rules = ->w (right + down) [x] ->b {? {$ t+u==0}}\n")
    for command in (["show"], ["check"], ["moves"], ["explain", "--seconds", "0"]):
        run(command[0], str(file), *command[1:])
        assert "undeclared name 'z'" in run(command[0], str(wrong), *command[1:], status=1)
    assert "2 leaves" in run("perft", str(file), "1")


def test_moves() -> None:
    assert "white has 22 moves" in run("moves", "breakthrough")
    assert "black has 16 semimoves" in run("moves", "breakthrough", "b2-b3", "--split", "Mod")
    listed = json.loads(run("moves", "tic_tac_toe", "a3", "--json"))
    assert listed["player"] == "oplayer"
    assert len(listed["moves"]) == 8
    assert listed["moves"][0].keys() == {"move", "wire"}
    over = run("moves", "tic_tac_toe", "a3", "a1", "b3", "b1", "c3")
    assert "the game is over: xplayer 100, oplayer 0" in over


def test_perft() -> None:
    counted = json.loads(run("perft", "breakthrough", "2", "--json"))
    assert counted.pop("seconds") >= 0
    assert counted == {"game": "breakthrough", "depth": 2, "leaves": 484, "nodes": 507}
    split = run("perft", "breakthrough", "2", "--split", "Mod")
    assert "484 leaves, 507 nodes" in split
    assert "352 / 484 (176 dead ends)" in split


def test_format(tmp_path: Path) -> None:
    file = tmp_path / "game.rbg"
    file.write_text("#rules=( up )*")
    assert "would change" in run("format", "--check", str(file), status=1)
    assert file.read_text() == "#rules=( up )*"
    run("format", str(file))
    assert file.read_text() == "#rules = (up)*\n"
    assert "well laid out" in run("format", "--check", str(file))
    assert run("format", "-", stdin="#rules=( up )*") == "#rules = (up)*\n"
    assert "it is not a file" in run("format", "nothing.rbg", status=1)


def test_explain() -> None:
    shown = run("explain", "breakthrough", "--split", "ModPlus", "--seconds", "0")
    assert "(. {e} + . (left + right) {b,e})" in " ".join(shown.split())
    assert "ModPlus" in shown
    rows = json.loads(run("explain", "breakthrough", "--json", "--seconds", "0"))
    assert [row["mode"] for row in rows] == ["orthodox", "Mod"]
    assert rows[1]["semimoves_per_move"] == 2


def test_demo(tmp_path: Path) -> None:
    shown = run("demo", "--games", "4", "--out", str(tmp_path / "demo"))
    assert "semisplit-nodal@Mod against orthodox at knightthrough" in shown
    assert "4 games:" in shown
    report = tmp_path / "demo" / "report.html"
    assert f"The report is {report}" in shown
    assert "<svg" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "ches"], "error: there is no game 'ches'; did you mean 'chess'?"),
        (["show", "no/file.rbg"], "error: cannot read no/file.rbg: No such file or directory"),
        (["perft", "chess", "1", "--split", "Mud"], "there is no split strategy 'Mud'"),
        (["moves", "chess", "e2-e5"], "error: 'e2-e5' is not a legal move; did you mean"),
        (["explain", "chess", "--split", "x"], "there is no split strategy 'x'"),
    ],
)
def test_wrong_input_ends_in_one_message(arguments: list[str], message: str) -> None:
    assert message in run(*arguments, status=1)


def test_wrong_usage() -> None:
    assert "depth" in run("perft", "chess", "--", "-1", status=2)
    assert "No such command 'pertf'" in run("pertf", status=2)


def test_perft_of_joint_moves() -> None:
    counted = json.loads(run("perft", "tic_tac_toe.kif", "5", "--json"))
    assert counted["leaves"] == 15120
    assert counted["states"] == 1260
    assert counted["terminal"] == 1440
    assert counted["goals"] == [144000, 0]
    assert "9 leaves, 9 states, 0 terminal, 0 + 0 goals" in run("perft", "tic_tac_toe.kif", "1")


def test_explain_networks() -> None:
    sizes = json.loads(run("explain", "tic_tac_toe.kif", "--json"))
    assert sizes["fluents"] >= 19
    assert sizes["moves"] == 20
    assert 0 < sizes["gates"] < 400
    assert "gates after each pass" in run("explain", "tic_tac_toe.kif")
    assert run("explain", "tic_tac_toe.kif", "--dot").startswith("digraph {")
    refused = "breakthrough cannot be explained as a network: it is in RBG"
    assert refused in run("explain", "breakthrough", "--dot", status=1)
