"""A store of version 3: `tests/data/store_3.db` was written when matches were between A and B.

It has 20 games of a match, three of another one, and a measurement.
"""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from semisplit import Game
from semisplit.agents import parse_agent
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.matches.outcome import Duel, outcome
from semisplit.lab.store.database import IN_MEMORY, Store, StoreError
from tests.support.command_line import run

OLD = Path(__file__).parent.parent / "data" / "store_3.db"


def select(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


def rules() -> str:
    with closing(Store(OLD, read_only=True)) as store:
        return store.replay(1).rules


def old_games(match: int) -> list[tuple[Any, ...]]:
    """The games as the old tables have them."""
    columns = "number, seat, seed_a, seed_b, score_a, score_b, turns, failure"
    return select(OLD, f"SELECT {columns} FROM games WHERE match = {match} ORDER BY number")


def new_games(store: Store, match: Match) -> list[tuple[Any, ...]]:
    """The same of today's tables."""
    seats = store.seat_rows(match.key)
    games = []
    for game, pair in zip(store.rows(match.key), zip(seats[::2], seats[1::2])):
        a, b = pair if pair[0]["agent"] == match.agents[0].name else pair[::-1]
        values = (a["seat"], a["seed"], b["seed"], a["score"], b["score"])
        games.append((game["number"], *values, game["turns"], game["failure"]))
    return games


def moves(games: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Without times, which differ."""
    return [(*game[:6], [turn["move"] for turn in json.loads(game[6])]) for game in games]


def make_match(a: str, b: str, games: int, seed: int) -> Match:
    agents = (parse_agent(a), parse_agent(b))
    return Match(Game.parse(rules(), "old.rbg"), agents, games, "20sims", seed)


COMPLETE = ("flat-mc", "random", 20, 0)
BROKEN_OFF = ("random", "flat-mc", 6, 5)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(OLD, tmp_path / "store.db")
    (tmp_path / "old.rbg").write_text(rules())
    return tmp_path / "store.db"


def test_it_is_an_old_one() -> None:
    assert select(OLD, "PRAGMA user_version") == [(3,)]
    assert (len(old_games(1)), len(old_games(2))) == (20, 3)


def test_the_same_match_gives_the_same_games_as_before() -> None:
    for number, options in ((1, COMPLETE), (2, BROKEN_OFF)):
        match, store = make_match(*options), Store(IN_MEMORY)
        list(play_matches([match], store, None))
        before = moves(old_games(number))
        assert moves(new_games(store, match))[: len(before)] == before


def test_it_is_read_as_it_is(copy: Path) -> None:
    before = copy.read_bytes()
    copy.parent.chmod(0o500)
    replayed = run("replay", str(copy), "2")
    copy.parent.chmod(0o700)
    assert "cross: random\nnought: flat-mc\n" in replayed
    assert "the game is over: cross 0, nought 100" in replayed
    with closing(Store(copy, read_only=True)) as store:
        match = make_match(*COMPLETE)
        assert new_games(store, match) == old_games(1)
        read = store.seat_rows(match.key)
    assert copy.read_bytes() == before
    assert sorted(path.name for path in copy.parent.iterdir()) == ["old.rbg", "store.db"]
    # What is read is what is written when it is brought up to date.
    with closing(Store(copy)) as store:
        assert store.seat_rows(match.key) == read


def test_it_is_brought_up_to_date(copy: Path) -> None:
    with closing(Store(copy)) as store:
        for number, options in ((1, COMPLETE), (2, BROKEN_OFF)):
            assert new_games(store, make_match(*options)) == old_games(number)
        assert store.measurement("measured") is not None
        first, second = store.seat_rows(make_match(*COMPLETE).key)[:2]
    assert (first["player"], second["player"]) == ("cross", "nought")
    turns = [turn for turn in json.loads(old_games(1)[0][6]) if turn["player"] == 1]
    for what in ("seconds", "simulations", "states"):
        assert first[what] == pytest.approx(sum(turn[what] for turn in turns))
    for table in ("matches", "games"):
        columns = "id, created" if table == "matches" else "id, match, versions, finished"
        query = f"SELECT {columns} FROM {table}"
        assert select(copy, query) == select(OLD, query)
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    fresh = copy.parent / "fresh.db"
    Store(fresh).close()
    assert select(copy, tables) == select(fresh, tables)
    assert select(copy, "PRAGMA user_version") == select(fresh, "PRAGMA user_version")
    assert select(copy, "PRAGMA integrity_check") == [("ok",)]


def test_its_numbers_stay(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they were printed by the program that wrote it."""
    monkeypatch.chdir(copy.parent)
    options = ("old.rbg", "flat-mc", "random", "--budget", "20sims", "--store", str(copy))
    printed = run("match", *options, "--games", "20")
    assert printed.endswith(
        "flat-mc against random at old.rbg, 20sims per move\n"
        "20 games: 18 won, 0 drawn, 2 lost\n"
        "score 90.0 (60.2 to 98.7) %: better\n"
        "Elo difference from +72 to +758\n"
        "flat-mc as cross 100.0, nought 80.0 %\n"
        "random as cross 20.0, nought 0.0 %\n"
    )
    printed = run("match", *options, "--games", "18", "--stop", "sprt")
    assert "score 94.4 (50.2 to 100.0) %: better\nElo difference from +1 to +1444\n" in printed
    told = json.loads(run("match", *options, "--games", "20", "--json"))
    assert told.pop("seats") == [{"cross": 1.0, "nought": 0.8}, {"cross": 0.2, "nought": 0.0}]
    assert told.pop("ci95") == pytest.approx([0.6020008385, 0.9873946369])
    assert told == {
        **{"game": "old.rbg", "a": "flat-mc", "b": "random", "games": 20, "distinct": 20},
        **{"wins": 18, "draws": 0, "losses": 2, "score": 0.9, "verdict": "better"},
    }


def test_a_match_in_it_goes_on(copy: Path) -> None:
    match, whole = make_match(*BROKEN_OFF), Store(IN_MEMORY)
    list(play_matches([match], whole, None))
    with closing(Store(copy)) as store:
        *_, (_, games) = play_matches([match], store, None)
        found = new_games(store, match)
    assert found[:3] == old_games(2)
    assert moves(found) == moves(new_games(whole, match))
    ended = outcome(match, games)
    assert isinstance(ended, Duel)
    assert ended.record.games == 6
    # Edited rules are noticed.
    with closing(Store(copy)) as store:
        edited = Game.parse(rules() + "// edited\n", "old.rbg")
        other = Match(edited, match.agents, 6, "20sims", 5)
        assert store.set_aside(other.key) == 6
        assert store.set_aside(match.key) == 0


def test_several_may_bring_it_up_to_date_at_once(copy: Path) -> None:
    script = "from pathlib import Path; from semisplit.lab.store.database import Store; input();"
    command = [sys.executable, "-c", f"{script} Store(Path({str(copy)!r}))"]
    makers = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(3)]
    time.sleep(3)
    for one in makers:
        assert one.stdin is not None
        one.stdin.write(b"\n")
        one.stdin.flush()
    assert [one.wait(timeout=60) for one in makers] == [0, 0, 0]
    assert select(copy, "SELECT count(*) FROM seats") == [(46,)]


def test_it_stays_as_it_is_if_that_fails(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute("UPDATE matches SET rules = 'none' WHERE id = 2")
    with pytest.raises(StoreError, match="it is damaged"):
        Store(copy)
    assert select(copy, "PRAGMA user_version") == [(3,)]
    assert select(copy, "SELECT count(*) FROM games WHERE seat = 1") == [(12,)]
