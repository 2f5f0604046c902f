"""The selection phase: UCT, with the estimates of features."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from semisplit.search.engine.layout import LOGARITHMS, Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.lanes import (
    FEW,
    LANES,
    everywhere,
    first_lanes,
    lanes_equal,
    larger,
    largest,
    load_few,
    load_few_pairs,
    load_lanes,
    load_pairs,
    store_lanes,
)
from semisplit.search.engine.toolkit.portable import logarithm
from semisplit.search.engine.toolkit.random import below, draw_bit, draw_tied
from semisplit.search.engine.toolkit.record import Array, address_of, f4, part_of
from semisplit.search.features.hooks import estimates_of, weigh_estimates

_NOTHING = -1e30
"""Less than the value of any edge, also of one that is not to be selected."""
_DROPPED, _FIRST = 13, 127 << 10
"""Of the 23 bits behind the first one in a 32-bit real number; what remains of the number 1."""


@kernel
def select_child(s: Workspace, node: int, player: int, root_log: float) -> int:
    """UCT: the edge a player should try at a node, and any one if the player is chance.

    `root_log` is the square root of the logarithm of its visits.
    """
    here = s.tree.edges[node]
    first, count = here.first, here.tried
    if player == s.rules.chance:
        return first + below(s, count)
    exploration = s.settings.exploration * root_log
    beta, estimates = weigh_estimates(s, node), s.worker.rave.estimates
    if beta > 0.0:
        estimates = estimates_of(s, first, count, player, here.visits)
    uct_terms = part_of(s.tree.uct_terms, first)
    if count <= FEW:
        mean, inverse_root = load_few_pairs(address_of(uct_terms, 0))
        value = mean + exploration * inverse_root
        if beta > 0.0:
            value = value + beta * (load_few(address_of(estimates, 0)) - mean)
        value = first_lanes(value, count, _NOTHING)
        return first + draw_bit(s, lanes_equal(value, largest(value)))
    best = everywhere(_NOTHING)
    for i in range(0, count, LANES):
        means, inverse_roots = load_pairs(address_of(uct_terms, i))
        values = means + exploration * inverse_roots
        if beta > 0.0:
            values = values + beta * (load_lanes(address_of(estimates, i)) - means)
        values = first_lanes(values, count - i, _NOTHING)
        if count <= LANES:
            return first + draw_bit(s, lanes_equal(values, largest(values)))
        store_lanes(address_of(s.worker.values, i), values)
        best = larger(best, values)
    return first + draw_tied(s, count, largest(best))


@kernel
def root_logarithm(s: Workspace, number: int) -> float:
    """The square root of the logarithm of a number from 1 on, of its first eleven bits."""
    bits: Any = np.float32(number).view(np.int32)
    return s.settings.root_logarithms[(bits >> _DROPPED) - _FIRST]


@kernel
def fill_root_logarithms(table: Array[f4]) -> None:
    """Compute the square roots of the logarithms of all numbers that have eleven bits."""
    for i in range(LOGARITHMS):
        number = np.int32((i + _FIRST) << _DROPPED).view(np.float32)
        table[i] = math.sqrt(logarithm(float(number)))
