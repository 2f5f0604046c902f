"""Pairs of literals that several gates have: computed once."""

from semisplit.language.gdl.network.pairs import extract_pairs
from tests.support.analysed import text
from tests.support.networks import network


def test_a_pair_in_several_gates_becomes_a_gate() -> None:
    before = text("""
        7 = 1 2 3
        8 = 1 2 4
        9 = 1 2 ~5
        out 7 8 9
        """)
    assert str(extract_pairs(network(before))) == text("""
        7 = 1 2
        8 = 3 7
        9 = 4 7
        10 = ~5 7
        out 8 9 10
        """)


def test_pairs_of_a_single_gate_stay() -> None:
    before = "7 = 1 2 3\n8 = 4 5\nout 7 8"
    assert extract_pairs(network(before)).size == network(before).size == 3
