"""The static graph: automaton times board, in which every test succeeds.

Only missing edges of the board stop a path, so whatever can happen in play is a path here.
"""

from __future__ import annotations

from semisplit.core.errors import WorkLimit
from semisplit.rbg.ast import Shift, Switch
from semisplit.rbg.automaton import Automaton
from semisplit.rbg.boards import Board
from semisplit.rbg.limits import MAX_PRODUCT

Node = int
"""A pair of automaton node and vertex, as one number."""
Graph = dict[Node, list[tuple[Node, int]]]
"""For each node its neighbours, each with the number that the edge has in the automaton: positive
for modifiers, negative for dots, 0 for anything else."""


def static_graph(automaton: Automaton, board: Board) -> Graph:
    """Outgoing edges of all nodes on a path from the start that does not end too early."""
    size = len(board.names)
    targets = {label: [edges.get(label) for edges in board.edges] for label in board.labels}
    stay = list(range(size))
    moving = [
        [
            (
                targets[edge.action.label] if isinstance(edge.action, Shift) else stay,
                edge.target * size,
                edge.number,
            )
            for edge in edges
        ]
        for edges in automaton.edges
    ]
    graph: Graph = {0: []}
    stack = [0]
    count = 0
    while stack:
        source = stack.pop()
        node, vertex = divmod(source, size)
        outgoing = graph[source]
        for vertices, base, number in moving[node]:
            reached = vertices[vertex]
            if reached is None:
                continue
            target = base + reached
            outgoing.append((target, number))
            if target not in graph:
                graph[target] = []
                stack.append(target)
        count += len(outgoing)
        if count > MAX_PRODUCT:
            raise WorkLimit(
                "the rules are too large to be split: together with the board they have more than"
                f" {MAX_PRODUCT} edges"
            )
    # Play may end at the end of the rules, and behind a switch, where somebody cannot move.
    ends = {edge.target for edge in automaton.modifiers if isinstance(edge.action, Switch)}
    return _without_dead_ends(graph, ends | {automaton.end}, size)


def _without_dead_ends(graph: Graph, ends: set[int], size: int) -> Graph:
    """Delete nodes that lead nowhere, again and again, but for those where play may end."""
    dead = {node for node, outgoing in graph.items() if not outgoing and node // size not in ends}
    if not dead:
        return graph
    incoming = incoming_edges(graph)
    left = {node: len(outgoing) for node, outgoing in graph.items()}
    stack = list(dead)
    while stack:
        for source, _ in incoming.get(stack.pop(), ()):
            left[source] -= 1
            if left[source] == 0 and source // size not in ends:
                dead.add(source)
                stack.append(source)
    return {
        node: [edge for edge in outgoing if edge[0] not in dead]
        for node, outgoing in graph.items()
        if node not in dead
    }


def incoming_edges(graph: Graph) -> Graph:
    """For each node where its edges come from, with their numbers."""
    incoming: Graph = {}
    for source, outgoing in graph.items():
        for target, number in outgoing:
            if target in incoming:
                incoming[target].append((source, number))
            else:
                incoming[target] = [(source, number)]
    return incoming
