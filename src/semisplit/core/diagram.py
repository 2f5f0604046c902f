"""Boards as plain text, and back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import count

from semisplit.core.errors import InputError, UnknownName
from semisplit.core.geometry import Geometry, letters

_LIST_WIDTH = 72


def empty_piece(pieces: Collection[str]) -> str | None:
    """The piece that stands for an empty square, told by its name."""
    return next((name for name in ("empty", "e") if name in pieces), None)


def piece_symbols(pieces: Sequence[str]) -> dict[str, str]:
    """A short, unique symbol for each piece: `.` for the empty square, else initials."""
    symbols: dict[str, str] = {}
    for piece in pieces:
        initials = piece[0] + "".join(re.findall(r"[A-Z0-9]", piece[1:]))
        candidates = [initials, *(piece[:n] for n in range(2, len(piece) + 1))]
        if piece == empty_piece(pieces):
            candidates.insert(0, ".")
        numbered = (f"{initials}{n}" for n in count(2))
        taken = symbols.values()
        free = (c for options in (candidates, numbered) for c in options if c not in taken)
        symbols[piece] = next(free)
    return symbols


def draw(geometry: Geometry, symbols: Sequence[str]) -> str:
    """Draw a board, given the symbol on each vertex, with coordinates around it."""
    if geometry.shape == "graph":
        return _draw_list(geometry, symbols)
    layers = sorted({layer for _, _, layer in geometry.cells})
    pictures = []
    for layer in layers:
        picture = _draw_layer(geometry, symbols, layer)
        pictures.append(f"layer {layer + 1}\n{picture}" if len(layers) > 1 else picture)
    return "\n".join(pictures)


def _draw_layer(geometry: Geometry, symbols: Sequence[str], layer: int) -> str:
    widest = max(len(symbol) for symbol in symbols)
    hexagonal = geometry.shape == "hexagon"
    labels = len(str(geometry.rows)) + 1
    # A hexagon takes two half columns, so its pitch must be even.
    pitch = (widest + 2) // 2 if hexagonal else widest + 1
    lines = [f"{geometry.rows - row:>{labels - 1}} " for row in range(geometry.rows)]
    for (column, row, z), symbol in zip(geometry.cells, symbols):
        if z == layer:
            lines[row] = lines[row].ljust(labels + column * pitch) + symbol
    if hexagonal:
        return "\n".join(_label_diagonals(geometry, lines, labels, pitch))
    files = " ".join(letters(x).ljust(widest) for x in range(geometry.columns))
    return "\n".join([*lines, (" " * labels + files).rstrip()])


def _label_diagonals(geometry: Geometry, lines: list[str], labels: int, pitch: int) -> list[str]:
    """Write the letter of each diagonal above and to the right of its topmost cell."""
    lines = ["", *lines]
    seen: set[str] = set()
    for name, (column, row, _) in zip(geometry.names, geometry.cells):
        diagonal = name.rstrip("0123456789")
        start = labels + (column + 1) * pitch
        # Holes may leave no room at the end of the line.
        if diagonal not in seen and len(lines[row]) < start:
            lines[row] = lines[row].ljust(start) + diagonal
        seen.add(diagonal)
    return lines


def _draw_list(geometry: Geometry, symbols: Sequence[str]) -> str:
    lines = [""]
    for name, symbol in zip(geometry.names, symbols):
        entry = f"{name}={symbol}"
        if lines[-1] and len(lines[-1]) + len(entry) >= _LIST_WIDTH:
            lines.append("")
        lines[-1] += f" {entry}" if lines[-1] else entry
    return "\n".join(lines)


def read(geometry: Geometry, text: str) -> dict[int, str]:
    """Read a diagram as `draw` makes it, coordinates optional: the symbol on each vertex.

    A graph's diagram may leave out vertices.
    """
    if geometry.shape == "graph":
        return _read_list(geometry, text)
    lines = [line.split() for line in text.splitlines() if line.strip()]
    lines = [words for words in lines if words[0] != "layer"]
    layers = 1 + max(layer for _, _, layer in geometry.cells)
    if len(lines) == layers * (geometry.rows + 1):
        # One line of letters for each layer, above hexagons and below squares.
        skip = 0 if geometry.shape == "hexagon" else geometry.rows
        lines = [words for i, words in enumerate(lines) if i % (geometry.rows + 1) != skip]
    if len(lines) != layers * geometry.rows:
        raise InputError(
            f"the diagram has {len(lines)} lines, but the board has {layers * geometry.rows} rows"
        )
    diagonals = {name.rstrip("0123456789") for name in geometry.names}
    found: dict[int, str] = {}
    for i, words in enumerate(lines):
        layer, row = divmod(i, geometry.rows)
        vertices = [v for v, cell in enumerate(geometry.cells) if cell[1:] == (row, layer)]
        if words and words[0] == str(geometry.rows - row):
            words = words[1:]
        if geometry.shape == "hexagon" and diagonals.issuperset(words[len(vertices) :]):
            words = words[: len(vertices)]
        if len(words) != len(vertices):
            raise InputError(
                f"row {geometry.rows - row} of the diagram has {len(words)} squares,"
                f" but the board has {len(vertices)} there"
            )
        found.update(zip(vertices, words))
    return found


def _read_list(geometry: Geometry, text: str) -> dict[int, str]:
    vertices = {name: vertex for vertex, name in enumerate(geometry.names)}
    found: dict[int, str] = {}
    for word in text.split():
        name, equals, symbol = word.partition("=")
        if name not in vertices:
            raise UnknownName("vertex", name, vertices)
        if not equals or not symbol:
            raise InputError(f"expected '{name}=piece' in the diagram, found '{word}'")
        found[vertices[name]] = symbol
    return found
