"""Passes on sums of products: the rules before, and after."""

import pytest

from semisplit.language.gdl.network.sums import factor, fold, group, reach
from tests.support.analysed import text
from tests.support.networks import sums


def test_fold_replaces_what_is_always_the_same() -> None:
    before = text("""
        7 <-
        8 <- 7 1
        9 <- ~8 2
        10 <- 11
        11 <- 10
        out 7 9 10
        """)
    assert str(fold(sums(before))) == text("""
        9 <- ~1 2
        out ~0 9 0
        """)


def test_reach_leaves_out_what_nothing_depends_on() -> None:
    before = text("""
        7 <- 1 2
        8 <- 3 4
        9 <- 7 ~5
        out 9
        """)
    assert str(reach(sums(before))) == text("""
        7 <- 1 2
        9 <- ~5 7
        out 9
        """)


def test_group_makes_one_atom_of_some_moves_of_a_role() -> None:
    before = text("""
        7 <- 1 4
        7 <- 1 5
        8 <- 2 6
        out 7 8
        """)
    assert str(group(sums(before))) == text("""
        7 <- 1 ~9
        8 <- 2 9
        9 <- 6
        out 7 8
        """)


def test_factor_pulls_out_what_rows_share() -> None:
    before = text("""
        7 <- 1 2
        7 <- 1 3
        7 <- 4
        out 7
        """)
    assert str(factor(sums(before))) == text("""
        7 <- 4
        7 <- 1 8
        8 <- 2
        8 <- 3
        out 7
        """)


@pytest.mark.parametrize(("row", "size"), [("7 <- 1", 0), ("7 <- 1 2 3", 2)])
def test_a_row_takes_a_gate_less_than_it_has_literals(row: str, size: int) -> None:
    assert sums(f"{row}\nout 7").size == size
