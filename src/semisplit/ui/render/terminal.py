"""Boards in the colours of a terminal.

A side is told by the colour behind a piece, so that it looks the same on dark and on light
terminals; what kind of piece it is, by its letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from semisplit.core.board.diagram import lay_out
from semisplit.core.board.geometry import Geometry
from semisplit.ui.render.colours import player_colours

_LABEL = "dim"
_NEUTRAL = "not dim bold"
_MARK = "not dim reverse yellow"
"""Without colours it is still the other way round."""


def piece_styles(
    symbols: Mapping[str, str], players: Sequence[str], owners: Mapping[str, str]
) -> dict[str, str]:
    """How to show each symbol.

    Args:
        symbols: The symbol of each piece.
        players: The names of all players.
        owners: The player to whom each piece belongs, if to one.
    """
    colours = player_colours(players)
    styles = {symbol: _NEUTRAL for symbol in symbols.values() if symbol != "."}
    return styles | {
        symbols[piece]: f"not dim not reverse {colours[owner].style}"
        for piece, owner in owners.items()
    }


def board(
    geometry: Geometry,
    cells: Sequence[str],
    styles: Mapping[str, str],
    *,
    marked: Iterable[int] = (),
    turned: bool = False,
) -> Text:
    """A coloured diagram.

    Args:
        geometry: The board.
        cells: The symbol on each vertex.
        styles: How to show each symbol.
        marked: Vertices that stand out.
        turned: Whether to show the board from the other side.
    """
    drawn, places = lay_out(geometry, cells, turned=turned)
    lines = [Text(line, style=_LABEL) for line in drawn]
    for vertex in marked:
        line, column = places[vertex]
        end = column + len(cells[vertex]) + 1
        lines[line].pad_right(end - len(lines[line]))
        lines[line].stylize(_MARK, column - 1, end)
    for (line, column), symbol in zip(places, cells):
        lines[line].stylize(styles.get(symbol, ""), column, column + len(symbol))
    return Text("\n").join([*lines, Text()])
