"""Recursion: atoms that depend on each other become the variables of a loop."""

from semisplit.language.gdl.network.recursion import cut_recursion
from tests.support.analysed import text
from tests.support.networks import sums


def test_a_circle_becomes_inputs_and_what_they_become() -> None:
    after = cut_recursion(
        sums(
            text("""
            7 <- 1
            7 <- 8 2
            8 <- 7 3
            9 <- 7 8
            out 9
            """)
        )
    )
    assert str(after) == text("""
        7 <- 1
        7 <- 2 11
        8 <- 3 10
        9 <- 10 11
        out 9 7 8
        """)
    assert [loop.tolist() for loop in after.loops] == [[10, 11]]


def test_that_something_holds_if_it_does_says_nothing() -> None:
    after = cut_recursion(sums("7 <- 1 2\n7 <- 7 3\nout 7"))
    assert str(after) == "7 <- 1 2\nout 7"
