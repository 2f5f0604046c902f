"""Tables on the terminal, in which no word is cut: names have to be typed again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from semisplit.lab.reports.document import Table

_GAP = 2
_NUMBER = re.compile(r"[-+]?[\d,.]*%?")


def print_table(table: Table, console: Console) -> None:
    """Print a table; row by row if the words of a row do not fit beside each other."""
    from rich.text import Text

    if table.title:
        console.print()
        console.print(Text(table.title, style="italic"), soft_wrap=True)
    columns = [*zip(table.header, *table.rows)]
    narrow = [
        max(len(word) for cell in cells for word in cell.split() or [""]) for cells in columns
    ]
    wide = [max(map(len, cells)) for cells in columns]
    room = console.width - _GAP * (len(columns) - 1)
    if sum(narrow) <= room:
        _print_columns(columns, _shared_out(narrow, wide, room), console)
    else:
        _print_rows(table, console)


def _shared_out(narrow: list[int], wide: list[int], room: int) -> list[int]:
    """The width of each column: the widest are made narrower until all fit."""
    widths = list(wide)
    while sum(widths) > room:
        wrapped = (place for place, least in enumerate(narrow) if widths[place] > least)
        widths[max(wrapped, key=widths.__getitem__)] -= 1
    return widths


def _print_columns(columns: list[tuple[str, ...]], widths: list[int], console: Console) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    # The space that divides columns is one half of the gap.
    shown = RichTable(
        box=box.SIMPLE_HEAD,
        show_header=any(title for title, *_ in columns),
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP - 1, 0, 0),
    )
    for (title, *cells), width in zip(columns, widths):
        is_number = all(map(_NUMBER.fullmatch, cells))
        shown.add_column(Text(title), width=width, justify="right" if is_number else "left")
    for row in zip(*(cells for _, *cells in columns)):
        shown.add_row(*map(Text, row))
    console.print(shown)


def _print_rows(table: Table, console: Console) -> None:
    from rich.text import Text

    for name, *cells in table.rows:
        console.print(Text(name, style="bold"), soft_wrap=True)
        for title, cell in zip(table.header[1:], cells):
            if cell:
                console.print(Text(f"  {title}: {cell}" if title else f"  {cell}"), soft_wrap=True)
