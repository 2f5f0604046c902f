"""Boards in the colours of a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from semisplit.core.diagram import draw
from semisplit.core.geometry import Geometry

_COLOURS = (
    "bold bright_white",
    "bold bright_red",
    "bold bright_yellow",
    "bold bright_green",
    "bold bright_cyan",
    "bold bright_magenta",
    "bold bright_blue",
)
_LABEL = "dim"
_EMPTY = "bright_black"


def piece_styles(symbols: Mapping[str, str]) -> dict[str, str]:
    """A colour for each symbol; symbols that differ only in case by colour, too."""
    filled = [symbol for symbol in symbols.values() if symbol != "."]
    styles = {symbol: _COLOURS[i % len(_COLOURS)] for i, symbol in enumerate(filled)}
    if any(symbol.swapcase() in filled for symbol in filled):
        # Upper and lower case are the two sides of games like chess.
        styles = {symbol: _COLOURS[symbol[0].islower()] for symbol in filled}
    return {**styles, ".": _EMPTY}


def board(geometry: Geometry, cells: Sequence[str], styles: Mapping[str, str]) -> Text:
    """A coloured diagram, given the symbol on each vertex."""
    text = Text()
    for number, line in enumerate(draw(geometry, cells).splitlines()):
        text.append_text(_line(geometry, line, number, styles))
        text.append("\n")
    return text


def _line(geometry: Geometry, line: str, number: int, styles: Mapping[str, str]) -> Text:
    if geometry.shape == "graph":
        return _list_line(line, styles)
    lines_per_layer = geometry.rows + (2 if line.startswith("layer") else 1)
    hexagon = geometry.shape == "hexagon"
    is_label = number == 0 if hexagon else number % lines_per_layer == geometry.rows
    text = Text(line, style=_LABEL)
    if is_label or line.startswith("layer"):
        return text
    row = number - hexagon
    expected = sum(cell[1] == row for cell in geometry.cells)
    position = len(str(geometry.rows))
    for place, symbol in enumerate(line.split()[1:]):
        start = line.index(symbol, position)
        position = start + len(symbol)
        if not hexagon or place < expected:
            text.stylize(f"not dim {styles.get(symbol, '')}", start, position)
    return text


def _list_line(line: str, styles: Mapping[str, str]) -> Text:
    text = Text()
    for word in line.split():
        name, _, symbol = word.partition("=")
        text.append(f"{name}=", style=_LABEL)
        text.append(f"{symbol} ", style=styles.get(symbol, ""))
    return text
