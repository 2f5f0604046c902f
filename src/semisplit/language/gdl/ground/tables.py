"""Tables of rows, whose columns are arrays: joins and groups without a loop over rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.ground.rows import TRUE, order_of, ranks_of
from semisplit.language.gdl.ground.vocabulary import Column

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Label = TypeVar("Label")
_LARGEST_KEY = 2**62
_SPARSE = 4
"""Keys are used as indices unless there are so many times as many as rows."""


class TooManyRows(Exception):
    """A join would have more rows than are allowed."""


@dataclass(frozen=True, eq=False)
class Table(Generic[Label]):
    """Rows, given by columns, each with some literals that have to hold for it."""

    length: int
    columns: dict[Label, Column]
    literals: tuple[Column, ...] = ()

    def keep(self, rows: Flags | Integers) -> Table[Label]:
        """Some of the rows."""
        length = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return Table(
            length,
            {label: column[rows] for label, column in self.columns.items()},
            tuple(literal[rows] for literal in self.literals),
        )

    def with_literal(self, literal: Column) -> Table[Label]:
        """The rows with a condition more."""
        return Table(self.length, self.columns, (*self.literals, literal))

    def expected(self, given: Sequence[Label]) -> float:
        """How many rows there are, on an average, for given values in some columns."""
        values = 1
        for label in given:
            values *= self._values[label]
        return self.length / max(1, min(values, self.length))

    @cached_property
    def _values(self) -> dict[Label, int]:
        """How many values there are in each column."""
        return {
            label: int(np.count_nonzero(np.bincount(column)))
            for label, column in self.columns.items()
        }


def join(left: Table[Label], right: Table[Label], most: int) -> Table[Label]:
    """All pairs of rows that agree in the columns they have in common."""
    common = [label for label in left.columns if label in right.columns]
    keys, number = _keys(
        [left.columns[label] for label in common],
        [right.columns[label] for label in common],
        left.length + right.length,
    )
    of_left, of_right = keys[: left.length], keys[left.length :]
    counts = np.bincount(of_right, minlength=number)
    found = counts[of_left]
    total = int(found.sum())
    if total > most:
        raise TooManyRows
    begin = (np.cumsum(counts) - counts)[of_left]
    rows = np.repeat(np.arange(left.length), found)
    places = np.arange(total) + np.repeat(begin - (np.cumsum(found) - found), found)
    others = order_of(of_right, number)[places]
    columns = {label: column[rows] for label, column in left.columns.items()}
    columns |= {
        label: column[others] for label, column in right.columns.items() if label not in columns
    }
    literals = (
        *(literal[rows] for literal in left.literals),
        *(literal[others] for literal in right.literals),
    )
    return Table(total, columns, literals)


def both(one: Table[Label], other: Table[Label]) -> Table[Label]:
    """The rows of two tables with the same columns."""
    return Table(
        one.length + other.length,
        {label: np.concatenate([c, other.columns[label]]) for label, c in one.columns.items()},
        tuple(map(np.concatenate, zip(one.literals, other.literals))),
    )


def look_up(left: Table[Label], right: Table[Label], absent: int) -> Column:
    """The only literal of the row that agrees with each row in all columns of the second table."""
    own = [left.columns[label] for label in right.columns]
    keys, number = _keys(own, [*right.columns.values()], left.length + right.length)
    found = np.full(number, absent, np.int32)
    found[keys[left.length :]] = right.literals[0] if right.literals else TRUE
    return found[keys[: left.length]]


def grouped(columns: Sequence[Column], length: int) -> tuple[Integers, Integers]:
    """One row of each group whose columns are the same, and the number of each row's group."""
    keys, number = _keys(columns, [column[:0] for column in columns], length)
    some = np.full(number, -1)
    some[keys] = np.arange(length)
    is_used = some >= 0
    return some[is_used], (np.cumsum(is_used) - 1)[keys]


def _keys(left: Sequence[Column], right: Sequence[Column], length: int) -> tuple[Integers, int]:
    """Numbers of the rows of two tables, the same where rows are; and a bound for them.

    The numbers of the second table follow those of the first; `length` is that of both.
    """
    both = [np.concatenate(pair) for pair in zip(left, right)]
    keys, bound = np.zeros(length, np.int64), 1
    for column in both:
        terms, size = column.astype(np.int64), int(column.max(initial=0)) + 1
        if bound * size > _SPARSE * (len(keys) + 1000):
            terms, size = _ranked(column, size)
        if bound * size > _LARGEST_KEY:
            keys, bound = _dense(keys, bound)
        keys = keys * size + terms
        bound *= size
    if bound > _SPARSE * (len(keys) + 1000):
        keys, bound = _dense(keys, bound)
    return keys, bound


def _dense(keys: Integers, bound: int) -> tuple[Integers, int]:
    """The same keys numbered without gaps."""
    ranks, begins = ranks_of(keys, order_of(keys, bound))
    return ranks, len(begins)


def _ranked(column: Column, bound: int) -> tuple[Integers, int]:
    """The ranks of the terms in a column, and how many different ones there are."""
    is_there = np.zeros(bound, bool)
    is_there[column] = True
    ranks = np.cumsum(is_there)
    return ranks[column] - 1, int(ranks[-1])
