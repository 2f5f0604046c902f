"""Which split points are legal, and which bring a decision."""

from __future__ import annotations

from semisplit.rbg.automaton import Automaton
from semisplit.rbg.boards import Board
from semisplit.rbg.static import Graph, Node, StaticEdge, incoming_edges, static_graph


def illegal_dots(automaton: Automaton, board: Board) -> set[int]:
    """The numbers of the dots because of which a move would be found several times.

    Between two modifiers, all paths to a node must cross the same dots, or one sequence of
    modifiers belongs to several sequences of semimoves.
    """
    if not automaton.dots:
        return set()
    graph = static_graph(automaton, board)
    starts = {e.target for outgoing in graph.values() for e in outgoing if e.number > 0}
    before_dots = _before_dots(graph)
    illegal: set[int] = set()
    for start in sorted((starts | {0}) & before_dots):
        _search_illegal(graph, start, illegal)
    return illegal


def _before_dots(graph: Graph) -> set[Node]:
    """The nodes from which a dot can be reached without crossing a modifier."""
    incoming = incoming_edges(graph)
    found = {edge.source for outgoing in graph.values() for edge in outgoing if edge.number < 0}
    stack = list(found)
    while stack:
        for edge in incoming.get(stack.pop(), ()):
            if edge.number <= 0 and edge.source not in found:
                found.add(edge.source)
                stack.append(edge.source)
    return found


def _search_illegal(graph: Graph, start: Node, illegal: set[int]) -> None:
    """Depth first from a node up to the next modifiers; add the illegal dots that are found."""
    crossed: dict[Node, frozenset[StaticEdge]] = {start: frozenset()}
    """The dots on the path by which each node was reached first; its order is that of the visit."""
    time = {start: 0}
    on_path = {start}
    stack = [(start, iter(graph.get(start, ())))]
    while stack:
        node, edges = stack[-1]
        edge = next(edges, None)
        if edge is None:
            stack.pop()
            on_path.discard(node)
            continue
        if edge.number > 0:
            continue
        dots = crossed[node]
        if edge.number < 0:
            dots |= {edge}
        target = edge.target
        if target not in crossed:
            crossed[target] = dots
            time[target] = len(time)
            on_path.add(target)
            stack.append((target, iter(graph[target])))
        elif target in on_path:
            illegal |= {-dot.number for dot in dots if time[dot.source] >= time[target]}
        elif crossed[target] != dots:
            illegal |= {-dot.number for dot in crossed[target] ^ dots}


def redundant_dots(automaton: Automaton, board: Board) -> set[int]:
    """The numbers of the dots in front of which there is never anything to decide.

    Looking back from the dot, every way leads without a choice to a dot, a modifier or the start.
    """
    if not automaton.dots:
        return set()
    graph = static_graph(automaton, board)
    incoming = incoming_edges(graph)
    dots = [edge for outgoing in graph.values() for edge in outgoing if edge.number < 0]
    decisive = {-dot.number for dot in dots if not _left_determined(dot, graph, incoming)}
    return set(range(1, len(automaton.dots) + 1)) - decisive


def _left_determined(dot: StaticEdge, graph: Graph, incoming: Graph) -> bool:
    node = dot.source
    if len(graph[node]) > 1:
        return False
    visited = set()
    while node not in visited:
        visited.add(node)
        edges = incoming.get(node, [])
        if len(edges) != 1:
            return not edges
        if edges[0].number != 0:
            return True
        if len(graph[node]) > 1:
            return False
        node = edges[0].source
    return False
