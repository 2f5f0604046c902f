"""`semisplit solve`."""

import json

import pytest
from typer.testing import CliRunner, Result

from semisplit.core.errors import InputError
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
        (["tic_tac_toe"], "2 players"),
        (["queens08lg", "--agent", "random"], "does not search"),
        (["queens08lg", "--budget", "like:orthodox:1s"], "for matches"),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
