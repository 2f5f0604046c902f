"""Relations between squares that the board alone decides, known when the game is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache


@dataclass(frozen=True)
class Relation:
    """For each bit the set of squares it leads to."""

    rows: tuple[int, ...]

    @staticmethod
    def identity(board: int, size: int) -> Relation:
        """Every square of the board leads to itself."""
        return Relation(tuple(board & 1 << bit for bit in range(size)))

    def then(self, other: Relation) -> Relation:
        """First this relation, then the other."""
        if self.is_identity and not other.domain & ~self.domain:
            return other
        return _composed(self, other)

    def __or__(self, other: Relation) -> Relation:
        return Relation(tuple(a | b for a, b in zip(self.rows, other.rows)))

    def closure(self, board: int) -> Relation:
        """Any number of steps, none included."""
        rows: list[int] = []
        for bit in range(len(self.rows)):
            reached = frontier = board & 1 << bit
            while frontier:
                source = (frontier & -frontier).bit_length() - 1
                if source < bit:
                    # Where lower squares lead is known in full.
                    reached |= rows[source]
                    frontier &= ~rows[source]
                else:
                    new = self.rows[source] & ~reached
                    reached |= new
                    frontier = frontier ^ 1 << source | new
            rows.append(reached)
        return Relation(tuple(rows))

    @cached_property
    def inverse(self) -> Relation:
        """These pairs, the other way round."""
        if self.constant is not None:
            return Relation(
                tuple(self.domain * (self.constant >> bit & 1) for bit in range(len(self.rows)))
            )
        rows = [0] * len(self.rows)
        for source, row in enumerate(self.rows):
            for target in bits_of(row):
                rows[target] |= 1 << source
        return Relation(tuple(rows))

    @cached_property
    def domain(self) -> int:
        """The squares that lead anywhere."""
        return sum(1 << bit for bit, row in enumerate(self.rows) if row)

    @cached_property
    def constant(self) -> int | None:
        """What every square of the domain leads to, if it is the same."""
        images = {row for row in self.rows if row}
        return images.pop() if len(images) == 1 else None

    @cached_property
    def is_identity(self) -> bool:
        """Whether no square leads to another one."""
        return all(row in (0, 1 << bit) for bit, row in enumerate(self.rows))

    @cached_property
    def is_function(self) -> bool:
        """Whether no square leads to more than one."""
        return all(row & (row - 1) == 0 for row in self.rows)

    @cached_property
    def most(self) -> int:
        """How many squares a square leads to at most."""
        return max(row.bit_count() for row in self.rows)

    @cached_property
    def shifts(self) -> dict[int, int]:
        """The squares that are moved by each distance."""
        shifts: dict[int, int] = {}
        for source, row in enumerate(self.rows):
            for target in bits_of(row):
                shifts[target - source] = shifts.get(target - source, 0) | 1 << source
        return shifts

    @cached_property
    def functions(self) -> list[Relation]:
        """The parts of a relation that move squares by the same distance."""
        return [
            Relation(
                tuple(
                    row & (1 << bit + distance) if bit + distance >= 0 else 0
                    for bit, row in enumerate(self.rows)
                )
            )
            for distance in self.shifts
        ]

    def has_more_shifts(self, number: int) -> bool:
        """Whether squares are moved by more than so many distances."""
        # To count them takes long if each square leads to many.
        return self.most > number or len(self.shifts) > number

    @cached_property
    def longest_path(self) -> int | None:
        """The number of steps after which no square is left; None if there is a circle."""
        squares, length = self.domain, 0
        while squares:
            # Squares from which another step is possible: what leads into the domain of the rest.
            left = sum(1 << bit for bit in bits_of(squares) if self.rows[bit] & squares)
            length += 1
            if left == squares:
                return None
            squares = left
        return length


@lru_cache(maxsize=128)
def _composed(first: Relation, then: Relation) -> Relation:
    """First one relation, then another. The rules ask for few of them, but again and again."""
    if then.constant is not None:
        constant, domain = then.constant, then.domain
        return Relation(tuple(constant if row & domain else 0 for row in first.rows))
    rows = then.rows
    cache: dict[int, int] = {}
    result = []
    for row in first.rows:
        if row not in cache:
            reached = 0
            for bit in bits_of(row):
                reached |= rows[bit]
            cache[row] = reached
        result.append(cache[row])
    return Relation(tuple(result))


def bits_of(squares: int) -> Iterator[int]:
    """The members of a set, lowest first."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest
