"""Which bit of a set of squares stands for which vertex of the board.

Sets of squares are integers with one bit per vertex. Bits are assigned so that, where the board
allows it, following an edge with some label is the same shift of the integer on every vertex: a
rectangle with holes keeps its holes as bits that are never set, hexagons become skewed rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product

from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.text.boards import Board

_MAX_LABELS = 12
"""Boards with more labels are numbered as they come."""
_SPARSE = 1.25
"""How many times the words of the dense numbering a regular one may take."""


@dataclass(frozen=True)
class Squares:
    """The bits of a board's vertices."""

    bits: tuple[int, ...]
    """The bit of each vertex."""
    shifts: dict[str, Relation]
    """Where the edges with a label lead, in bits."""

    @staticmethod
    def of(board: Board) -> Squares:
        """Choose the bits for a board."""
        bits = _regular(board) or tuple(range(len(board.names)))
        size = max(bits) + 1
        rows = {label: [0] * size for label in board.labels}
        for vertex, edges in enumerate(board.edges):
            for label, target in edges.items():
                rows[label][bits[vertex]] = 1 << bits[target]
        return Squares(bits, {label: Relation(tuple(row)) for label, row in rows.items()})

    @property
    def size(self) -> int:
        """The number of bits, unused ones included."""
        return max(self.bits) + 1

    @property
    def words(self) -> int:
        """The number of 64-bit words of a set."""
        return words_for(self.size)

    @cached_property
    def board(self) -> int:
        """The set of all vertices."""
        return sum(1 << bit for bit in self.bits)


def words_for(size: int) -> int:
    """The number of 64-bit words for so many bits."""
    return (size + 63) // 64


def _regular(board: Board) -> tuple[int, ...] | None:
    """Bits in which every label is one shift; None if there are none or they are too sparse."""
    labels = board.labels
    if not labels or len(labels) > _MAX_LABELS:
        return None
    distances = {
        (label, target - vertex)
        for vertex, edges in enumerate(board.edges)
        for label, target in edges.items()
    }
    if len(distances) == len(labels):
        return None
    steps = _steps_from_first(board, labels)
    if steps is None:
        return None
    axes = _independent_axes(board, labels, steps)
    if axes is None:
        return None
    places = [tuple(sum(map(int.__mul__, step, axis)) for axis in axes) for step in steps]
    best = min(_numberings(places), key=max, default=None)
    if best is None or words_for(max(best) + 1) > _SPARSE * words_for(len(places)):
        return None
    return best


def _steps_from_first(board: Board, labels: list[str]) -> list[tuple[int, ...]] | None:
    """How often each label is followed, forward less backward, from vertex 0 to each vertex."""
    index = {label: place for place, label in enumerate(labels)}
    neighbours: list[list[tuple[int, int, int]]] = [[] for _ in board.names]
    for vertex, edges in enumerate(board.edges):
        for label, target in edges.items():
            neighbours[vertex].append((target, index[label], 1))
            neighbours[target].append((vertex, index[label], -1))
    steps: list[tuple[int, ...] | None] = [None] * len(board.names)
    steps[0] = (0,) * len(labels)
    queue = [0]
    for vertex in queue:
        here = steps[vertex]
        assert here is not None
        for target, place, sign in neighbours[vertex]:
            if steps[target] is None:
                steps[target] = (*here[:place], here[place] + sign, *here[place + 1 :])
                queue.append(target)
    found = [step for step in steps if step is not None]
    return found if len(found) == len(steps) else None


def _independent_axes(
    board: Board, labels: list[str], steps: list[tuple[int, ...]]
) -> list[tuple[int, ...]] | None:
    """Integer lengths for the labels under which all ways to a vertex are equally long.

    Each circle in the board says that a sum of lengths is zero; the axes span all solutions.
    """
    index = {label: place for place, label in enumerate(labels)}
    circles: set[tuple[int, ...]] = set()
    for vertex, edges in enumerate(board.edges):
        for label, target in edges.items():
            circle = [a - b for a, b in zip(steps[vertex], steps[target])]
            circle[index[label]] += 1
            circles.add(tuple(circle))
    basis: dict[int, list[Fraction]] = {}
    for lengths in circles:
        row = [Fraction(number) for number in lengths]
        for pivot, other in basis.items():
            if row[pivot]:
                row = [a - row[pivot] * b for a, b in zip(row, other)]
        pivot = next((place for place, number in enumerate(row) if number), -1)
        if pivot < 0:
            continue
        row = [number / row[pivot] for number in row]
        for place, other in basis.items():
            if other[pivot]:
                basis[place] = [a - other[pivot] * b for a, b in zip(other, row)]
        basis[pivot] = row
        if len(basis) == len(labels):
            return None
    axes = []
    for free in set(range(len(labels))) - set(basis):
        axis = [Fraction(0)] * len(labels)
        axis[free] = Fraction(1)
        for pivot, row in basis.items():
            axis[pivot] = -row[free]
        if any(number.denominator != 1 for number in axis):
            return None
        axes.append(tuple(int(number) for number in axis))
    return axes if len(axes) <= 3 else None


def _numberings(places: list[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Numberings of points with integer coordinates along which each axis is a fixed shift."""
    dimensions = len(places[0])
    extents = [max(p[d] for p in places) - min(p[d] for p in places) + 1 for d in range(dimensions)]
    for order in permutations(range(dimensions)):
        for signs in product((1, -1), repeat=dimensions - 1):
            # Rows may interlock, so the shift from row to row can be less than a row's width.
            for saved in range(extents[order[0]] if dimensions == 2 else 1):
                shifts = [1]
                for axis, sign in zip(order, signs):
                    shifts.append(abs(shifts[-1]) * (extents[axis] - saved) * sign)
                numbers = [
                    sum(point[axis] * shift for axis, shift in zip(order, shifts))
                    for point in places
                ]
                if len(set(numbers)) < len(numbers):
                    break
                first = min(numbers)
                yield tuple(number - first for number in numbers)
