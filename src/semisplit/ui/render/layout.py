"""Where the squares of a board lie in pictures, and what is written around them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, pi, sqrt
from typing import NamedTuple

import numpy as np

from semisplit.core.board.geometry import Geometry
from semisplit.ui.render.pieces import circle

SIZE = 40
"""The width of a square."""
_SQUARE = "M-20-20h40v40h-40z"
_HEXAGON = "M0-23.1L20-11.55V11.55L0 23.1L-20 11.55V-11.55z"
_LABEL = 0.8
"""How far labels are from the middle of the square beside them, in squares."""
_MOST_SPREAD = 200
"""Vertices of a graph that are laid out by their distances, in less than a second."""
_ROUNDS = 100

Point = tuple[float, float]


class Label(NamedTuple):
    """What is written somewhere, and how wide it may be."""

    x: float
    y: float
    text: str
    width: float = 0.9


@dataclass
class Layout:
    """A board in the plane, in squares, y going down."""

    outline: str
    """The border of each square around its centre, as a path."""
    centres: list[Point]
    labels: list[Label] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    """Places that are joined by a line, if pieces lie on points."""


def lay_out(
    geometry: Geometry, neighbours: Sequence[Collection[int]], *, on_points: bool, turned: bool
) -> Layout:
    """The layout of a board.

    Args:
        geometry: The board.
        neighbours: The places next to each place.
        on_points: Whether to draw points with lines between neighbours in place of squares.
        turned: Whether it is seen from the other side.
    """
    if geometry.on_a_grid().cells:
        layout = _lay_out_cells(geometry.on_a_grid(), turned)
    else:
        sign = -1 if turned else 1
        points = spread(tuple(tuple(sorted(others)) for others in neighbours))
        layout = Layout("", [(sign * x, sign * y) for x, y in points])
        named = zip(layout.centres, geometry.names)
        layout.labels = [Label(x, y + 0.65, name, 1.4) for (x, y), name in named]
    if not on_points:
        return layout
    layout.outline = circle(19)
    pairs = ((one, other) for one, others in enumerate(neighbours) for other in others)
    layout.lines = sorted({(min(pair), max(pair)) for pair in pairs})
    return layout


def _lay_out_cells(geometry: Geometry, turned: bool) -> Layout:
    """Rows and columns, layers side by side."""
    cells = geometry.turned_cells if turned else geometry.cells
    hexagonal = geometry.shape == "hexagon"
    across, down = (0.5, sqrt(3) / 2) if hexagonal else (1, 1)
    layers = sorted({z for _, _, z in cells})
    abreast = ceil(sqrt(len(layers)))
    layout = Layout(_HEXAGON if hexagonal else _SQUARE, [(0, 0)] * len(cells))
    for number, layer in enumerate(layers):
        left = number % abreast * (across * geometry.columns + 1.5)
        top = number // abreast * (down * geometry.rows + 2)
        members = [place for place, (_, _, z) in enumerate(cells) if z == layer]
        for place in members:
            x, y, _ = cells[place]
            layout.centres[place] = left + across * x, top + down * y
        if len(layers) > 1:
            middle = left + across * (geometry.columns - 1) / 2
            above = top - (_LABEL + hexagonal)
            name = Label(middle, above, geometry.layer_label(layer), across * geometry.columns)
            layout.labels.append(name)
        label = _label_hexagons if hexagonal else _label_squares
        layout.labels += label(geometry, layout.centres, members, turned)
    return layout


def _label_squares(
    geometry: Geometry, centres: Sequence[Point], members: Sequence[int], turned: bool
) -> Iterator[Label]:
    """Rows on the left, columns below."""
    step = -1 if turned else 1
    left, top = (min(centres[place][axis] for place in members) for axis in (0, 1))
    for y, label in enumerate(geometry.row_labels[::step]):
        yield Label(left - _LABEL, top + y, label)
    for x, label in enumerate(geometry.column_labels[::step]):
        yield Label(left + x, top + geometry.rows - 1 + _LABEL, label)


def _label_hexagons(
    geometry: Geometry, centres: Sequence[Point], members: Sequence[int], turned: bool
) -> Iterator[Label]:
    """Rows left of their first cell, diagonals above and to the right of their topmost one."""
    rows: dict[int, int] = {}
    diagonals: dict[str, int] = {}
    for place in sorted(members, key=lambda place: centres[place][::-1]):
        rows.setdefault(geometry.cells[place][1], place)
        diagonals.setdefault(geometry.diagonal(place), place)
    for row, place in rows.items():
        x, y = centres[place]
        yield Label(x - _LABEL, y, geometry.row_labels[row])
    taken = {(round(2 * x), round(y * 2 / sqrt(3))) for x, y in (centres[p] for p in members)}
    for diagonal, place in diagonals.items():
        x, y = centres[place]
        # Holes may leave no room.
        if (round(2 * x) + 1, round(y * 2 / sqrt(3)) - 1) not in taken:
            yield Label(x + _LABEL / 2, y - _LABEL * sqrt(3) / 2, diagonal)


@lru_cache(maxsize=16)
def spread(neighbours: tuple[tuple[int, ...], ...]) -> list[Point]:
    """Points for the vertices of a graph, as far from each other as in the graph if possible.

    That is multidimensional scaling: classical, and then by stress majorization. Points are
    complex numbers.
    """
    number = len(neighbours)
    if not 2 < number <= _MOST_SPREAD:
        across = ceil(sqrt(number))
        return [(1.5 * (vertex % across), 1.5 * (vertex // across)) for vertex in range(number)]
    wanted = _distances(neighbours)
    squares = wanted**2
    means = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((means + means[:, None] - squares - means.mean()) / 2)
    axes = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    # Vertices that are alike would be on the same point.
    points = axes[:, 1] + 1j * axes[:, 0] + 0.1 * np.exp(2j * pi * np.arange(number) / number)
    for _ in range(_ROUNDS):
        apart = points[:, None] - points
        points = (wanted * apart / np.maximum(abs(apart), 1e-9)).mean(axis=1)
    # The first vertex is above on the left.
    if points[0].real > 0:
        points = -points.conj()
    if points[0].imag > 0:
        points = points.conj()
    nearest = (abs(points[:, None] - points) + np.diag(np.full(number, np.inf))).min()
    scale = 1.5 / max(nearest, abs(points).max() / (2 * sqrt(number)))
    return [(scale * float(point.real), scale * float(point.imag)) for point in points]


def _distances(neighbours: Sequence[Collection[int]]) -> np.ndarray:
    """How many edges it takes from each vertex to each other; where there is no way, a bit more."""
    number = len(neighbours)
    found = np.full((number, number), -1.0)
    for start in range(number):
        found[start, start] = 0
        reached = [start]
        for here in reached:
            for other in neighbours[here]:
                if found[start, other] < 0:
                    found[start, other] = found[start, here] + 1
                    reached.append(other)
    found[found < 0] = found.max() + 1
    return found
