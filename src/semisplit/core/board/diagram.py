"""Boards as plain text, and back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import count

from semisplit.core.board.geometry import Geometry
from semisplit.core.errors import InputError, UnknownName

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
    return "\n".join(lay_out(geometry, symbols)[0])


Places = list[tuple[int, int]]
"""For each vertex the line of a drawing and the column in it where its symbol begins."""


def lay_out(
    geometry: Geometry, symbols: Sequence[str], *, turned: bool = False
) -> tuple[list[str], Places]:
    """The lines of a drawing, and where the symbols are; turned, it is seen from the other side."""
    if geometry.shape == "graph":
        return _lay_out_list(geometry, symbols)
    hexagonal = geometry.shape == "hexagon"
    widest = max(len(text) for text in (*symbols, *geometry.labels[0]))
    labels = max(map(len, geometry.row_labels)) + 1
    # A hexagon takes two half columns, so its pitch must be even.
    pitch = (widest + 2) // 2 if hexagonal else widest + 1
    step = -1 if turned else 1
    files = " ".join(label.ljust(widest) for label in geometry.column_labels[::step])
    cells = geometry.turned_cells if turned else geometry.cells
    order = sorted(range(len(cells)), key=lambda vertex: cells[vertex][1::-1])
    layers = sorted({z for _, _, z in cells})
    lines: list[str] = []
    places = [(0, 0)] * len(cells)
    for layer in layers:
        vertices = [vertex for vertex in order if cells[vertex][2] == layer]
        lines += [geometry.layer_label(layer)] * (len(layers) > 1) + [""] * hexagonal
        top = len(lines)
        lines += [f"{label:>{labels - 1}} " for label in geometry.row_labels[::step]]
        for vertex in vertices:
            line, column = top + cells[vertex][1], labels + cells[vertex][0] * pitch
            lines[line] = lines[line].ljust(column) + symbols[vertex]
            places[vertex] = line, column
        if hexagonal:
            _label_diagonals(geometry, lines, [(v, *places[v]) for v in vertices], pitch)
        else:
            lines.append((" " * labels + files).rstrip())
    return lines, places


def _label_diagonals(
    geometry: Geometry, lines: list[str], cells: list[tuple[int, int, int]], pitch: int
) -> None:
    """Write the letter of each diagonal above and to the right of its topmost cell."""
    seen: set[str] = set()
    for vertex, line, column in cells:
        diagonal = geometry.diagonal(vertex)
        # Holes may leave no room at the end of the line.
        if diagonal not in seen and len(lines[line - 1]) < column + pitch:
            lines[line - 1] = lines[line - 1].ljust(column + pitch) + diagonal
        seen.add(diagonal)


def _lay_out_list(geometry: Geometry, symbols: Sequence[str]) -> tuple[list[str], Places]:
    lines, places = [""], []
    for name, symbol in zip(geometry.names, symbols):
        entry = f"{name}={symbol}"
        if lines[-1] and len(lines[-1]) + len(entry) >= _LIST_WIDTH:
            lines.append("")
        lines[-1] += f" {entry}" if lines[-1] else entry
        places.append((len(lines) - 1, len(lines[-1]) - len(symbol)))
    return lines, places


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
