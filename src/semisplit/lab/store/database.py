"""Results in an SQLite file: a game with its seats, or a measurement, written when it ends.

Whatever happens to the program, it is either in the store completely or not at all.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

from semisplit.core.errors import SemisplitError
from semisplit.lab.matches.play import Played, Turn
from semisplit.lab.store.circumstances import circumstances
from semisplit.lab.store.upgrade import OLD_VERSION, show_old, upgrade

IN_MEMORY = Path(":memory:")
"""A store that is gone when it is closed."""
_VERSION = 4
_EQUAL = 1e-12
_PATIENCE = 30.0
"""Seconds to wait for another program that uses the file."""
_SCHEMA = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,      -- what makes it this match and no other
    game TEXT NOT NULL,
    rules TEXT NOT NULL,           -- the description of the game
    budget TEXT NOT NULL,          -- as it was asked for
    used TEXT NOT NULL,            -- as it was measured, where it had to be
    seed INTEGER NOT NULL,
    created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) STRICT;
CREATE TABLE agents (
    match INTEGER NOT NULL REFERENCES matches,
    agent INTEGER NOT NULL,        -- in its match, from 0
    name TEXT NOT NULL,
    configuration TEXT NOT NULL,   -- JSON
    PRIMARY KEY (match, agent)
) STRICT;
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,       -- in its match, from 0
    turns TEXT NOT NULL,           -- JSON: moves, times, simulations, states, expected scores
    failure TEXT,
    versions TEXT NOT NULL,        -- JSON: the circumstances, which may change during a match
    finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (match, number)
) STRICT;
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,         -- the number of the player, from 1
    player TEXT NOT NULL,          -- the name of the player
    agent INTEGER NOT NULL,        -- who sits there
    seed TEXT NOT NULL,
    score REAL NOT NULL,           -- as a part of the player's bound
    seconds REAL NOT NULL,         -- in all turns, as the next two
    simulations INTEGER NOT NULL,
    states INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
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
    agents: tuple[str, ...]
    configurations: tuple[str, ...]
    budget: str
    seed: int

    def text(self) -> str:
        """As one string."""
        agents = (*self.agents, *self.configurations)
        return json.dumps([self.game, self.rules, *agents, self.budget, self.seed])


@dataclass(frozen=True)
class Seat:
    """Who sits on a seat of a game that was played."""

    number: int
    """That of the player."""
    player: str
    agent: int
    seed: int


@dataclass(frozen=True)
class StoredGame:
    """A game as it is in the store."""

    id: int
    number: int
    agents: tuple[int, ...]
    """By seats."""
    scores: tuple[float, ...]
    failure: str | None = None

    def scores_of(self, agent: int) -> list[float]:
        """What an agent got, on each of its seats."""
        return [score for who, score in zip(self.agents, self.scores) if who == agent]

    @cached_property
    def result(self) -> float:
        """What the first of two agents got: 1, 1/2 or 0.

        Who has the higher score, on average over the seats of each, has won.
        """
        first, second = (fmean(self.scores_of(agent)) for agent in (0, 1))
        # Errors of rounding must not win games.
        return 0.5 if abs(first - second) < _EQUAL else float(first > second)


@dataclass(frozen=True)
class Replay:
    """A game to be seen again."""

    game: str
    rules: str
    players: tuple[str, ...]
    agents: tuple[str, ...]
    """By seats."""
    scores: tuple[float, ...]
    """By seats, as parts of the players' bounds."""
    turns: tuple[Turn, ...]
    failure: str | None


@dataclass(frozen=True)
class StoredMatch:
    """A match as it is in the store."""

    id: int
    game: str
    rules: str
    budget: str
    """As it was asked for."""
    used: str
    """As it was measured, where it had to be."""
    seed: int
    agents: tuple[str, ...]
    configurations: tuple[str, ...]
    """In JSON."""


class Store:
    """A file of results.

    Args:
        path: The file, which is made, or brought up to this version, if need be.
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
            self._check(read_only=read_only)

    def _use_log(self) -> None:
        # SQLite waits for writers, but not for one that makes this very change in a new file.
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
        # No process writes if there is no log; otherwise SQLite has to read it and to lock.
        has_log = Path(f"{self._path}-wal").exists()
        uri = f"{self._path.absolute().as_uri()}?{'mode=ro' if has_log else 'immutable=1'}"
        return sqlite3.connect(uri, timeout=_PATIENCE, isolation_level=None, uri=True)

    def _check(self, *, read_only: bool) -> None:
        found, _ = self._version()
        if found == _VERSION:
            return
        if read_only:
            if found != OLD_VERSION:
                raise self._foreign()
            show_old(self._database)
            return
        with self._transaction():
            # Another program may have been faster.
            found, tables = self._version()
            if found == OLD_VERSION:
                upgrade(self._database, self._make_tables)
            elif found == 0 and not tables:
                self._make_tables()
            elif found != _VERSION:
                raise self._foreign()
            self._database.execute(f"PRAGMA user_version = {_VERSION}")

    def _version(self) -> tuple[int, int]:
        """The version of the file, and how many tables it has."""
        # In one question: another program may be making them just now.
        found, tables = self._database.execute(
            "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
        ).fetchone()
        return found, tables

    def _make_tables(self) -> None:
        for statement in _SCHEMA.split(";"):
            self._database.execute(statement)

    def _foreign(self) -> StoreError:
        return StoreError(f"{self._path} is not a store of this version of semisplit")

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
            new = self._database.execute(
                "INSERT OR IGNORE INTO matches (key, game, rules, budget, used, seed)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (key.text(), key.game, key.rules, key.budget, used, key.seed),
            )
            if new.rowcount:
                agents = zip(key.agents, key.configurations)
                self._database.executemany(
                    "INSERT INTO agents VALUES (?, ?, ?, ?)",
                    [(new.lastrowid, number, *agent) for number, agent in enumerate(agents)],
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
            found = self._database.execute(
                "SELECT id FROM matches WHERE game = ? AND budget = ? AND seed = ? AND key != ?",
                (key.game, key.budget, key.seed, key.text()),
            ).fetchall()
            return sum(self._count(match) for (match,) in found if self._names(match) == key.agents)

    def matches(self) -> list[StoredMatch]:
        """All matches, in the order in which they were begun."""
        with self._explained():
            rows = self._database.execute(
                "SELECT id, game, rules, budget, used, seed, name, configuration FROM matches"
                " JOIN agents ON match = id ORDER BY id, agent"
            ).fetchall()
        found = []
        for (match, game, rules, budget, used, seed), agents in groupby(
            rows, itemgetter(*range(6))
        ):
            names, configurations = zip(*(row[6:] for row in agents))
            about = (match, game, rules, budget, used, seed)
            found.append(StoredMatch(*about, names, configurations))
        return found

    def _count(self, match: int) -> int:
        (count,) = self._database.execute(
            "SELECT count(*) FROM games WHERE match = ?", (match,)
        ).fetchone()
        return int(count)

    def _names(self, match: int) -> tuple[str, ...]:
        rows = self._database.execute(
            "SELECT name FROM agents WHERE match = ? ORDER BY agent", (match,)
        )
        return tuple(name for (name,) in rows)

    def add_game(
        self, match: int, number: int, seats: Sequence[Seat], played: Played, jobs: int | None
    ) -> None:
        """Write down a game that is over; one that is there already stays as it is."""
        turns = json.dumps([_turn_row(turn) for turn in played.turns])
        used = json.dumps({**circumstances(), "jobs": str(jobs or 1)})
        with self._explained(), self._transaction():
            new = self._database.execute(
                "INSERT OR IGNORE INTO games (match, number, turns, failure, versions)"
                " VALUES (?, ?, ?, ?, ?)",
                (match, number, turns, played.failure, used),
            )
            if new.rowcount:
                self._database.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (new.lastrowid, *_seat_row(seat, score, played))
                        for seat, score in zip(seats, played.scores, strict=True)
                    ],
                )

    def games(self, match: int) -> list[StoredGame]:
        """All games of a match, in order."""
        return self._games("match = ?", match)

    def game(self, match: int, number: int) -> StoredGame:
        """A game of a match, which has been played."""
        (game,) = self._games("match = ? AND number = ?", match, number)
        return game

    def _games(self, condition: str, *values: int) -> list[StoredGame]:
        with self._explained():
            rows = self._database.execute(
                "SELECT id, number, failure, agent, score FROM games JOIN seats ON game = id"
                f" WHERE {condition} ORDER BY number, seat",
                values,
            ).fetchall()
        games = []
        for (game, number, failure), seats in groupby(rows, itemgetter(0, 1, 2)):
            agents, scores = zip(*(row[3:] for row in seats))
            games.append(StoredGame(game, number, agents, scores, failure))
        return games

    def rows(self, key: MatchKey) -> list[dict[str, Any]]:
        """All games of a match with what the match says about them, for tables elsewhere."""
        return self._select(
            "SELECT games.id, match, game, budget, used, seed, versions, number, failure, finished,"
            " turns FROM games JOIN matches ON matches.id = match WHERE key = ? ORDER BY number",
            key,
        )

    def seat_rows(self, key: MatchKey) -> list[dict[str, Any]]:
        """All seats in the games of a match."""
        return self._select(
            "SELECT games.id, match, matches.game, budget, number, seat, player, name AS agent,"
            " seats.seed, score, seconds, simulations, states FROM seats"
            " JOIN games ON games.id = seats.game JOIN matches ON matches.id = match"
            " JOIN agents USING (match, agent) WHERE key = ? ORDER BY number, seat",
            key,
        )

    def _select(self, query: str, key: MatchKey) -> list[dict[str, Any]]:
        with self._explained():
            found = self._database.execute(query, (key.text(),))
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

    def replay(self, game: int) -> Replay:
        """A game, given by its number in the store."""
        with self._explained():
            row = self._database.execute(
                "SELECT game, rules, turns, failure FROM games"
                " JOIN matches ON matches.id = match WHERE games.id = ?",
                (game,),
            ).fetchone()
            (last,) = self._database.execute("SELECT max(id) FROM games").fetchone()
            seats = self._database.execute(
                "SELECT player, name, score FROM seats JOIN games ON games.id = game"
                " JOIN agents USING (match, agent) WHERE game = ? ORDER BY seat",
                (game,),
            ).fetchall()
        if row is None:
            some = f"games have the numbers 1 to {last}" if last else "it has no games"
            raise StoreError(f"there is no game {game} in {self._path}; {some}")
        name, rules, written, failure = row
        turns = tuple(Turn(**turn) for turn in json.loads(written))
        players, agents, scores = zip(*seats)
        return Replay(name, rules, players, agents, scores, turns, failure)


def _turn_row(turn: Turn) -> dict[str, Any]:
    """A turn; that nothing was given up is not written down, as always."""
    return {name: value for name, value in vars(turn).items() if value or name != "abandoned"}


def _seat_row(seat: Seat, score: float, played: Played) -> tuple[Any, ...]:
    turns = [turn for turn in played.turns if turn.player == seat.number]
    return (
        *(seat.number, seat.player, seat.agent, str(seat.seed), score),
        round(sum(turn.seconds for turn in turns), 6),
        sum(turn.simulations for turn in turns),
        sum(turn.states for turn in turns),
    )
