"""The selection phase: UCT, with RAVE if it is used."""

from __future__ import annotations

import math
from typing import Any

from semisplit.search.kernel import kernel
from semisplit.search.memory import edges, nodes
from semisplit.search.portable import logarithm
from semisplit.search.random import below
from semisplit.search.rave import amaf_of


@kernel
def select_child(s: Any, node: int, player: int, visits: int) -> int:
    """UCT: the edge a player should try at a node that has been visited so often."""
    here, all_edges = nodes(s)[node], edges(s)
    log = logarithm(float(visits))
    beta = math.sqrt(s.rave_equivalence / (3.0 * visits + s.rave_equivalence))
    best, chosen, tied = -1.0, here.first, 0
    for edge in range(here.first, here.first + here.tried):
        tries = float(all_edges[edge].visits)
        value = all_edges[edge].score / tries
        if s.rave_records:
            value += beta * (amaf_of(s, edge, player, visits) - value)
        value += s.exploration * math.sqrt(log / tries)
        if value > best:
            best, chosen, tied = value, edge, 1
        elif value == best:
            tied += 1
            if below(s, tied) == 0:
                chosen = edge
    return chosen
