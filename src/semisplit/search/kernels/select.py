"""The selection phase: UCT, with RAVE if it is used."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.lanes import (
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
from semisplit.search.kernels.memory import LOGARITHMS, NodeKind, Workplace
from semisplit.search.kernels.portable import logarithm
from semisplit.search.kernels.random import below, draw_bit, draw_tied
from semisplit.search.kernels.rave import find_estimates
from semisplit.search.kernels.record import Array, address_of, f4, part_of

_GROUP = NodeKind.GROUP.value
_DROPPED, _FIRST = 13, 127 << 10
"""Of the 23 bits behind the first one in a 32-bit real number; what remains of the number 1."""


@kernel
def select_child(s: Workplace, node: int, player: int, reach: float) -> int:
    """UCT: the edge a player should try at a node, and any one if the player is chance.

    Its reach is the square root of the logarithm of its visits.
    """
    settings, here = s.settings, s.tree.edges[node]
    first, count, visits = here.first, here.tried, here.visits
    if player == s.rules.chance:
        return first + below(s, count)
    exploration = settings.exploration * reach
    beta, estimates = 0.0, s.worker.guesses
    # There are no estimates of groups.
    is_estimated = settings.rave.records != 0 and not leads_to_groups(s, node)
    if is_estimated:
        equivalence = settings.rave.equivalence
        beta = math.sqrt(equivalence / (3.0 * visits + equivalence))
        estimates = find_estimates(s, first, count, player, visits)
    merits = part_of(s.tree.merits, first)
    if count <= FEW:
        mean, rarity = load_few_pairs(address_of(merits, 0))
        value = mean + exploration * rarity
        if is_estimated:
            value = value + beta * (load_few(address_of(estimates, 0)) - mean)
        value = first_lanes(value, count, -1.0)
        return first + draw_bit(s, lanes_equal(value, largest(value)))
    best = everywhere(-1.0)
    for i in range(0, count, LANES):
        means, rarities = load_pairs(address_of(merits, i))
        values = means + exploration * rarities
        if is_estimated:
            values = values + beta * (load_lanes(address_of(estimates, i)) - means)
        values = first_lanes(values, count - i, -1.0)
        if count <= LANES:
            return first + draw_bit(s, lanes_equal(values, largest(values)))
        store_lanes(address_of(s.worker.values, i), values)
        best = larger(best, values)
    return first + draw_tied(s, count, largest(best))


@kernel
def leads_to_groups(s: Workplace, node: int) -> bool:
    """Whether the edges of a node, which has some, lead to groups."""
    edges = s.tree.edges
    return s.settings.groups.layers != 0 and edges[edges[node].first].kind == _GROUP


@kernel
def root_logarithm(s: Workplace, number: int) -> float:
    """The square root of the logarithm of a number from 1 on, of its first eleven bits."""
    bits: Any = np.float32(number).view(np.int32)
    return s.settings.root_logarithms[(bits >> _DROPPED) - _FIRST]


@kernel
def fill_root_logarithms(table: Array[f4]) -> None:
    """Compute the square roots of the logarithms of all numbers that have eleven bits."""
    for i in range(LOGARITHMS):
        number = np.int32((i + _FIRST) << _DROPPED).view(np.float32)
        table[i] = math.sqrt(logarithm(float(number)))
