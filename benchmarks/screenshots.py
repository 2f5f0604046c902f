"""The pictures of pages in README.md and docs/web.md, taken in Debian's Chromium.

python -m benchmarks.screenshots
"""

import base64
import tempfile
import time
from pathlib import Path

from tests.support.pages import serving
from tests.ui.web.browser import Page, chromium

import semisplit
from semisplit.agents import parse_agent
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.store.database import Store

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
SIZE = (1180, 760)
MOVES = ("e2-d4", "d7-e5", "g2-f4", "b8-c6", "b1-c3", "f7-g5", "d4-b5", "g5-f3")
PAUSE = 4.0
"""Seconds for agents to think."""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _play_a_match(folder / "results.db")
        with serving(folder) as address, chromium() as browser:
            page = Page(browser, address)
            moves = _wires()
            page.open("game=amazons", *SIZE)
            page.square("d1")
            page.square("d7")
            _save(page, "play")
            page.open(f"view=analyse&game=knightthrough&moves={moves}", *SIZE)
            page.click("[data-testid=compare]")
            _save(page, "analyse")
            page.open("view=design&game=breakthrough", *SIZE)
            page.until(lambda: "No problems" in page.text(".problems"))
            script = """
            const field = document.querySelector(".source");
            field.value = field.value.replace("->me anySquare", "->me anySqare");
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.scrollTop = 220;"""
            page.run(script)
            _save(page, "design")
            page.open("view=watch", *SIZE)
            page.click(".game")
            page.until(lambda: "The beginning" in page.text("[data-testid=turn]"))
            for _ in range(10):
                page.click("[aria-label=Forward]")
                time.sleep(0.1)
            _save(page, "watch")


def _wires() -> str:
    state, wires = semisplit.load("knightthrough").initial_state(), []
    for text in MOVES:
        move = state.parse_move(text)
        wires.append(move.wire)
        state = state.apply(move)
    return ";".join(wires).replace(" ", "+")


def _play_a_match(path: Path) -> None:
    game, agents = semisplit.load("knightthrough"), ("semisplit-nodal@Mod", "orthodox", "flat-mc")
    store = Store(path)
    for pair in (agents[:2], agents[1:], agents[::2]):
        match = Match(game, tuple(map(parse_agent, pair)), 20, "200sims")
        list(play_matches([match], store, None))
    store.close()


def _save(page: Page, name: str) -> None:
    time.sleep(PAUSE)
    taken = page.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    picture = base64.b64decode(taken["data"])
    (FOLDER / f"{name}.png").write_bytes(picture)
    print(f"{name}.png: {len(picture) / 1024:.0f} KB")


if __name__ == "__main__":
    main()
