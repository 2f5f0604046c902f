"""The selection phase: UCT, with RAVE if it is used."""

from __future__ import annotations

import math
from typing import Any

from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import LOGARITHMS, edges, nodes, reals
from semisplit.search.kernels.portable import logarithm
from semisplit.search.kernels.random import draw_tied
from semisplit.search.kernels.rave import amaf_of


@kernel
def select_child(s: Any, node: int, player: int, visits: int) -> int:
    """UCT: the edge a player should try at a node that has been visited so often."""
    here, all_edges = nodes(s)[node], edges(s)
    first, count, values = here.first, here.tried, reals(s.values)
    best = -1.0
    log = reals(s.logarithms)[visits] if visits < LOGARITHMS else logarithm(float(visits))
    exploration = s.exploration * math.sqrt(log)
    if s.rave_records:
        beta = math.sqrt(s.rave_equivalence / (3.0 * visits + s.rave_equivalence))
        for i in range(count):
            edge = all_edges[first + i]
            rarity = float(edge.rarity)
            mean = edge.total * (rarity * rarity)
            estimate = amaf_of(s, first + i, player, visits)
            value = mean + beta * (estimate - mean) + exploration * rarity
            values[i] = value
            best = value if value > best else best
    else:
        for i in range(count):
            edge = all_edges[first + i]
            rarity = float(edge.rarity)
            value = edge.total * (rarity * rarity) + exploration * rarity
            values[i] = value
            best = value if value > best else best
    return first + draw_tied(s, count, best)
