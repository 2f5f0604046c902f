"""Commands at games with chance or hidden information, and with capital letters."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import run


def test_a_person_plays_with_dice() -> None:
    said = run("play", "pig", "--agent", "random", "--budget", "1sims", stdin="roll\nhold\nquit\n")
    assert "random draws (die " in said
    assert "white: " in said


def test_a_person_sees_only_what_there_is_to_see() -> None:
    moves = "check\nbet\nfold\ncall\n" * 3
    said = run("play", "kuhn_poker", "--agent", "random", "--budget", "1sims", stdin=moves)
    before, _, _ = said.partition("the game is over")
    assert "you see (holds " in before
    assert "second plays" not in said
    assert "random draws" not in said
    shown = before.partition("(has first")[0]
    assert "(has " not in shown
    assert "the game is over: first " in said


def test_help_and_mistakes_while_not_all_is_seen() -> None:
    lines = "help\nmoves\nnonsense\nquit\n"
    said = run("play", "hidden_rps", "--agent", "random", "--budget", "1sims", stdin=lines)
    assert "quit       leave the game" in said
    assert "(write rock)" in said
    assert "'nonsense' is not a legal move" in said


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("play pig --side random", "there is no player 'random'"),
        ("solve monty_hall", "a game of chance"),
        ("serve pig --port 0", "`semisplit ggp host`"),
        ("match pig random --budget 1sims --store games.db", "2 players"),
        ("match pig mt-mcts random --budget 1sims --store games.db", "cannot play games of chance"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in run(*command.split(), status=1)


def test_capital_letters_are_read_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_text(
        "(role a) (init (at Rook)) (legal a go) (<= (next (at ROOK)) (true (at Rook)))"
        " (<= terminal (true (at ROOK))) (goal a 5)"
    )

    def has_two_spellings(*options: str) -> bool:
        said = json.loads(run(*options, "check", str(path), "--json"))
        return any("was 'Rook' before" in one["message"] for one in said["warnings"])

    assert has_two_spellings()
    assert not has_two_spellings("--case", "sensitive")
    assert "sensitive" in run("--case", "whatever", "check", str(path), status=2)


def test_show_says_who_draws_and_what_is_hidden() -> None:
    said = run("show", "kuhn_poker")
    assert "players:   first (0..100), second (0..100)" in said
    assert "chance:    random" in said
    assert "players see only what the rules tell them" in said
