"""Games as rows of a table, for other programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from importlib.util import find_spec
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from semisplit.lab.matches.match import Match
from semisplit.lab.reports.document import write_file
from semisplit.lab.store.database import Store


def can_write_parquet() -> bool:
    """Whether pyarrow is there."""
    return find_spec("pyarrow") is not None


def game_rows(store: Store, matches: Iterable[Match]) -> list[dict[str, Any]]:
    """One row for each game that has been played."""
    return [_flat(row) for match in matches for row in store.rows(match.key)]


def seat_rows(store: Store, matches: Iterable[Match]) -> list[dict[str, Any]]:
    """One row for each seat of these games: who sat there, what it got and what it spent."""
    return [row for match in matches for row in store.seat_rows(match.key)]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """The turns of a game as its moves."""
    turns = json.loads(row.pop("turns"))
    row["plies"] = len(turns)
    row["moves"] = " ".join(turn["text"] for turn in turns)
    return row


def write_csv(rows: list[dict[str, Any]], path: Path) -> None:
    """Write rows as comma-separated values with a header."""
    text = StringIO(newline="")
    writer = csv.DictWriter(text, rows[0] if rows else [])
    writer.writeheader()
    writer.writerows(rows)
    write_file(path, text.getvalue().encode())


def write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    """Write rows as a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    content = BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), content)
    write_file(path, content.getvalue())
