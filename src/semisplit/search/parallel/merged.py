"""The trees of a root parallel search, seen as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from semisplit.compiler.runtime.compiled import Codes
from semisplit.search.engine.layout import ROOT
from semisplit.search.parallel.settings import Merge
from semisplit.search.view import View, VisitedEdge, by_score, by_visits

_TEN = 10
_NOWHERE = -1


class MergedView(View):
    """Walks through several trees at the same time.

    A node is known by a number that stands for its numbers in all trees. Edges with the same steps
    become one. If one tree has rolled up what another has not, these are different edges.
    """

    def __init__(self, views: Sequence[View], merge: Merge):
        self._views = views
        self._merge = merge
        self.forget()

    def forget(self) -> None:
        """Forget all numbers, as trees have changed."""
        self._nodes = [(ROOT,) * len(self._views)]
        self._numbers = {self._nodes[ROOT]: ROOT}

    def _number(self, node: tuple[int, ...]) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[node]

    def _parts(self, node: int) -> Iterator[tuple[View, int]]:
        """The trees that have a node, and its number there."""
        for view, number in zip(self._views, self._nodes[node]):
            if number != _NOWHERE:
                yield view, number

    def is_nodal(self, node: int) -> bool:
        """Whether a node stands for a nodal state."""
        return any(view.is_nodal(number) for view, number in self._parts(node))

    def group(self, node: int) -> str | None:
        """The name of a group, if a node is one."""
        return next(view.group(number) for view, number in self._parts(node))

    def changing(self, codes: Codes) -> Codes:
        """The steps of a (semi)move that change something."""
        return self._views[0].changing(codes)

    def edges(self, node: int, least: int = 1) -> list[VisitedEdge]:
        """The edges of a node that have been visited, at least so often."""
        same: dict[tuple[str | None, Codes], dict[int, VisitedEdge]] = {}
        for tree, (view, number) in enumerate(zip(self._views, self._nodes[node])):
            for edge in view.edges(number) if number != _NOWHERE else ():
                same.setdefault((view.group(edge.number), edge.codes), {})[tree] = edge
        merged = [self._merged(edges) for edges in same.values()]
        if self._merge == Merge.SUM10:
            # The sum is ranked: one lucky visit in one tree says little.
            merged = sorted(merged, key=by_score, reverse=True)[:_TEN]
        return [edge for edge in merged if edge.visits >= least]

    def _merged(self, edges: dict[int, VisitedEdge]) -> VisitedEdge:
        """The edges of some trees that have the same steps, as one."""
        numbers = (
            edges[tree].number if tree in edges else _NOWHERE for tree in range(len(self._views))
        )
        known = list(edges.values())
        best = max(known, key=by_score)
        visits = sum(edge.visits for edge in known)
        if self._merge == Merge.BEST:
            visits, score = best.visits, best.score
        elif self._merge == Merge.RAW:
            score = sum(edge.score for edge in known) / len(known)
        else:
            score = sum(edge.visits * edge.score for edge in known) / visits
        return VisitedEdge(self._number(tuple(numbers)), best.codes, visits, score)

    def best_edge(self, node: int, robust: bool, random: Random) -> VisitedEdge | None:
        """The edge with the best average score, or if robust, with the most visits."""
        edges, order = self.edges(node), by_visits if robust else by_score
        if not edges:
            return None
        top = max(map(order, edges))
        return random.choice([edge for edge in edges if order(edge) == top])

    def choosers(self, node: int = ROOT) -> dict[int, int]:
        """The players who decide at a nodal node besides the first, and where their edges are."""
        own = [
            view.choosers(number) if number != _NOWHERE else {}
            for view, number in zip(self._views, self._nodes[node])
        ]
        players = sorted({player for known in own for player in known})
        return {
            player: self._number(tuple(known.get(player, _NOWHERE) for known in own))
            for player in players
        }

    def most_visited(self, count: int, node: int = ROOT) -> list[tuple[Codes, VisitedEdge]]:
        """The paths with most visits from a node to the next nodal ones."""
        return sorted(self.moves(node), key=lambda one: -one[1].visits)[:count]

    def find(self, codes: Sequence[int]) -> int | None:
        """The node that a move leads to from the root, if any tree knows it."""
        found = [view.find(codes) for view in self._views]
        if all(node is None for node in found):
            return None
        return self._number(tuple(_NOWHERE if node is None else node for node in found))

    def mast(self, player: int, codes: Sequence[int]) -> float | None:
        """What MAST thinks of a move or of its beginning, on average."""
        return _mean([view.mast(player, codes) for view in self._views])

    def rave(self, edge: VisitedEdge) -> float | None:
        """What RAVE thinks of an edge, on average."""
        parts = self._parts(edge.number)
        return _mean([view.rave(edge._replace(number=number)) for view, number in parts])


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
