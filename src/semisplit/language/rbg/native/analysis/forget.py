"""After which steps the rules go on in the same way from every square.

A player's move mostly begins with a jump to any square. Then states that differ only in the current
square have the same future, and whoever looks for positions that meet may leave the square out.
"""

from __future__ import annotations

from enum import IntEnum

from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Holds,
    PatternTest,
    Repeat,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.graph import Graph
from semisplit.language.rbg.text import ast


class Sight(IntEnum):
    """What a part of the rules does with the square where it starts."""

    SEES = 0
    """What happens may depend on the square."""
    KEEPS = 1
    """What happens does not depend on it, but the square may still be the current one."""
    FORGETS = 2
    """What happens does not depend on it, and the square is no longer the current one."""


def forgets_square(graph: Graph, node: int, board: int) -> bool:
    """Whether all that can follow a node is the same, whichever square of the board is current."""
    seen, work = {node}, [node]
    while work:
        for arc in graph.arcs[work.pop()]:
            if isinstance(arc.action, ast.Off):
                return False
            sight = _sight(arc.expression, board) if arc.expression else Sight.KEEPS
            if sight == Sight.SEES:
                return False
            if sight == Sight.KEEPS and arc.target not in seen:
                seen.add(arc.target)
                work.append(arc.target)
    return True


def _sight(part: Expression, board: int) -> Sight:
    match part:
        case Static(relation=relation):
            if relation.domain != board:
                return Sight.SEES
            if relation.constant is not None:
                return Sight.FORGETS
            return Sight.KEEPS if relation.is_identity else Sight.SEES
        case Holds():
            return Sight.KEEPS
        case PatternTest(body=body):
            return Sight.SEES if body is None else min(_sight(body, board), Sight.KEEPS)
        case Series(members=members):
            for member in members:
                sight = _sight(member, board)
                if sight != Sight.KEEPS:
                    return sight
            return Sight.KEEPS
        case Choice(members=members):
            return min(_sight(member, board) for member in members)
        case Repeat(body=body, least=least):
            sight = _sight(body, board)
            return sight if least else min(sight, Sight.KEEPS)
    return Sight.SEES
