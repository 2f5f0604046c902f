"""Boards in the colours of a terminal.

A side is told by the colour behind a piece, so that it looks the same on dark and on light
terminals; what kind of piece it is, by its letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from semisplit.core.diagram import lay_out
from semisplit.core.geometry import Geometry

_COLOURS = {
    "white": "black on bright_white",
    "black": "bright_white on grey23",
    "red": "bright_white on red3",
    "blue": "bright_white on blue3",
    "green": "bright_white on green4",
    "yellow": "black on bright_yellow",
    "gold": "black on gold3",
    "silver": "black on grey70",
    "gray": "black on grey50",
    "grey": "black on grey50",
    "orange": "black on dark_orange",
    "purple": "bright_white on purple4",
    "violet": "bright_white on purple4",
    "brown": "bright_white on orange4",
    "pink": "black on pink1",
    "cyan": "black on dark_cyan",
    "magenta": "bright_white on magenta3",
}
_OTHERS = (_COLOURS["cyan"], _COLOURS["magenta"], _COLOURS["orange"], _COLOURS["green"])
"""For players whose names say no colour."""
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
    colours = {player: _player_style(player, number) for number, player in enumerate(players)}
    styles = {symbol: _NEUTRAL for symbol in symbols.values() if symbol != "."}
    return styles | {
        symbols[piece]: f"not dim not reverse {colours[owner]}" for piece, owner in owners.items()
    }


def _player_style(name: str, number: int) -> str:
    for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name):
        for colour, style in _COLOURS.items():
            if word.casefold().startswith(colour):
                return style
    return _OTHERS[number % len(_OTHERS)]


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
