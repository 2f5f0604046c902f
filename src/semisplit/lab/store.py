"""Results in an SQLite file: one row per game or measurement, written when it ends.

Whatever happens to the program, a row is either in the store completely or not at all.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from semisplit.core.errors import SemisplitError
from semisplit.lab.circumstances import circumstances
from semisplit.lab.play import Played, Turn

_VERSION = 3
_PATIENCE = 30.0
"""Seconds to wait for another program that uses the file."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,      -- what makes it this match and no other
    game TEXT NOT NULL,
    rules TEXT NOT NULL,           -- the description of the game
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    configuration_a TEXT NOT NULL, -- JSON
    configuration_b TEXT NOT NULL,
    budget TEXT NOT NULL,          -- as it was asked for
    used TEXT NOT NULL,            -- as it was measured, where it had to be
    seed INTEGER NOT NULL,
    created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) STRICT;
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,       -- in its match, from 0; an even one and the next are a pair
    seat INTEGER NOT NULL,         -- which player A is, from 1
    seed_a TEXT NOT NULL,
    seed_b TEXT NOT NULL,
    score_a REAL NOT NULL,         -- as a part of the player's bound
    score_b REAL NOT NULL,
    turns TEXT NOT NULL,           -- JSON: moves, times, simulations, states, expected scores
    failure TEXT,
    versions TEXT NOT NULL,        -- JSON: the circumstances, which may change during a match
    finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (match, number)
) STRICT;
CREATE TABLE IF NOT EXISTS measurements (
    key TEXT PRIMARY KEY,          -- JSON: what was measured
    figures TEXT NOT NULL,         -- JSON
    versions TEXT NOT NULL,
    finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) STRICT;
"""


class StoreError(SemisplitError):
    """The store cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class MatchKey:
    """What makes a match: the same again goes on with it."""

    game: str
    rules: str
    a: str
    b: str
    configuration_a: str
    configuration_b: str
    budget: str
    seed: int

    def text(self) -> str:
        """As one string."""
        return json.dumps(list(vars(self).values()))


@dataclass(frozen=True)
class StoredGame:
    """A game as it is in the store."""

    id: int
    number: int
    seat: int
    score_a: float
    score_b: float
    failure: str | None


class Store:
    """A file of results.

    Args:
        path: The file, which is made if need be.
        read_only: Neither make nor change anything, in the file and beside it.
    """

    def __init__(self, path: Path, *, read_only: bool = False):
        self._path = path
        if path.is_dir():
            raise StoreError(f"cannot use the store {path}: it is a folder; a file in it would do")
        with self._explained():
            if read_only:
                self._database = self._connect_for_reading()
            else:
                self._database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
                self._use_log()
                self._database.execute("PRAGMA synchronous = FULL")
            self._check(may_create=not read_only)

    def _use_log(self) -> None:
        # SQLite waits for who writes, but not for who makes this very change in a new file.
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
            time.sleep(0.02)

    def _connect_for_reading(self) -> sqlite3.Connection:
        # Nobody is writing if there is no log; otherwise SQLite has to read it and to lock.
        has_log = Path(f"{self._path}-wal").exists()
        uri = f"{self._path.absolute().as_uri()}?{'mode=ro' if has_log else 'immutable=1'}"
        return sqlite3.connect(uri, timeout=_PATIENCE, isolation_level=None, uri=True)

    def _check(self, *, may_create: bool) -> None:
        # In one question: another program may be making the tables of the same file just now.
        found, tables = self._database.execute(
            "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
        ).fetchone()
        if found == _VERSION:
            return
        if found != 0 or tables or not may_create:
            raise StoreError(f"{self._path} is not a store of this version of semisplit")
        script = f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;"
        self._database.executescript(script)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite says into what to do about it."""
        try:
            yield
        except sqlite3.OperationalError as error:
            advice = {
                "locked": "another program is writing to it; wait for it, or use another --store",
                "full": "the disk is full; make room and give the same command again",
                "unable to open": "the folder does not exist, or it or the file may not be used",
                "readonly": "the file may not be written to",
            }
            reason = next((text for word, text in advice.items() if word in str(error)), str(error))
            raise StoreError(f"cannot use the store {self._path}: {reason}") from error
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"cannot use the store {self._path}: it is damaged or no store at all ({error});"
                " use another --store"
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def match(self, key: MatchKey, used: str) -> tuple[int, str]:
        """The number of a match, begun if it is new, and the budget it uses."""
        with self._explained(), self._transaction():
            self._database.execute(
                "INSERT OR IGNORE INTO matches (key, game, rules, a, b, configuration_a,"
                " configuration_b, budget, used, seed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    key.text(),
                    key.game,
                    key.rules,
                    key.a,
                    key.b,
                    key.configuration_a,
                    key.configuration_b,
                    key.budget,
                    used,
                    key.seed,
                ),
            )
        found = self.find_match(key)
        assert found is not None
        return found

    def find_match(self, key: MatchKey) -> tuple[int, str] | None:
        """The number and the budget of a match that has been begun."""
        with self._explained():
            row = self._database.execute(
                "SELECT id, used FROM matches WHERE key = ?", (key.text(),)
            ).fetchone()
        return row if row is None else (int(row[0]), str(row[1]))

    def find_measured(self, key: MatchKey) -> str | None:
        """The budget that another match of the same game asked for likewise, as it was measured."""
        with self._explained():
            row = self._database.execute(
                "SELECT used FROM matches WHERE rules = ? AND budget = ? ORDER BY id LIMIT 1",
                (key.rules, key.budget),
            ).fetchone()
        return None if row is None else str(row[0])

    def set_aside(self, key: MatchKey) -> int:
        """How many games there are of matches that differ in nothing but rules or configurations.

        A description or a configuration was edited; what was played before belongs to the old one.
        """
        with self._explained():
            (count,) = self._database.execute(
                "SELECT count(*) FROM games JOIN matches ON matches.id = games.match WHERE game = ?"
                " AND a = ? AND b = ? AND budget = ? AND seed = ? AND key != ?",
                (key.game, key.a, key.b, key.budget, key.seed, key.text()),
            ).fetchone()
        return int(count)

    def add_game(
        self, match: int, number: int, seat: int, seeds: tuple[int, int], played: Played, jobs: int
    ) -> None:
        """Write down a game that is over; one that is there already stays as it is."""
        turns = json.dumps([vars(turn) for turn in played.turns])
        scores = played.scores[seat - 1], played.scores[2 - seat]
        used = json.dumps({**circumstances(), "jobs": str(jobs)})
        with self._explained(), self._transaction():
            self._database.execute(
                "INSERT OR IGNORE INTO games (match, number, seat, seed_a, seed_b, score_a,"
                " score_b, turns, failure, versions) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (match, number, seat, *map(str, seeds), *scores, turns, played.failure, used),
            )

    def games(self, match: int) -> list[StoredGame]:
        """All games of a match, in order."""
        with self._explained():
            rows = self._database.execute(
                "SELECT id, number, seat, score_a, score_b, failure FROM games"
                " WHERE match = ? ORDER BY number",
                (match,),
            ).fetchall()
        return [StoredGame(*row) for row in rows]

    def rows(self, key: MatchKey) -> list[dict[str, Any]]:
        """All games of a match with what the match says about them, for tables elsewhere."""
        with self._explained():
            found = self._database.execute(
                "SELECT games.id, game, a, b, budget, used, seed, versions, number, seat, seed_a,"
                " seed_b, score_a, score_b, failure, finished, turns FROM games"
                " JOIN matches ON matches.id = games.match WHERE matches.key = ? ORDER BY number",
                (key.text(),),
            )
            names = [column[0] for column in found.description]
            return [dict(zip(names, row)) for row in found]

    def add_measurement(self, key: str, figures: dict[str, Any]) -> None:
        """Write down what has been measured."""
        with self._explained(), self._transaction():
            self._database.execute(
                "INSERT OR IGNORE INTO measurements (key, figures, versions) VALUES (?, ?, ?)",
                (key, json.dumps(figures), json.dumps(circumstances())),
            )

    def measurement(self, key: str) -> tuple[dict[str, Any], dict[str, str]] | None:
        """What was measured before, and the circumstances."""
        with self._explained():
            row = self._database.execute(
                "SELECT figures, versions FROM measurements WHERE key = ?", (key,)
            ).fetchone()
        return None if row is None else (json.loads(row[0]), json.loads(row[1]))

    def replay(self, game: int) -> tuple[str, str, tuple[str, str], list[Turn], str | None]:
        """Name and rules of a game's game, the agents by player, the turns, how it failed."""
        with self._explained():
            row = self._database.execute(
                "SELECT game, rules, a, b, seat, turns, failure FROM games"
                " JOIN matches ON matches.id = games.match WHERE games.id = ?",
                (game,),
            ).fetchone()
            (last,) = self._database.execute("SELECT max(id) FROM games").fetchone()
        if row is None:
            some = f"games have the numbers 1 to {last}" if last else "it has no games"
            raise StoreError(f"there is no game {game} in {self._path}; {some}")
        name, rules, a, b, seat, turns, failure = row
        agents = (a, b) if seat == 1 else (b, a)
        return name, rules, agents, [Turn(**turn) for turn in json.loads(turns)], failure
