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
    from semisplit.rbg.language import RbgRules

    columns = ("game", "language", "title", "players", "board", "vertices")
    table = Table(*columns, box=None, header_style="bold")
    table.columns[-1].justify = "right"
    rows = []
    for name in catalogue.names():
        rules = semisplit.load(name).rules
        title, players = catalogue.title(rules.source.text), [*rules.players]
        language = "RBG" if isinstance(rules, RbgRules) else "GDL"
        geometry = rules.appearance.geometry if rules.appearance else None
        shape, vertices = (geometry.shape, len(geometry.names)) if geometry else (None, None)
        table.add_row(name, language, title, ", ".join(players), shape, str(vertices or ""))
        row = (name, language, title, players, shape, vertices)
        rows.append(dict(zip(columns, row, strict=True)))
    if json:
        print(json_module.dumps(rows))
    else:
        Console().print(table)
