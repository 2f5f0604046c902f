"""The static graph: automaton times board, in which every test succeeds.

Only missing edges of the board stop a path, so whatever can happen in play is a path here.
"""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.core.errors import PlayLimit
from semisplit.rbg.ast import Shift
from semisplit.rbg.automaton import Automaton
from semisplit.rbg.boards import Board
from semisplit.rbg.limits import MAX_PRODUCT

Node = int
"""A pair of automaton node and vertex, as one number."""


@dataclass(frozen=True, slots=True)
class StaticEdge:
    """An edge of the static graph."""

    source: Node
    target: Node
    number: int
    """As in the automaton: positive for modifiers, negative for dots, 0 for anything else."""


Graph = dict[Node, list[StaticEdge]]


def static_graph(automaton: Automaton, board: Board) -> Graph:
    """Outgoing edges of all nodes on a path from the start that does not end too early."""
    size = len(board.names)
    graph: Graph = {}
    edges = 0
    stack = [0]
    while stack:
        source = stack.pop()
        if source in graph:
            continue
        node, vertex = divmod(source, size)
        graph[source] = outgoing = []
        for edge in automaton.edges[node]:
            target = vertex
            if isinstance(edge.action, Shift):
                if edge.action.label not in board.edges[vertex]:
                    continue
                target = board.edges[vertex][edge.action.label]
            outgoing.append(StaticEdge(source, edge.target * size + target, edge.number))
            stack.append(outgoing[-1].target)
        edges += len(outgoing)
        if edges > MAX_PRODUCT:
            raise PlayLimit(
                f"the rules are too large to be split: rules and board together have more than"
                f" {MAX_PRODUCT} edges"
            )
    _drop_dead_ends(graph, automaton.end, size)
    return graph


def _drop_dead_ends(graph: Graph, end: int, size: int) -> None:
    incoming = incoming_edges(graph)
    dead = [n for n, outgoing in graph.items() if not outgoing and n // size != end]
    while dead:
        node = dead.pop()
        del graph[node]
        for edge in incoming.get(node, ()):
            outgoing = graph[edge.source]
            outgoing.remove(edge)
            if not outgoing:
                dead.append(edge.source)


def incoming_edges(graph: Graph) -> Graph:
    """The edges by their targets."""
    incoming: Graph = {}
    for outgoing in graph.values():
        for edge in outgoing:
            incoming.setdefault(edge.target, []).append(edge)
    return incoming
