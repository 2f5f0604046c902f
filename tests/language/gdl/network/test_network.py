"""Networks: from sums to gates, and passes on gates."""

import numpy as np

from semisplit.language.gdl.network.network import arranged, flatten, halve, network_of, share
from tests.support.analysed import text
from tests.support.networks import INPUTS, network, sums


def test_a_sum_is_what_does_not_fail_everywhere() -> None:
    before = text("""
        7 <- 1 2
        7 <- ~3
        8 <- 7 4
        out 7 ~8
        """)
    after = network_of(sums(before), np.arange(1, 1 + INPUTS))
    assert str(after) == text("""
        7 = 1 2
        8 = ~7 3
        9 = 4 ~8
        out ~8 ~9
        """)


def test_gates_are_numbered_by_their_depth() -> None:
    before = text("""
        7 = 8 3
        8 = 1 2
        9 = 4 5
        out 7
        """)
    assert str(arranged(network(before))) == text("""
        7 = 1 2
        8 = 7 3
        out 8
        """)


def test_gates_that_are_alike_become_one() -> None:
    before = text("""
        7 = 1 2
        8 = 2 1
        9 = 3 7
        10 = 3 8
        out 9 10
        """)
    assert str(share(network(before))) == text("""
        7 = 1 2
        8 = 3 7
        out 8 8
        """)


def test_gates_used_once_become_part_of_their_user() -> None:
    before = text("""
        7 = 1 2
        8 = 7 3
        9 = ~8 4
        out 9
        """)
    assert str(flatten(network(before))) == text("""
        7 = 1 2 3
        8 = ~7 4
        out 8
        """)


def test_halves_have_two_inputs() -> None:
    assert str(halve(network("7 = 1 2 3 4 5\nout 7"))) == text("""
        7 = 1 2
        8 = 3 4
        9 = 7 8
        10 = 5 9
        out 10
        """)
