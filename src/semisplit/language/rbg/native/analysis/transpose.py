"""Loop interchange: the last two squares of a move, for all pieces at once.

After a piece has been lifted, its target is found by looking out from its square. If every way to a
target is a fixed step, like those of a pawn, one can as well take one way after the other and find
all pieces that can go it: a set of squares, from which the step leads to the targets. What is put
on the square need not be there yet, if it is known what difference it makes (see `change`).
"""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.language.rbg.native.analysis.change import Change, alternatives
from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Factors,
    Holds,
    On,
    PatternTest,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.graph import Arc, Graph
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.text import ast

_MAX_WAYS = 12


@dataclass(frozen=True, eq=False)
class Way:
    """A fixed step to where a modifier is applied."""

    condition: Expression
    """Matches on the squares from which it can be gone."""
    relation: Relation
    """A function."""
    modifier: Arc


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways from the square where a piece is put to the next modifiers."""

    fixed: list[Way]
    others: dict[Arc, Expression]
    """For modifiers to which not all ways are fixed, where they can be applied."""


def ways(graph: Graph, node: int, change: Change) -> Ways | None:
    """All ways through a region, on whose first square a piece will be put.

    None if they cannot be told before.
    """
    found: dict[Arc, list[Factors]] = {}
    work: list[tuple[int, Factors]] = [(node, ())]
    count = 0
    while work:
        source, before = work.pop()
        if source == graph.end:
            return None
        for arc in graph.arcs[source]:
            if isinstance(arc.action, ast.Assign):
                return None
            if arc.action is None or isinstance(arc.action, ast.Dot):
                factors = arc.expression.factors if arc.expression else ()
                work.append((arc.target, before + factors))
                continue
            paths = change.paths(before, change.identity)
            if paths is None:
                return None
            found.setdefault(arc, []).extend(paths)
            count += len(paths)
        if len(work) + count > _MAX_WAYS:
            return None
    result = Ways([], {})
    for modifier, paths in found.items():
        fixed = _fixed(modifier, paths, change.identity)
        if fixed is not None:
            result.fixed.extend(fixed)
        elif paths:
            here: Factors = (Static(change.identity),)
            result.others[modifier] = alternatives([path or here for path in paths])
    return result


def _fixed(modifier: Arc, paths: list[Factors], identity: Relation) -> list[Way] | None:
    """The ways of paths; None if there are others than fixed ones, too many, or two to a square."""
    found: list[Way] = []
    for path in paths:
        expanded = _expand(Series(path)) if path else [()]
        if expanded is None:
            return None
        for factors in expanded:
            relation = identity
            for factor in factors:
                if isinstance(factor, Static):
                    relation = relation.then(factor.relation)
            found.append(Way(Series((Static(identity), *factors)), relation, modifier))
    if len(found) > _MAX_WAYS:
        return None
    for number, way in enumerate(found):
        for other in found[:number]:
            if any(a & b for a, b in zip(way.relation.rows, other.relation.rows)):
                return None
    return found


def _expand(expression: Expression) -> list[Factors] | None:
    """The paths of an expression, each of which is a function; None if there are others."""
    match expression:
        case Static(relation=relation):
            if relation.is_function:
                return [(expression,)]
            if relation.has_more_shifts(_MAX_WAYS):
                return None
            return [(Static(function),) for function in relation.functions]
        case On() | Holds():
            return [(expression,)]
        case PatternTest(body=body):
            return [(expression,)] if body is not None else None
        case Choice(members):
            paths: list[Factors] = []
            for member in members:
                expanded = _expand(member)
                if expanded is None:
                    return None
                paths += expanded
            return paths
        case Series(members):
            paths = [()]
            for member in members:
                expanded = _expand(member)
                if expanded is None or len(paths) * len(expanded) > _MAX_WAYS:
                    return None
                paths = [path + more for path in paths for more in expanded]
            return paths
    return None
