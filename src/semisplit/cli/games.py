"""`semisplit games`: the collection."""

from __future__ import annotations

import json as json_module

from semisplit.cli.options import Json


def games(json: Json = False) -> None:
    """List the bundled games."""
    from rich.console import Console
    from rich.table import Table

    import semisplit
    from semisplit import games as catalogue
    from semisplit.cli.rbg import rbg_rules

    table = Table("game", "title", "players", "board", "vertices", box=None, header_style="bold")
    table.columns[-1].justify = "right"
    rows = []
    for name in catalogue.names():
        description = rbg_rules(semisplit.load(name)).description
        title = catalogue.title(description.source.text)
        shape, vertices = description.board.geometry.shape, len(description.board.names)
        players = list(description.players)
        table.add_row(name, title, ", ".join(players), shape, str(vertices))
        row = {"game": name, "title": title, "players": players}
        rows.append({**row, "board": shape, "vertices": vertices})
    if json:
        print(json_module.dumps(rows))
    else:
        Console().print(table)
