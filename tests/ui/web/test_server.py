"""The server: who may ask, what is answered while others think, and what is left of closed tabs."""

import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.hostile import NASTY
from tests.support.pages import Tab, serving, tab

BREAKTHROUGH = {"name": "breakthrough"}


def fetch(address: str, **headers: str) -> tuple[int, dict[str, str]]:
    try:
        with urlopen(Request(address, headers=headers)) as answer:
            return answer.status, dict(answer.headers)
    except HTTPError as error:
        return error.code, {}


def test_the_page_is_there_for_who_knows_the_address(address: str) -> None:
    status, headers = fetch(address)
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]


def test_the_token_is_needed(address: str) -> None:
    site = urlsplit(address)
    for path in ("", "index.html", f"{'x' * (len(site.path) - 2)}/", f"{site.path[1:-1]}x/"):
        assert fetch(f"http://{site.netloc}/{path}")[0] == 403


def test_names_that_lead_here_but_are_not_ours_are_refused(address: str) -> None:
    assert fetch(address, Host="evil.example")[0] == 403
    assert fetch(address, Host=f"evil.example:{urlsplit(address).port}")[0] == 403
    assert fetch(address, Host=f"localhost:{urlsplit(address).port}")[0] == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1"])
def test_tabs_come_from_our_page(address: str, origin: str | None) -> None:
    url = address.replace("http", "ws") + "tab"
    with pytest.raises(InvalidStatus), connect(url, origin=origin):  # type: ignore[arg-type]
        pass


def test_no_file_but_those_of_the_page_is_served(address: str) -> None:
    for path in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd"):
        assert fetch(address + path)[0] in (403, 404)


def test_games_outside_the_folder_are_not_read(page: Tab, folder: Path) -> None:
    secret = folder.parent / "secret.rbg"
    secret.write_text("secret")
    (folder / "link.rbg").symlink_to(secret)
    for name in ("../secret.rbg", str(secret), "link.rbg"):
        told = page.refused("board", "open", rules={"name": name}, position="", moves=[])
        assert "there is no game" in told


def test_agents_in_files_and_on_clusters_are_not_used(page: Tab, folder: Path) -> None:
    agent = folder / "agent.json"
    agent.write_text("{}")
    asked = {"rules": BREAKTHROUGH, "seconds": 1, "position": "", "moves": []}
    for name in (str(agent), f"{agent},cluster=limited"):
        assert "files" in page.refused("left", "think", agent=name, **asked)
    told = page.refused("left", "think", agent="orthodox,cluster=limited", **asked)
    assert "cluster" in told


def test_a_description_in_the_folder_is_opened(page: Tab, folder: Path) -> None:
    from semisplit import games

    (folder / "own.rbg").write_text(games.text("tic_tac_toe"))
    assert "own.rbg" in {game["name"] for game in page.ask("server", "list")["games"]}
    view = page.ask("board", "open", rules={"name": "own.rbg"}, position="", moves=[])
    assert len(view["squares"]) == 9


def test_a_whole_game_by_clicks(page: Tab) -> None:
    view = page.ask("board", "open", rules={"name": "tic_tac_toe"}, position="", moves=[])
    for square in ("b2", "a1", "a2", "c2", "b3", "b1", "c1", "a3", "c3"):
        assert not view["over"]
        view = page.ask("board", "click", square=square)
    assert view["over"]
    assert view["scores"] == [50, 50]
    assert [turn["text"] for turn in view["turns"]][:2] == ["b2", "a1"]


def test_a_click_is_answered_while_an_agent_thinks(page: Tab) -> None:
    page.ask("board", "open", rules=BREAKTHROUGH, position="", moves=[])
    asked = {"rules": BREAKTHROUGH, "agent": "semisplit-nodal@Mod", "position": "", "moves": []}
    thinking = page.send("left", "think", seconds=500, **asked)
    while page.hear().get("event") != "thought":
        pass
    assert page.ask("board", "click", square="b2")["clicked"] == ["b2"]
    branches = page.ask("left", "branches", path=[])
    assert branches[0]["name"].endswith("-")
    assert page.ask("left", "branches", path=[branches[0]["name"]])
    page.send("left", "stop")
    assert page.wait(thinking)["result"] is None


def test_what_an_agent_knows_is_kept_when_the_game_goes_on(page: Tab) -> None:
    asked = {"rules": BREAKTHROUGH, "agent": "orthodox", "position": ""}
    thought = page.ask("left", "think", seconds=0.3, moves=[], **asked)
    expected = thought["line"][1]["wire"]
    known = page.ask("left", "branches", path=[thought["text"]])
    visits = next(one["visits"] for one in known if thought["line"][1]["text"] == one["name"])
    after = page.ask("left", "think", seconds=0.001, moves=[thought["wire"], expected], **asked)
    assert sum(move["visits"] for move in after["moves"]) > visits / 2


def test_nothing_is_left_of_a_closed_tab(address: str) -> None:
    others = _processes()
    with tab(address) as closed:
        asked = {"rules": BREAKTHROUGH, "agent": "orthodox", "position": "", "moves": []}
        closed.send("left", "think", seconds=500, **asked)
        while closed.hear().get("event") != "thought":
            pass
        mine = _processes() - others
        assert mine
    end = time.monotonic() + 30
    while _processes() & mine and time.monotonic() < end:
        time.sleep(0.05)
    assert not _processes() & mine


def _processes() -> set[int]:
    """Processes of tabs that are running: each is the first of a group."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
            command = (stat.parent / "cmdline").read_text()
        except OSError:
            continue
        number, group = int(text.split()[0]), int(text.rpartition(")")[2].split()[2])
        if number == group and "forkserver" in command:
            found.add(number)
    return found


def test_rules_that_take_too_much_are_given_up_with_a_sentence(folder: Path) -> None:
    rules = {"name": "large.rbg", "text": NASTY["2,000 pieces on 40x40"]}
    with serving(folder, "--time-limit", "0.5") as address, tab(address) as page:
        told = page.refused("board", "open", rules=rules, position="", moves=[])
        assert "takes more than 0.5 s" in told
        assert "semisplit --time-limit" in told
        assert page.hear()["event"] == "gone"
        assert page.ask("board", "open", rules=BREAKTHROUGH, position="", moves=[])


def test_requests_that_make_no_sense_are_answered(page: Tab) -> None:
    assert "no game" in page.refused("board", "click", square="a1")
    assert "no request" in page.refused("board", "explode")
    assert "nobody" in page.refused("nobody", "go")
    assert "rules" in page.refused("board", "open", position="", moves=[])
    illegal = {"rules": BREAKTHROUGH, "position": "", "moves": ["50 2 42 3", "50 2 42 3"]}
    assert "move 2" in page.refused("board", "open", **illegal)
    assert page.refused("board", "go", at="x")


def test_chance_draws_whoever_sits_on_its_seat(page: Tab) -> None:
    asked = {"rules": {"name": "pig"}, "agent": "orthodox", "position": "", "seconds": 0.05}
    drawn = {page.ask("left", "think", moves=["roll"], **asked)["text"] for _ in range(12)}
    assert len(drawn) > 1
    assert all(text.startswith("(die ") for text in drawn)


def test_agents_do_not_play_on_a_page_that_shows_what_they_must_not_see(page: Tab) -> None:
    asked = {"rules": {"name": "kuhn_poker"}, "agent": "orthodox", "position": "", "moves": []}
    assert "semisplit play kuhn_poker" in page.refused("left", "think", seconds=1, **asked)
