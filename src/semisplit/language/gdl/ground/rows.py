"""Rows of literals in one array, and what passes do with them, without a loop over rows.

The literal of an atom or node is twice its number, one more if it is negated. Number 0 never holds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
FALSE, TRUE = 0, 1
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of literals, each of which belongs to something: its owner."""

    owners: Integers
    starts: Integers
    """Where each row begins, and the end of all."""
    literals: Integers

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def counts(self) -> Integers:
        """The number of literals in each row."""
        return np.diff(self.starts)

    @property
    def numbers(self) -> Integers:
        """The row of each literal."""
        return np.repeat(np.arange(len(self)), self.counts)

    def keep(self, rows: Flags) -> Rows:
        """Some of the rows."""
        counts = self.counts
        return made(self.owners[rows], counts[rows], self.literals[np.repeat(rows, counts)])

    def only(self, literals: Flags) -> Rows:
        """All rows, with some of their literals."""
        counts = np.bincount(self.numbers[literals], minlength=len(self))
        return made(self.owners, counts, self.literals[literals])

    def mapped(self, literals: Integers) -> Rows:
        """The rows with other literals in the same places."""
        return Rows(self.owners, self.starts, literals)

    def tidy(self) -> Rows:
        """The literals of each row sorted, and each only once; contradictory rows are left out."""
        bound = int(self.literals.max(initial=0)) + 1
        numbers, literals = np.divmod(np.sort(self.numbers * bound + self.literals), bound)
        same_row = np.zeros(len(literals), bool)
        same_row[1:] = numbers[1:] == numbers[:-1]
        repeated, opposite = same_row.copy(), same_row.copy()
        repeated[1:] &= literals[1:] == literals[:-1]
        opposite[1:] &= literals[1:] == literals[:-1] ^ 1
        wrong = np.zeros(len(self), bool)
        wrong[numbers[opposite]] = True
        counts = np.bincount(numbers[~repeated], minlength=len(self))
        return made(self.owners, counts, literals[~repeated]).keep(~wrong)

    def hashes(self, *, with_owner: bool) -> NDArray[np.uint64]:
        """A number for each row that does not depend on the order of its literals."""
        sums = row_sums(self, mixed(self.literals))
        return sums + mixed(-1 - self.owners) if with_owner else sums


def made(owners: Integers, counts: Integers, literals: Integers) -> Rows:
    """Rows with so many literals each."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return Rows(owners, starts, literals)


def joined(*parts: Rows) -> Rows:
    """The rows of several, one after the other."""
    return made(
        np.concatenate([part.owners for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.literals for part in parts]),
    )


def mixed(numbers: Integers) -> NDArray[np.uint64]:
    """Scrambled numbers, whose sums differ if the numbers do, but for an unheard-of accident."""
    x = numbers.astype(np.uint64) * _MIX[0]
    x = (x ^ (x >> np.uint64(29))) * _MIX[1]
    result: NDArray[np.uint64] = x ^ (x >> np.uint64(32))
    return result


def row_sums(rows: Rows, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The sum of the values of each row's literals."""
    total = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(values, out=total[1:])
    result: NDArray[np.uint64] = total[rows.starts[1:]] - total[rows.starts[:-1]]
    return result


def spread(starts: Integers, counts: Integers) -> Integers:
    """The numbers from each start on, so many of them."""
    result: Integers = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return result + np.arange(len(result))


def distinct(numbers: Integers) -> Integers:
    """Each number once, in order; `np.unique` looks them up in a table, which takes far longer."""
    numbers = np.sort(numbers)
    is_new = np.ones(len(numbers), bool)
    is_new[1:] = numbers[1:] != numbers[:-1]
    return numbers[is_new]


def order_of(numbers: Integers, bound: int) -> Integers:
    """The places of numbers below a bound in order; those of the same number in their own order."""
    bits = len(numbers).bit_length()
    numbers = numbers.astype(np.int64)
    if bound.bit_length() + bits > 63:
        return np.argsort(numbers, kind="stable")
    # To sort whole integers takes a fraction of the time that sorting their places does.
    places: Integers = np.sort((numbers << bits) | np.arange(len(numbers)))
    return places & ((1 << bits) - 1)


def ranks_of(numbers: Integers | NDArray[np.uint64], order: Integers) -> tuple[Integers, Integers]:
    """The rank of each number among all different ones, and where each rank begins in an order."""
    ordered = numbers[order]
    is_new = np.ones(len(numbers), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    ranks = np.empty(len(numbers), np.int64)
    ranks[order] = np.cumsum(is_new) - 1
    return ranks, np.flatnonzero(is_new)


def unique_rows(rows: Rows, *, with_owner: bool) -> Integers:
    """For each row the first one that is the same; the rows have to be tidy."""
    hashes = rows.hashes(with_owner=with_owner)
    order = np.argsort(hashes)
    ranks, begin = ranks_of(hashes, order)
    # Where sorting has put which of the same hashes depends on the processor.
    first = np.minimum.reduceat(order, begin) if len(begin) else order
    same: Integers = first[ranks]
    counts = rows.counts
    assert np.array_equal(counts, counts[same]), "two different rows have the same hash"
    others = rows.literals[spread(rows.starts[:-1][same], counts)]
    assert np.array_equal(rows.literals, others), "two different rows have the same hash"
    return same


def write_rows(rows: Rows, sign: str, outputs: Integers) -> str:
    """One row in each line, with a sign behind its owner, then the outputs; `~` negates."""
    lines = [
        f"{owner} {sign} {' '.join(map(_write, rows.literals[start:end]))}"
        for owner, start, end in zip(rows.owners, rows.starts[:-1], rows.starts[1:])
    ]
    return "\n".join([*lines, f"out {' '.join(map(_write, outputs))}"])


def _write(literal: int) -> str:
    return f"{'~' if literal & 1 else ''}{literal >> 1}"
