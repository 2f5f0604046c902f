"""Where the vertices of a board lie, and what people call them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Shape = Literal["rectangle", "hexagon", "cuboid", "graph"]


@dataclass(frozen=True)
class Geometry:
    """The layout of a board, from which it can be drawn without knowing the game."""

    shape: Shape
    names: tuple[str, ...]
    """What people call each vertex: `a1` at the bottom left, or its own name in a graph."""
    cells: tuple[tuple[int, int, int], ...] = ()
    """Column, row from the top and layer of each vertex; hexagons count columns in half cells.
    Empty for graphs."""
    labels: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = ((), (), ())
    """What columns, rows from the top and layers are called; letters and numbers if empty."""

    @property
    def rows(self) -> int:
        """The number of rows, 0 for graphs."""
        return 1 + max((row for _, row, _ in self.cells), default=-1)

    @property
    def columns(self) -> int:
        """The number of columns (half columns for hexagons), 0 for graphs."""
        return 1 + max((column for column, _, _ in self.cells), default=-1)

    @property
    def column_labels(self) -> Sequence[str]:
        """What to write below each column."""
        return self.labels[0] or [letters(x) for x in range(self.columns)]

    @property
    def row_labels(self) -> Sequence[str]:
        """What to write beside each row, from the top."""
        return self.labels[1] or [str(number) for number in range(self.rows, 0, -1)]

    def layer_label(self, layer: int) -> str:
        """What to write above a layer."""
        return self.labels[2][layer] if self.labels[2] else f"layer {layer + 1}"

    def diagonal(self, place: int) -> str:
        """What a hexagon's diagonal that rises to the right is called."""
        name = self.names[place]
        return name.rpartition(" ")[0] or name.rstrip("0123456789")

    @property
    def turned_cells(self) -> tuple[tuple[int, int, int], ...]:
        """The cells as they lie for a player above the board."""
        rows, columns = self.rows, self.columns
        return tuple((columns - 1 - x, rows - 1 - y, z) for x, y, z in self.cells)

    def on_a_grid(self) -> Geometry:
        """Return this board with a layout if it has none, but vertices with names as in chess."""
        found = [re.fullmatch(r"([a-z])([1-9][0-9]?)", name) for name in self.names]
        if self.shape != "graph" or not all(found):
            return self
        places = [(ord(match[1]) - ord("a"), int(match[2]) - 1) for match in found if match]
        columns, rows = {x for x, _ in places}, {y for _, y in places}
        # Names like v1, v2, v3 are no coordinates.
        if not (1 < len(columns) == 1 + max(columns) and 1 < len(rows) == 1 + max(rows)):
            return self
        return rectangle([(x, len(rows) - 1 - y) for x, y in places], len(rows))


def rectangle(cells: Sequence[tuple[int, int]], rows: int) -> Geometry:
    """Squares given as (column, row), named as in chess."""
    names = tuple(f"{letters(x)}{rows - y}" for x, y in cells)
    return Geometry("rectangle", names, tuple((x, y, 0) for x, y in cells))


def cuboid(cells: Sequence[tuple[int, int, int]], rows: int) -> Geometry:
    """Cells given as (column, row, layer), named as in chess behind the layer's number."""
    names = tuple(f"{z + 1}{letters(x)}{rows - y}" for x, y, z in cells)
    return Geometry("cuboid", names, tuple(cells))


def hexagon(cells: Sequence[tuple[int, int]], widths: Sequence[int]) -> Geometry:
    """Hexagons given as (place in the row, row), for rows of the given widths.

    The letter of a cell is its diagonal rising to the right, the number its row from below.
    """
    widest = max(widths)
    peak = len(widths) - 1 - list(reversed(widths)).index(widest)
    names = tuple(f"{letters(x + max(0, y - peak))}{len(widths) - y}" for x, y in cells)
    return Geometry("hexagon", names, tuple((2 * x + widest - widths[y], y, 0) for x, y in cells))


def graph(names: Sequence[str]) -> Geometry:
    """Vertices without a layout."""
    return Geometry("graph", tuple(names))


def letters(number: int) -> str:
    """a, b, ..., z, aa, ab, ... for 0, 1, 2, ..."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
