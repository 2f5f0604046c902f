"""Stores of version 3, whose matches were between two agents A and B, as those of today.

What today's tables would contain is selected from the old ones: to be read as if it were there, or
to be put there once and for all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from semisplit.core.errors import SemisplitError
from semisplit.game import Game

OLD_VERSION = 3
_TABLES = {
    "matches": "SELECT id, key, game, rules, budget, used, seed, created FROM {matches}",
    "agents": """
        SELECT id AS match, 0 AS agent, a AS name, configuration_a AS configuration FROM {matches}
        UNION ALL SELECT id, 1, b, configuration_b FROM {matches}""",
    "games": "SELECT id, match, number, turns, failure, versions, finished FROM {games}",
    "seats": """
        SELECT old.id AS game, here.seat, player_name(rules, here.seat) AS player,
            here.seat != old.seat AS agent, iif(here.seat = old.seat, seed_a, seed_b) AS seed,
            iif(here.seat = old.seat, score_a, score_b) AS score,
            (SELECT round(total(json_extract(value, '$.seconds')), 6) FROM json_each(turns)
                WHERE json_extract(value, '$.player') = here.seat) AS seconds,
            (SELECT coalesce(sum(json_extract(value, '$.simulations')), 0) FROM json_each(turns)
                WHERE json_extract(value, '$.player') = here.seat) AS simulations,
            (SELECT coalesce(sum(json_extract(value, '$.states')), 0) FROM json_each(turns)
                WHERE json_extract(value, '$.player') = here.seat) AS states
        FROM (SELECT 1 AS seat UNION ALL SELECT 2) AS here, {games} AS old
        JOIN {matches} AS whole ON whole.id = old.match""",
}


def show_old(database: sqlite3.Connection) -> None:
    """Let an old store be read as it is: views take the places of tables, in memory only."""
    database.create_function("player_name", 2, _player_name, deterministic=True)
    database.execute("PRAGMA temp_store = MEMORY")
    for name, select in _TABLES.items():
        old = select.format(matches="main.matches", games="main.games")
        database.execute(f"CREATE TEMP VIEW {name} AS {old}")


def upgrade(database: sqlite3.Connection, make_tables: Callable[[], None]) -> None:
    """Move everything to new tables, within a transaction of the caller."""
    database.create_function("player_name", 2, _player_name, deterministic=True)
    database.execute("ALTER TABLE matches RENAME TO old_matches")
    database.execute("ALTER TABLE games RENAME TO old_games")
    make_tables()
    for name, select in _TABLES.items():
        old = select.format(matches="old_matches", games="old_games")
        database.execute(f"INSERT INTO {name} {old}")
    database.execute("DROP TABLE old_games")
    database.execute("DROP TABLE old_matches")


def _player_name(rules: str, seat: int) -> str | None:
    try:
        return Game.parse(rules).players[seat - 1]
    except SemisplitError:
        # These rules have been played: the store is damaged, and no table takes such a name.
        return None
