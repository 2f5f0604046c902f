"""Which predicate depends on which."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from semisplit.gdl.ast import Atom, Clause


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
        self.components = strongly_connected(
            {name: [edge.target for edge in edges] for name, edges in self.edges.items()}
        )
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


def strongly_connected(graph: Mapping[str, list[str]]) -> list[list[str]]:
    """The strongly connected components, each behind those it leads to (Tarjan's algorithm)."""
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for root in graph:
        if root in number:
            continue
        waiting = [(root, iter(graph[root]))]
        number[root] = lowest[root] = len(number)
        path.append(root)
        on_path.add(root)
        while waiting:
            node, targets = waiting[-1]
            target = next(targets, None)
            if target is not None and target not in number:
                number[target] = lowest[target] = len(number)
                path.append(target)
                on_path.add(target)
                waiting.append((target, iter(graph.get(target, ()))))
            elif target is not None:
                if target in on_path:
                    lowest[node] = min(lowest[node], number[target])
            else:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    found.append([path.pop()])
                    while found[-1][-1] != node:
                        found[-1].append(path.pop())
                    on_path.difference_update(found[-1])
    return found
