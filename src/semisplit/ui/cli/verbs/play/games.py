"""`semisplit games`: the collection."""

from __future__ import annotations

import json as json_module

from semisplit.core.work import limited
from semisplit.ui.cli.options import Json


@limited()
def games(json: Json = False) -> None:
    """List the bundled games."""
    from rich.console import Console

    import semisplit
    from semisplit import games as catalogue
    from semisplit.lab.reports.document import Table
    from semisplit.ui.cli.terminal.tables import print_table

    columns = ("game", "language", "title", "players", "board", "vertices")
    rows = []
    for name in catalogue.names():
        rules = semisplit.load(name).rules
        title, players = catalogue.title(rules.source.text), [*rules.players]
        geometry = rules.appearance.geometry if rules.appearance else None
        shape, vertices = (geometry.shape, len(geometry.names)) if geometry else (None, None)
        rows.append((name, rules.language.title, title, players, shape, vertices))
    if json:
        print(json_module.dumps([dict(zip(columns, row, strict=True)) for row in rows]))
        return
    cells = (
        (*names, ", ".join(players), shape or "", str(vertices or ""))
        for *names, players, shape, vertices in rows
    )
    print_table(Table("", columns, tuple(cells)), Console())
