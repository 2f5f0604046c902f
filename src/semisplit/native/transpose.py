"""The last two squares of a move, for all pieces at once.

After a piece has been lifted, its target is found by looking out from its square. If every way to a
target is a fixed step, like those of a pawn, one can as well take one way after the other and find
all pieces that can go it: a set of squares, from which the step leads to the targets.
"""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.native.expression import (
    Chain,
    Choice,
    Expression,
    Holds,
    On,
    Static,
    Test,
)
from semisplit.native.graph import Graph, Step
from semisplit.native.relation import Relation
from semisplit.rbg import ast

_MAX_WAYS = 12
Factors = tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Way:
    """A fixed step to where a modifier is applied."""

    condition: Expression
    """Matches on the squares from which it can be gone."""
    step: Relation
    """A function."""
    modifier: Step


def ways(graph: Graph, node: int, identity: Relation, piece: int) -> list[Way] | None:
    """All ways through a region, on whose first square a piece has just been put.

    None if they are not fixed steps, or too many, or if two of them lead to the same square.
    """
    found: list[Way] = []
    work: list[tuple[int, Factors]] = [(node, ())]
    while work:
        source, before = work.pop()
        if source == graph.end:
            return None
        for step in graph.steps[source]:
            if isinstance(step.action, ast.Assign):
                return None
            if step.action is not None and not isinstance(step.action, ast.Dot):
                way = _way(before, step, identity, piece)
                found += [way] if way else []
            else:
                expanded = _expand(step.expression) if step.expression else [()]
                if expanded is None:
                    return None
                work += [(step.target, before + factors) for factors in expanded]
        if len(work) + len(found) > _MAX_WAYS:
            return None
    for number, way in enumerate(found):
        for other in found[:number]:
            same = way.modifier is other.modifier
            if same and any(a & b for a, b in zip(way.step.rows, other.step.rows)):
                return None
    return found


def _way(factors: Factors, modifier: Step, identity: Relation, piece: int) -> Way | None:
    """The way of a path, None if what was put on its first square does not pass."""
    relation = identity
    kept: list[Expression] = []
    for factor in factors:
        if isinstance(factor, On) and relation is identity:
            if piece not in factor.pieces:
                return None
            continue
        kept.append(factor)
        if isinstance(factor, Static):
            relation = relation.then(factor.relation)
    return Way(Chain((Static(identity), *kept)), relation, modifier)


def _expand(expression: Expression) -> list[Factors] | None:
    """The paths of an expression, each of which is a function; None if there are others."""
    match expression:
        case Static(relation=relation):
            if relation.is_function:
                return [(expression,)]
            if relation.has_more_shifts(_MAX_WAYS):
                return None
            return [(Static(_shift(relation, distance)),) for distance in relation.shifts]
        case On() | Holds():
            return [(expression,)]
        case Test(body=body):
            return [(expression,)] if body is not None else None
        case Choice(members):
            paths: list[Factors] = []
            for member in members:
                expanded = _expand(member)
                if expanded is None:
                    return None
                paths += expanded
            return paths
        case Chain(members):
            paths = [()]
            for member in members:
                expanded = _expand(member)
                if expanded is None or len(paths) * len(expanded) > _MAX_WAYS:
                    return None
                paths = [path + more for path in paths for more in expanded]
            return paths
    return None


def _shift(relation: Relation, distance: int) -> Relation:
    """The part of a relation that leads so many bits on."""
    return Relation(
        tuple(
            row & (1 << bit + distance) if bit + distance >= 0 else 0
            for bit, row in enumerate(relation.rows)
        )
    )
