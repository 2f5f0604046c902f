"""`semisplit solve`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import semisplit
from semisplit.core.errors import SemisplitError
from semisplit.game import State
from semisplit.search.proof import Proof, Solver
from semisplit.ui.cli.main import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["solve", *arguments])


@pytest.mark.parametrize("agent", ["mt-mcts", "uct-transpositions", "orthodox"])
def test_a_puzzle_is_solved(agent: str) -> None:
    result = run("queens08lg", "--agent", agent, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found["failures"], found["score"], len(found["line"])) == (0, 1.0, 8)
    assert (found["decomposition_seconds"] > 0) == (agent == "mt-mcts")


def test_it_is_solved_several_times() -> None:
    result = run("queens08lg", "--runs", "3", "--json")
    found = json.loads(result.stdout)
    assert found["runs"] == 3
    assert found["mean_seconds"] > found["decomposition_seconds"]
    assert found["mean_playouts"] > 1
    assert "0 of 2 searches failed" in run("queens08lg", "--runs", "2").stdout


def test_what_is_not_solved_is_told() -> None:
    result = run("nonogram_cube", "--budget", "50sims")
    assert result.exit_code == 1
    assert result.stdout.startswith("not solved: the best line has 0% of the score after 50")
    found = json.loads(run("nonogram_cube", "--budget", "50sims", "--json").stdout)
    assert (found["failures"], found["mean_playouts"], found["mean_seconds"]) == (1, None, None)


def test_what_is_done_otherwise_is_told() -> None:
    result = run("eight_puzzle", "--budget", "50sims")
    assert "is one piece: it is searched in one tree, with transpositions" in result.stdout


def test_a_puzzle_in_one_piece_is_solved_without_options() -> None:
    found = json.loads(run("hanoi", "--budget", "200000sims", "--json").stdout)
    assert (found["score"], len(found["line"])) == (1.0, 31)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["connect4_3p"], "3 players"),
        (["queens08lg", "--agent", "random"], "does not search"),
        (["queens08lg", "--budget", "like:orthodox:1s"], "for matches"),
        (["queens08lg", "(put 1 1)"], "not for two"),
        (["tic_tac_toe", "--budget", "10sims"], "10000states"),
        (["tic_tac_toe", "--player", "x"], "xplayer"),
        (["tic_tac_toe", "--position", "nowhere.txt"], "cannot be read"),
        (["rps_well"], "at once"),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, SemisplitError)
    assert message in str(result.exception)


def test_the_value_of_a_position_is_told_with_a_line() -> None:
    result = run("tic_tac_toe", "b2", "a2", "--table", "1")
    assert result.exit_code == 0
    first, second, *line = result.stdout.splitlines()
    assert first == "xplayer wins, 100 to 0"
    assert "of a table of 1 MB" in second
    assert len(line) == 5
    found = json.loads(run("tic_tac_toe", "--player", "oplayer", "--json").stdout)
    assert (found["value"], found["total"], len(found["line"])) == (50, 100, 9)


@pytest.mark.parametrize("split", ["Mod", "Plus"])
def test_moves_may_be_split(split: str) -> None:
    found = json.loads(run("tic_tac_toe", "b2", "--split", split, "--json").stdout)
    assert (found["value"], len(found["line"])) == (50, 8)


def test_a_position_may_come_from_a_file(tmp_path: Path) -> None:
    state = semisplit.load("tic_tac_toe").initial_state().apply("b2").apply("a2")
    (tmp_path / "position.txt").write_text(str(state))
    result = run("tic_tac_toe", "--position", str(tmp_path / "position.txt"))
    assert result.stdout.startswith("xplayer wins, 100 to 0")


def test_what_is_known_is_told_when_the_budget_is_spent() -> None:
    result = run("connect4", "--budget", "2000states", "--table", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("not solved: from 0 to 100 for red\n")


def test_what_is_known_is_told_at_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(solver: Solver, state: State, **_: object) -> None:
        solver.proof = Proof(state, 1, lowest=50, highest=100, total=100)
        raise KeyboardInterrupt

    monkeypatch.setattr(Solver, "solve", interrupt)
    result = run("connect4", "--table", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("not solved: at least a draw for red, 50 to 100\n")
