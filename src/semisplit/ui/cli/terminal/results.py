"""What `tournament`, `reproduce` and `demo` leave behind: a folder with a report and the games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from semisplit.lab.matches.match import Match
    from semisplit.lab.reports.document import Document

STORE = "games.db"


def make_folder(path: Path) -> Path:
    """The folder for results, made if need be."""
    from semisplit.core.errors import InputError

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror}") from error
    return path


def write_results(
    document: Document, matches: Sequence[Match], folder: Path, console: Console
) -> None:
    """Write the report and all games, and say where they are."""
    from semisplit.lab.reports.figures import can_draw
    from semisplit.lab.store.database import Store
    from semisplit.lab.store.export import (
        can_write_parquet,
        game_rows,
        seat_rows,
        write_csv,
        write_parquet,
    )

    report = document.write(folder)
    if matches:
        with closing(Store(folder / STORE)) as store:
            tables = {"games": game_rows(store, matches), "seats": seat_rows(store, matches)}
        for name, rows in tables.items():
            write_csv(rows, folder / f"{name}.csv")
            if can_write_parquet():
                write_parquet(rows, folder / f"{name}.parquet")
        if not can_write_parquet():
            left_out = "Parquet files were left out: pip install 'semisplit[parquet]'"
            console.print(left_out, markup=False)
    if not can_draw():
        console.print("Pictures were left out: pip install 'semisplit[plots]'", markup=False)
    beside = ", the games are beside it" if matches else ""
    console.print(f"The report is {report}{beside}.", markup=False, soft_wrap=True)
