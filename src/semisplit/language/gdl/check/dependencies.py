"""Which predicate depends on which."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import NamedTuple

from semisplit.core.components import components
from semisplit.language.gdl.text.ast import Atom, Clause


class Edge(NamedTuple):
    """A condition that a predicate has in some clause."""

    target: str
    is_positive: bool
    atom: Atom
    clause: Clause


class Dependencies:
    """The graph of predicates: each with the conditions of its clauses."""

    def __init__(self, clauses: Iterable[Clause]):
        self.edges: dict[str, list[Edge]] = {}
        for clause in clauses:
            edges = self.edges.setdefault(clause.head.name, [])
            edges += [Edge(atom.name, True, atom, clause) for atom in clause.positive]
            edges += [Edge(atom.name, False, atom, clause) for atom in clause.negative]
        self.components = components(
            self.edges, lambda name: [edge.target for edge in self.edges.get(name, ())]
        )[::-1]
        """Predicates that depend on each other; each component behind those it depends on."""
        self.component_of = {
            name: number for number, names in enumerate(self.components) for name in names
        }

    def are_mutual(self, first: str, second: str) -> bool:
        """Whether two predicates depend on each other, perhaps through others."""
        return self.component_of[first] == self.component_of[second]

    def path(self, start: str, goals: Collection[str]) -> list[Edge] | None:
        """The shortest way from a predicate to one of others, of one edge at least."""
        came_by: dict[str, Edge] = {}
        waiting = deque([start])
        while waiting:
            for edge in self.edges.get(waiting.popleft(), ()):
                if edge.target in came_by:
                    continue
                came_by[edge.target] = edge
                if edge.target in goals:
                    way = [edge]
                    while way[0].clause.head.name != start:
                        way.insert(0, came_by[way[0].clause.head.name])
                    return way
                waiting.append(edge.target)
        return None


def negative_circles(dependencies: Dependencies) -> dict[int, Edge]:
    """The components in which something depends on its own negation, each with such a condition."""
    found: dict[int, Edge] = {}
    for head, edges in dependencies.edges.items():
        for edge in edges:
            if not edge.is_positive and dependencies.are_mutual(head, edge.target):
                found.setdefault(dependencies.component_of[head], edge)
    return found
