"""Independence: regions that do not see the square they start from (commutation of modifiers).

If a piece is put on a square and nothing that is tested afterwards looks at that square, the rest
of the move can be found out before the piece is put there.
"""

from __future__ import annotations

from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Factors,
    Holds,
    On,
    PatternTest,
    Repeat,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.graph import Graph
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.native.analysis.unseen import after, counts, is_blind_from, is_unseen
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.text import ast

_MAX_SHIFTS = 4
"""Shifts of a first step up to which they are looked at one by one."""


def is_blind(graph: Graph, node: int, identity: Relation, pieces: Pieces) -> bool:
    """Whether the region behind a node never tests the piece on the square where it starts.

    If only one piece can be on that square, tests right at the start are decided and do not count.
    """
    known = identity if len(pieces) == 1 else None
    reached = {node: identity}
    order = _in_order(graph, node)
    if order is None:
        return False
    for source in order:
        for arc in graph.arcs[source]:
            if isinstance(arc.action, ast.Assign) and counts(arc.action.value):
                return False
            if arc.action is not None and not isinstance(arc.action, ast.Dot):
                continue
            relation = reached[source]
            if arc.expression is not None:
                if not is_blind_from(arc.expression, relation, known):
                    return False
                relation = after(relation, arc.expression)
            before = reached.get(arc.target)
            reached[arc.target] = relation if before in (None, relation) else before | relation
    return True


def sufficient(graph: Graph, node: int, identity: Relation) -> Expression | None:
    """An expression that, matching before a piece is put on a square, lets the region go on.

    It is for regions that consist of one pattern. Each alternative of the pattern is enough, also
    with its repetitions left out, if it does not see the square.
    """
    if len(graph.arcs[node]) != 1:
        return None
    test = graph.arcs[node][0].expression
    if not isinstance(test, PatternTest) or not test.positive or test.body is None:
        return None
    found: list[Expression] = []
    for member in test.body.members if isinstance(test.body, Choice) else (test.body,):
        shortest = tuple(f for f in member.factors if not _may_be_left_out(f))
        found += _blind_parts(shortest, identity)
        match member.factors:
            case (Repeat(body, 0), *rest):
                once = (*body.factors, *(f for f in rest if not _may_be_left_out(f)))
                found += _blind_parts(once, identity)
    if not found:
        return None
    return found[0] if len(found) == 1 else Choice(tuple(found))


def _may_be_left_out(factor: Expression) -> bool:
    return isinstance(factor, Repeat) and factor.least == 0


def _blind_parts(factors: Factors, identity: Relation) -> list[Expression]:
    """The parts of a sequence of two steps or one that do not lead back to the square."""
    if not factors or not all(isinstance(factor, Static | On | Holds) for factor in factors):
        return []
    if is_unseen(Series(factors), identity):
        return [Series(factors)]
    match factors:
        case (Static(relation=first), On() as test, Static(relation=second), *rest):
            if first.has_more_shifts(_MAX_SHIFTS):
                return []
            parts = [
                Series((Static(one), test, Static(_not_back(one, second)), *rest))
                for one in first.functions
            ]
            return [part for part in parts if is_unseen(part, identity)]
    return []


def _not_back(first: Relation, second: Relation) -> Relation:
    """The part of a relation that does not lead back to where another one comes from."""
    return Relation(tuple(row & ~back for row, back in zip(second.rows, first.inverse.rows)))


def _in_order(graph: Graph, start: int) -> list[int] | None:
    """The nodes of a region so that arcs lead forward; None if there is a circle."""
    order: list[int] = []
    done: set[int] = set()
    open_nodes: set[int] = set()
    work = [(start, False)]
    while work:
        node, leave = work.pop()
        if leave:
            open_nodes.discard(node)
            done.add(node)
            order.append(node)
            continue
        if node in done:
            continue
        if node in open_nodes:
            return None
        open_nodes.add(node)
        work.append((node, True))
        for arc in graph.arcs[node]:
            if arc.action is None or isinstance(arc.action, ast.Dot):
                if arc.target in open_nodes:
                    return None
                work.append((arc.target, False))
    return order[::-1]
