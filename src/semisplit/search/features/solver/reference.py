"""The solver as a paper would write it down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from semisplit.search.reference.node import Node


@dataclass
class Interval:
    """What is known of a score."""

    low: float = 0.0
    high: float = 1.0


class Proofs:
    """The bounds of nodes: for each player what the player can get, and can be held to."""

    def __init__(self, players: int):
        self._players = range(1, players + 1)
        self._bounds: dict[Node, dict[int, Interval]] = {}

    def of(self, node: Node, player: int) -> Interval:
        """What is known of a player's score at a node."""
        fresh = {player: Interval() for player in self._players}
        return self._bounds.setdefault(node, fresh)[player]

    def update(self, path: Sequence[Node], scores: Sequence[float]) -> None:
        """Take back what an iteration has shown, which ended with some scores."""
        if path[-1].is_terminal:
            for player in self._players:
                self._bounds.setdefault(path[-1], {})[player] = Interval(*2 * [scores[player - 1]])
        for node, _ in reversed(list(pairwise(path))):
            for player in self._players:
                self._bound(node, player)

    def _bound(self, node: Node, player: int) -> None:
        tried = [child for child in node.children or () if child.visits]
        known = [self.of(child, player) for child in tried]
        if not node.fully_expanded:
            known.append(Interval())
        choose = max if node.player == player else min
        here = self.of(node, player)
        here.low = max(here.low, choose(one.low for one in known))
        here.high = min(here.high, choose(one.high for one in known))

    def open(self, node: Node) -> list[Node]:
        """The children that selection may go to: neither proven nor worse than another one."""
        best = self.of(node, node.player).low
        children = node.children or []
        found = []
        for child in children:
            known = self.of(child, node.player)
            if known.high > best and known.low < known.high:
                found.append(child)
        return found or children

    def best(self, node: Node, children: Sequence[Node]) -> list[Node]:
        """The children that may be the best, or are as good as the best for sure."""
        known = {child: self.of(child, node.player) for child in children}
        low = max(one.low for one in known.values())
        is_proven = low >= max(one.high for one in known.values())
        return [
            child for child, one in known.items() if (one.low if is_proven else one.high) >= low
        ]

    def score(self, node: Node, player: int) -> float:
        """The average score of a node, as far as it is possible."""
        known = self.of(node, player)
        return min(max(node.mean, known.low), known.high)
