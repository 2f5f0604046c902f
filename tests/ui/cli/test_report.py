"""The report on a game, on the command line."""

from pathlib import Path

from tests.support.command_line import run


def test_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    told = run("report", "tic_tac_toe", "--seconds", "0.3", "--out", str(page))
    assert "won by xplayer in %" in told
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert "<script" not in text


def test_what_cannot_be_reported_is_told(tmp_path: Path) -> None:
    assert "did you mean 'tic_tac_toe'" in run("report", "tic_tac_to", status=1)
    nowhere = str(tmp_path / "nowhere" / "page.html")
    told = run("report", "tic_tac_toe", "--seconds", "0.1", "--out", nowhere, status=1)
    assert "cannot write" in told
