"""Proving: bounds are taken back from where the game is over."""

from __future__ import annotations

from semisplit.search.engine.layout import ROOT, Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.features.solver.records import PLAYERS

_TERMINAL = NodeKind.TERMINAL.value
_NEVER = -1e9
"""In place of an average score: selection takes any other edge."""


@kernel
def prove(s: Workspace, playouts: int) -> None:
    """Take back what an iteration has shown, whose scores are sums over some playouts."""
    # Where the search is narrowed, some of the edges are hidden.
    if s.settings.solver.used and s.worker.path_length > 0 and s.tree.narrowing.player == 0:
        _prove(s, playouts)


@large_kernel
def _prove(s: Workspace, playouts: int) -> None:
    worker, path, low = s.worker, s.worker.path, s.tree.solver.low
    last = path[worker.path_length - 1].edge
    is_over = s.tree.edges[last].kind == _TERMINAL
    if is_over:
        for player in range(PLAYERS):
            score = worker.scores[player] / playouts
            low[last * PLAYERS + player] = score
            s.tree.solver.high[last * PLAYERS + player] = score
    for i in range(worker.path_length - 1, -1, -1):
        mover = path[i].player - 1
        first, count = path[i].edge, 1
        if is_over:
            _bound(s, path[i].node, mover)
            first, count = s.tree.edges[path[i].node].first, s.tree.edges[path[i].node].tried
        # Backpropagation has given the edge on the way a new average.
        for edge in range(first, first + count):
            _exclude(s, edge, mover, low[path[i].node * PLAYERS + mover])


@kernel
def _bound(s: Workspace, number: int, mover: int) -> None:
    """Find the bounds of a node by those of its edges."""
    node, low, high = s.tree.edges[number], s.tree.solver.low, s.tree.solver.high
    is_open = node.tried < node.count  # what has not been tried may be anything
    for player in range(PLAYERS):
        place = number * PLAYERS + player
        if player == mover:
            least, most = 0.0, 1.0 if is_open else 0.0
            for edge in range(node.first, node.first + node.tried):
                least = max(least, low[edge * PLAYERS + player])
                most = max(most, high[edge * PLAYERS + player])
        else:
            least, most = 0.0 if is_open else 1.0, 1.0
            for edge in range(node.first, node.first + node.tried):
                least = min(least, low[edge * PLAYERS + player])
                most = min(most, high[edge * PLAYERS + player])
        low[place] = max(least, low[place])
        high[place] = min(most, high[place])


@kernel
def _exclude(s: Workspace, edge: int, mover: int, best: float) -> None:
    """Keep selection from an edge if it is proven, or no better than the best that is proven."""
    low, high = (
        s.tree.solver.low[edge * PLAYERS + mover],
        s.tree.solver.high[edge * PLAYERS + mover],
    )
    if high <= best or low == high:
        s.tree.uct_terms[edge].mean = _NEVER
        s.tree.uct_terms[edge].inverse_root = 0.0


@kernel
def is_proven(s: Workspace) -> bool:
    """Whether the value of the root is proven for both players."""
    proven = s.settings.solver.used != 0
    for player in range(PLAYERS if proven else 0):
        proven &= (
            s.tree.solver.low[ROOT * PLAYERS + player]
            == (s.tree.solver.high[ROOT * PLAYERS + player])
        )
    return proven
