"""What a verifier refuses after a pass."""

import pytest

from semisplit.language.gdl.network.verify import verify_network, verify_same, verify_sums
from tests.support.networks import network, sums


def test_what_is_right_passes() -> None:
    verify_sums(sums("7 <- 1 ~2\nout 7"))
    verify_network(network("7 = 1 ~2\nout ~7"))
    verify_same(network("7 = 1 2\nout 7"), network("7 = 2 1\nout 7"))


def test_an_input_has_no_rules() -> None:
    with pytest.raises(AssertionError):
        verify_sums(sums("3 <- 1 2\nout 3"))


@pytest.mark.parametrize(
    "gates",
    [
        "7 = 8 1\n8 = 1 2\nout 7",  # a gate that depends on a later one
        "8 = 1 2\nout 8",  # a gap in the numbers
        "7 =\nout 7",  # a gate of nothing
        "7 = 1 2\nout 9",  # an output that is nowhere
    ],
)
def test_wrong_networks(gates: str) -> None:
    with pytest.raises(AssertionError):
        verify_network(network(gates))


def test_another_network() -> None:
    with pytest.raises(AssertionError):
        verify_same(network("7 = 1 2\nout 7"), network("7 = 1 3\nout 7"))
