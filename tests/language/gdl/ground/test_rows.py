"""Rows of literals, in one array."""

from itertools import chain

import numpy as np

from semisplit.language.gdl.ground.rows import Rows, made, spread, unique_rows, write_rows
from tests.support.analysed import text


def rows(*literals: list[int]) -> Rows:
    """Rows that belong to the atoms 7, 8 ..."""
    counts = np.array([len(row) for row in literals])
    return made(
        7 + np.arange(len(literals)), counts, np.array([*chain.from_iterable(literals)], np.int64)
    )


def test_tidy_rows_are_sorted_and_can_hold() -> None:
    tidy = rows([6, 2, 6], [4, 5], [3]).tidy()
    assert write_rows(tidy, "<-", np.array([14])) == text("""
        7 <- 1 3
        9 <- ~1
        out 7
        """)


def test_rows_that_are_the_same_have_the_same_first_one() -> None:
    some = rows([2, 4], [6], [2, 4])
    assert unique_rows(some, with_owner=False).tolist() == [0, 1, 0]
    assert unique_rows(some, with_owner=True).tolist() == [0, 1, 2]


def test_spread_numbers_run_from_each_start() -> None:
    assert spread(np.array([5, 20]), np.array([3, 2])).tolist() == [5, 6, 7, 20, 21]
