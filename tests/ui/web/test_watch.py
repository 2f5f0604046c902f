"""Watching matches in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import semisplit
from semisplit.agents import parse_agent
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.store.database import Store
from tests.support.pages import Tab
from tests.ui.web.browser import Page


def play(path: Path, game: str, *agents: str, games: int) -> None:
    match = Match(semisplit.load(game), tuple(map(parse_agent, agents)), games, "10sims")
    store = Store(path)
    list(play_matches([match], store, None))
    store.close()


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[str]:
    """A store with a match that is over and one that goes on."""
    play(folder / "results.db", "tic_tac_toe", "random", "flat-mc", games=4)
    yield "results.db"
    (folder / "results.db").unlink()


def test_without_stores_it_says_how_to_get_one(view: Page) -> None:
    view.open("view=watch")
    view.until(lambda: "semisplit match" in view.text("main"))


def test_standings_follow_the_store(view: Page, store: str, folder: Path) -> None:
    view.open("view=watch")
    view.until(lambda: "4 games so far" in view.text("main"))
    assert "Cross table" in view.text("[data-testid=tables]")
    play(folder / store, "tic_tac_toe", "random", "flat-mc", games=6)
    view.until(lambda: "6 games so far" in view.text("main"))


def test_a_game_move_by_move(view: Page, store: str) -> None:
    view.open("view=watch")
    view.click(".game")
    view.until(lambda: "The beginning" in view.text("[data-testid=turn]"))
    pieces = "return document.querySelectorAll('.replay .piece').length"
    for count in (1, 2, 3):
        view.click("[aria-label=Forward]")
        view.until(lambda count=count: view.run(pieces) == count)  # type: ignore[misc]
    assert view.text("[data-testid=turn]").startswith("3. ")


def test_stores_elsewhere_are_not_read(page: Tab, folder: Path) -> None:
    play(folder.parent / "other.db", "tic_tac_toe", "random", "random", games=1)
    assert "no store" in page.refused("watch", "standing", store="../other.db", known=-1)


def test_a_file_that_is_no_store_is_told(page: Tab, folder: Path) -> None:
    (folder / "broken.db").write_text("no store at all " * 100)
    assert "broken.db" in page.refused("watch", "standing", store="broken.db", known=-1)
    (folder / "broken.db").unlink()
