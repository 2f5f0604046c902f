"""Partition refinement (automaton minimisation): sites that are alike.

What can follow them is the same, but for the numbers of modifiers.

Rules repeat themselves. In `jump (jump)*`, for one, it makes no difference whether the first jump
was made or another one. Playouts and patterns need the code of such sites only once; the keeper
tells them apart, for the order of his choices may differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from semisplit.language.rbg.native.analysis.graph import Arc, Graph
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.text import ast


@dataclass(frozen=True, eq=False)
class Merged:
    """A graph in which modifiers lead to the first of the sites that are alike."""

    graph: Graph
    first: dict[int, int]
    """The first of the sites that are like each site."""
    exits: dict[int, list[int]]
    """The numbers of the modifiers that can come next, in the same order for sites alike."""

    def numbers(self, site: int) -> dict[int, int]:
        """The numbers here of the modifiers that can come next at the first site like this one.

        Behind a dot, which is like no other, they are the same.
        """
        if site not in self.first:
            return {}
        return dict(zip(self.exits[self.first[site]], self.exits[site]))


def merge(graph: Graph, possible: Sequence[Pieces]) -> Merged:
    """Find the sites of a graph that are alike.

    Args:
        graph: The rules or the content of a pattern.
        possible: The pieces that may be on the current square at each node.
    """
    sites = sorted({0, *(arc.target for arc in graph.modifiers)})
    comparison = _Comparison(graph, possible, sites)
    first = comparison.first_alike()
    new = {
        arc: replace(arc, target=first[arc.target]) if _is_exit(arc) else arc
        for leaving in graph.arcs
        for arc in leaving
    }
    merged = Graph(graph.end, [[new[arc] for arc in leaving] for leaving in graph.arcs])
    reached = _reachable(merged)
    merged.arcs = [s if node in reached else [] for node, s in enumerate(merged.arcs)]
    merged.modifiers = [new[arc] for arc in graph.modifiers]
    merged.dots = graph.dots
    exits = {site: [arc.number for arc in comparison.exits(site)] for site in sites}
    return Merged(merged, first, exits)


def _is_exit(arc: Arc) -> bool:
    return arc.action is not None and not isinstance(arc.action, ast.Dot)


def _reachable(graph: Graph) -> set[int]:
    seen, work = {0}, [0]
    while work:
        for arc in graph.arcs[work.pop()]:
            if arc.target not in seen:
                seen.add(arc.target)
                work.append(arc.target)
    return seen


class _Comparison:
    """Sites divided into classes, which become smaller until all sites in one are alike."""

    def __init__(self, graph: Graph, possible: Sequence[Pieces], sites: list[int]):
        self._graph = graph
        self._possible = possible
        self._sites = sites
        self._classes = dict.fromkeys(sites, 0)
        self._before: dict[int, set[int]] = {site: set() for site in sites}
        """The sites from which each site is entered."""
        labels: dict[Hashable, int] = {}
        self._labels = {
            arc: labels.setdefault(_label(arc), len(labels))
            for leaving in graph.arcs
            for arc in leaving
        }
        for site in sites:
            for arc in self.exits(site):
                self._before[arc.target].add(site)

    def first_alike(self) -> dict[int, int]:
        """The first of the sites that are like each site."""
        sizes = {0: len(self._sites)}
        signatures: dict[int, Hashable] = {}
        work = set(self._sites)
        while work:
            found: dict[int, dict[Hashable, list[int]]] = {}
            for site in sorted(work):
                groups = found.setdefault(self._classes[site], {})
                groups.setdefault(tuple(self._signature(site)), []).append(site)
            work = set()
            for number, groups in found.items():
                if sizes[number] == sum(map(len, groups.values())):
                    # None of its members is as it was before.
                    signatures[number] = next(iter(groups))
                groups.pop(signatures[number], None)
                for signature, group in groups.items():
                    new = len(sizes)
                    sizes[number] -= len(group)
                    sizes[new], signatures[new] = len(group), signature
                    for site in group:
                        self._classes[site] = new
                        work |= self._before[site]
        firsts: dict[int, int] = {}
        return {site: firsts.setdefault(self._classes[site], site) for site in self._sites}

    def _signature(self, site: int) -> Iterator[Hashable]:
        """What can happen until the next modifier, and the classes of the sites behind it."""
        places = {site: 0}
        for node, arcs in self._walk(site):
            yield self._possible[node], node == self._graph.end
            for arc in arcs:
                if _is_exit(arc):
                    yield self._labels[arc], self._classes[arc.target]
                else:
                    yield self._labels[arc], places.setdefault(arc.target, len(places))

    def exits(self, site: int) -> list[Arc]:
        """The modifiers that can come next."""
        return [arc for _, arcs in self._walk(site) for arc in arcs if _is_exit(arc)]

    def _walk(self, site: int) -> Iterator[tuple[int, list[Arc]]]:
        """The nodes before the next modifier, with what leaves them in an order of its own.

        The order of the rules would make a difference between the two ends of a star.
        """
        nodes = [site]
        for node in nodes:
            arcs = sorted(self._graph.arcs[node], key=self._order)
            yield node, arcs
            for arc in arcs:
                if not _is_exit(arc) and arc.target not in nodes:
                    nodes.append(arc.target)

    def _order(self, arc: Arc) -> tuple[int, int, int]:
        return self._labels[arc], self._classes.get(arc.target, 0), arc.target


def _label(arc: Arc) -> Hashable:
    """What an arc does. Switches are told apart, for states know them by their numbers."""
    if arc.action is None:
        return arc.rule
    is_one_of_a_kind = isinstance(arc.action, ast.Switch | ast.Dot)
    return arc.action, arc.number if is_one_of_a_kind else None
