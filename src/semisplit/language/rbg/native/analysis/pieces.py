"""Data-flow analysis, forward: which pieces can be on the current square at each node."""

from __future__ import annotations

from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    On,
    Repeat,
    Series,
    Static,
    Stay,
)
from semisplit.language.rbg.native.analysis.graph import Arc, Graph
from semisplit.language.rbg.text import ast

Pieces = frozenset[int]


def possible_pieces(graph: Graph, numbers: dict[str, int]) -> list[Pieces]:
    """For each node the pieces that may be on the current square when play comes there."""
    everything = frozenset(numbers.values())
    possible: list[Pieces] = [frozenset()] * len(graph.arcs)
    possible[0] = everything
    work = [0]
    while work:
        node = work.pop()
        for arc in graph.arcs[node]:
            after = _after(arc, possible[node], everything, numbers)
            if not after <= possible[arc.target]:
                possible[arc.target] |= after
                work.append(arc.target)
    return possible


def _after(arc: Arc, pieces: Pieces, everything: Pieces, numbers: dict[str, int]) -> Pieces:
    match arc.action:
        case ast.Off(piece):
            return frozenset({numbers[piece]})
        case ast.Switch():
            # States behind a switch may be set up by hand.
            return everything
        case None if arc.expression:
            return _through(arc.expression, pieces, everything)
        case _:
            return pieces


def _through(expression: Expression, pieces: Pieces, everything: Pieces) -> Pieces:
    match expression:
        case On(pieces=wanted):
            return pieces & wanted
        case Stay():
            return pieces
        case Static(relation=relation):
            return pieces if relation.is_identity else everything
        case Series(members):
            for member in members:
                pieces = _through(member, pieces, everything)
            return pieces
        case Choice(members):
            return frozenset().union(*(_through(m, pieces, everything) for m in members))
        case Repeat(body, least):
            once = _through(body, pieces, everything)
            after = once if least else pieces | once
            while not (again := _through(body, after, everything)) <= after:
                after |= again
            return after
    raise TypeError(expression)
