"""The selection phase: UCT, with RAVE if it is used."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.lanes import (
    LANES,
    equal_lanes,
    everywhere,
    first_lanes,
    larger,
    largest,
    load_lanes,
    load_pairs,
    store_lanes,
)
from semisplit.search.kernels.memory import LOGARITHMS, MERIT, nodes, short_reals
from semisplit.search.kernels.portable import logarithm
from semisplit.search.kernels.random import draw_bit, draw_tied
from semisplit.search.kernels.rave import find_estimates

_MERIT = MERIT.itemsize
_DROPPED, _FIRST = 13, 127 << 10
"""Of the 23 bits behind the first one in a 32-bit real number; what remains of the number 1."""


@kernel
def select_child(s: Any, node: int, player: int, visits: int) -> int:
    """UCT: the edge a player should try at a node that has been visited so often."""
    first, count = nodes(s)[node].first, nodes(s)[node].tried
    exploration = everywhere(s.exploration * root_logarithm(s, visits))
    beta, estimates = everywhere(0.0), 0
    if s.rave_records:
        beta = everywhere(math.sqrt(s.rave_equivalence / (3.0 * visits + s.rave_equivalence)))
        estimates = find_estimates(s, first, count, player, visits)
    best = _priorities(s, first, count, exploration, beta, estimates)
    if count <= LANES:
        return first + draw_bit(s, equal_lanes(best, everywhere(largest(best))))
    store_lanes(s.values, best)
    for i in range(LANES, count, LANES):
        value = _priorities(s, first + i, count - i, exploration, beta, estimates + 4 * i)
        store_lanes(s.values + 4 * i, value)
        best = larger(best, value)
    return first + draw_tied(s, count, largest(best))


@kernel
def _priorities(s: Any, first: int, count: int, exploration: Any, beta: Any, estimates: int) -> Any:
    """The values of so many edges, as many as there are lanes at most."""
    mean, rarity = load_pairs(s.merits + _MERIT * first)
    value = mean + exploration * rarity
    if s.rave_records:
        value = value + beta * (load_lanes(estimates) - mean)
    return first_lanes(value, count, everywhere(-1.0))


@kernel
def root_logarithm(s: Any, number: int) -> float:
    """The square root of the logarithm of a number, of its first eleven bits if it has more."""
    bits = np.float32(number).view(np.int32)
    return short_reals(s.root_logarithms)[(bits >> _DROPPED) - _FIRST]


@kernel
def fill_root_logarithms(address: int) -> None:
    """Compute the square roots of the logarithms of all numbers that have eleven bits."""
    table = short_reals(address)
    for i in range(LOGARITHMS):
        number = np.int32((i + _FIRST) << _DROPPED).view(np.float32)
        table[i] = math.sqrt(logarithm(float(number)))
