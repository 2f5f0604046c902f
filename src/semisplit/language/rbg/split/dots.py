"""Which split points are legal, and which bring a decision."""

from __future__ import annotations

from collections.abc import Iterator

from semisplit.core.limits import Allowance
from semisplit.language.rbg.play.automaton import Automaton
from semisplit.language.rbg.split.paths import PathPairs, Paths, StaticPart
from semisplit.language.rbg.split.static import StaticArc, StaticGraph, Vertices
from semisplit.language.rbg.text.ast import Switch
from semisplit.language.rbg.text.boards import Board
from semisplit.language.rbg.text.limits import MAX_SPLIT_WORK

_ARC = 500
"""What an arc costs in each version of the rules, in words to calculate with."""


def keeper_dots(automaton: Automaton) -> set[int]:
    """The numbers of the dots that no player ever comes to; the keeper ignores dots."""
    seen: set[tuple[int, bool]] = set()
    stack = [(0, False)]
    by_players: set[int] = set()
    while stack:
        node, player = stack.pop()
        if (node, player) in seen:
            continue
        seen.add((node, player))
        for edge in automaton.edges[node]:
            if player and edge.number < 0:
                by_players.add(-edge.number)
            if isinstance(edge.action, Switch):
                stack.append((edge.target, edge.action.player is not None))
            else:
                stack.append((edge.target, player))
    return set(range(1, len(automaton.dots) + 1)) - by_players


class Legality:
    """Finds illegal dots, in several versions of the same rules, which are alike in most parts."""

    def __init__(self, board: Board):
        self._pairs = PathPairs(len(board.names))
        self._known: dict[StaticPart, set[int]] = {}
        self._work = Allowance(
            MAX_SPLIT_WORK,
            "it takes too long to find out where moves can be split:"
            f" on {len(board.names):,} vertices there is too much between two modifiers",
        )

    def illegal_dots(self, graph: StaticGraph) -> set[int]:
        """The numbers of the dots because of which a move would be found several times.

        Between two modifiers, all paths to a node must cross the same dots, or one sequence of
        modifiers belongs to several sequences of semimoves.
        """
        self._work.spend(sum(map(len, graph.outgoing)) * _ARC)
        illegal: set[int] = set()
        for part, numbers in _parts_with_dots(graph):
            if part not in self._known:
                self._known[part] = Paths(part, self._pairs, self._work).illegal_dots()
            illegal |= {numbers[dot - 1] for dot in self._known[part]}
        return illegal


def _parts_with_dots(graph: StaticGraph) -> Iterator[tuple[StaticPart, list[int]]]:
    """The parts into which modifiers divide the graph, if there are dots, with their numbers."""
    live = graph.live
    starts = _starts(graph)
    onward = [
        [arc for arc in arcs if arc.number <= 0 and live[arc.target]] if live[node] else []
        for node, arcs in enumerate(graph.outgoing)
    ]
    for nodes in _connected(onward):
        places = {node: place for place, node in enumerate(_in_order(nodes, onward))}
        numbers: list[int] = []
        arcs = []
        for node in places:
            leaving = []
            for arc in onward[node]:
                if arc.number:
                    numbers.append(-arc.number)
                number = -len(numbers) if arc.number else 0
                leaving.append(StaticArc(places[node], places[arc.target], number, arc.steps))
            arcs.append(tuple(leaving))
        part = StaticPart(
            tuple(live[node] for node in places),
            tuple(starts[node] for node in places),
            tuple(arcs),
        )
        yield part, numbers


def _starts(graph: StaticGraph) -> list[Vertices]:
    """Where play can be behind a modifier, and at the start of the rules."""
    starts = [0] * len(graph.live)
    starts[0] = graph.live[0] & 1
    for node, arcs in enumerate(graph.outgoing):
        for arc in arcs:
            if arc.number > 0:
                starts[arc.target] |= graph.live[node] & graph.live[arc.target]
    return starts


def _connected(onward: list[list[StaticArc]]) -> Iterator[list[int]]:
    """The nodes that arcs connect, where one of these is a dot."""
    beside: list[list[int]] = [[arc.target for arc in arcs] for arcs in onward]
    dotted = []
    for node, arcs in enumerate(onward):
        for arc in arcs:
            beside[arc.target].append(node)
            if arc.number:
                dotted.append(node)
    seen: set[int] = set()
    for first in dotted:
        if first in seen:
            continue
        seen.add(first)
        nodes = [first]
        for node in nodes:
            fresh = set(beside[node]) - seen
            seen |= fresh
            nodes += sorted(fresh)
        yield nodes


def _in_order(nodes: list[int], onward: list[list[StaticArc]]) -> list[int]:
    """Nodes, each before those it leads to, as far as there are no loops."""
    done: list[int] = []
    seen: set[int] = set()
    for root in nodes:
        stack = [(root, iter(onward[root]))] if root not in seen else []
        seen.add(root)
        while stack:
            node, arcs = stack[-1]
            target = next((arc.target for arc in arcs if arc.target not in seen), None)
            if target is None:
                done.append(node)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(onward[target])))
    return done[::-1]


def redundant_dots(automaton: Automaton, graph: StaticGraph) -> set[int]:
    """The numbers of the dots in front of which there is never anything to decide.

    Looking back from the dot, every way leads without a choice to a dot, a modifier or the start.
    """
    determined = _left_determined(graph)
    decisive = {
        -arc.number
        for node, arcs in enumerate(graph.outgoing)
        for arc in arcs
        if arc.number < 0 and graph.live[node] & graph.live[arc.target] & ~determined[node]
    }
    return set(range(1, len(automaton.dots) + 1)) - decisive


def _left_determined(graph: StaticGraph) -> list[Vertices]:
    """From where, at each node, one way leads back to a dot, a modifier or the start."""
    live = graph.live
    leaving = [_Tally() for _ in live]
    coming = [_Tally() for _ in live]
    numbered = [0] * len(live)
    """Where dots and modifiers lead."""
    for node, arcs in enumerate(graph.outgoing):
        for arc in arcs:
            leaving[node].add(arc.backward(live[arc.target]) & live[node])
            for reached in arc.each_forward(live[node]):
                coming[arc.target].add(reached & live[arc.target])
                if arc.number:
                    numbered[arc.target] |= reached
    determined = [
        out.once & (live[node] & ~into.ever | into.once & numbered[node])
        for node, (out, into) in enumerate(zip(leaving, coming))
    ]
    fresh = {node: vertices for node, vertices in enumerate(determined) if vertices}
    while fresh:
        node, vertices = fresh.popitem()
        for arc in graph.outgoing[node]:
            if arc.number == 0:
                target = arc.target
                new = arc.forward(vertices) & leaving[target].once & coming[target].once
                if new := new & ~determined[target]:
                    determined[target] |= new
                    fresh[target] = fresh.get(target, 0) | new
    return determined


class _Tally:
    """Returns which vertices were counted ever, and which once."""

    __slots__ = ("ever", "often")

    def __init__(self) -> None:
        self.ever = self.often = 0

    def add(self, vertices: Vertices) -> None:
        """Count some vertices."""
        self.often |= self.ever & vertices
        self.ever |= vertices

    @property
    def once(self) -> Vertices:
        """Those that were counted once."""
        return self.ever & ~self.often
