"""Which split points are legal, and which bring a decision."""

from __future__ import annotations

from semisplit.core.errors import WorkLimit
from semisplit.rbg.ast import Switch
from semisplit.rbg.automaton import Automaton
from semisplit.rbg.limits import MAX_SPLIT_WORK
from semisplit.rbg.static import Graph, Node, incoming_edges

_Crossing = tuple[Node, int]
"""A dot of the static graph: the node before it, and minus its number."""


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


def illegal_dots(graph: Graph) -> set[int]:
    """The numbers of the dots because of which a move would be found several times.

    Between two modifiers, all paths to a node must cross the same dots, or one sequence of
    modifiers belongs to several sequences of semimoves.
    """
    starts = {target for outgoing in graph.values() for target, number in outgoing if number > 0}
    illegal: set[int] = set()
    work = 0
    for start in (starts | {0}) & _before_dots(graph):
        work += _search_illegal(graph, start, illegal)
        if work > MAX_SPLIT_WORK:
            raise WorkLimit("the rules are too large to be split")
    return illegal


def _before_dots(graph: Graph) -> set[Node]:
    """The nodes from which a dot can be reached without crossing a modifier."""
    incoming = incoming_edges(graph)
    found = {node for node, outgoing in graph.items() if any(n < 0 for _, n in outgoing)}
    stack = list(found)
    while stack:
        for source, number in incoming.get(stack.pop(), ()):
            if number <= 0 and source not in found:
                found.add(source)
                stack.append(source)
    return found


def _search_illegal(graph: Graph, start: Node, illegal: set[int]) -> int:
    """Compare the dots on all ways from a node to each node up to the next modifiers.

    Adds the illegal ones to a set and returns how many nodes there are. A way back to a node it
    came through crosses the dots of a loop once more than the way that led there first.
    """
    crossed: dict[Node, frozenset[_Crossing]] = {start: frozenset()}
    """The dots on the way by which each node was reached first."""
    stack = [start]
    while stack:
        node = stack.pop()
        before = crossed[node]
        for target, number in graph[node]:
            if number > 0:
                continue
            dots = before | {(node, number)} if number else before
            first = crossed.get(target)
            if first is None:
                crossed[target] = dots
                stack.append(target)
            elif first is not dots and first != dots:
                illegal |= {-number for _, number in first ^ dots}
    return len(crossed)


def redundant_dots(automaton: Automaton, graph: Graph) -> set[int]:
    """The numbers of the dots in front of which there is never anything to decide.

    Looking back from the dot, every way leads without a choice to a dot, a modifier or the start.
    """
    incoming = incoming_edges(graph)
    decisive = {
        -number
        for node, outgoing in graph.items()
        for _, number in outgoing
        if number < 0 and not _left_determined(node, graph, incoming)
    }
    return set(range(1, len(automaton.dots) + 1)) - decisive


def _left_determined(node: Node, graph: Graph, incoming: Graph) -> bool:
    while len(graph[node]) == 1:
        edges = incoming.get(node, [])
        if len(edges) != 1:
            return not edges
        ((node, number),) = edges
        if number != 0:
            return True
    return False
