"""Independence, of one expression: whether the rules look at the square where they start.

What is not looked at need not be changed before the rest is found out.
"""

from __future__ import annotations

from collections.abc import Callable

from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Holds,
    On,
    PatternTest,
    Repeat,
    Series,
    Static,
    Stay,
)
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.text import ast


def is_unseen(expression: Expression, identity: Relation) -> bool:
    """Whether an expression never tests the piece on the square where it starts."""
    return is_blind_from(expression, identity, None)


def after(relation: Relation, expression: Expression) -> Relation:
    """Where an expression leads from squares that a relation leads to.

    A plain test keeps the relation itself, not only an equal one: the evaluation is then still at
    the start and knows the piece there, which after a choice or a repetition it does not.
    """
    return relation if isinstance(expression, Stay) else relation.then(expression.skeleton)


def is_blind_from(
    expression: Expression,
    relation: Relation,
    identity: Relation | None,
    sees: Callable[[frozenset[int]], bool] = lambda pieces: True,
) -> bool:
    """Whether an expression does not test the start, from squares that a relation leads to.

    Args:
        expression: The expression.
        relation: Where it begins, seen from the start.
        identity: The object that `relation` is as long as the piece on the start is known, if ever.
        sees: Whether it matters for a test of pieces what is on the start.
    """
    match expression:
        case On(pieces=pieces):
            return relation is identity or _never_returns(relation) or not sees(pieces)
        case Holds(comparison=comparison):
            return not (counts(comparison.left) or counts(comparison.right))
        case PatternTest(body=body):
            return body is not None and is_blind_from(body, relation, identity, sees)
        case Series(members):
            for member in members:
                if not is_blind_from(member, relation, identity, sees):
                    return False
                relation = after(relation, member)
            return True
        case Choice(members):
            return all(is_blind_from(member, relation, identity, sees) for member in members)
        case Repeat(body):
            everywhere = relation.then(expression.skeleton) | relation
            return is_blind_from(body, everywhere, identity, sees)
        case Static():
            return True
    return False


def _never_returns(relation: Relation) -> bool:
    return not any(row >> bit & 1 for bit, row in enumerate(relation.rows))


def counts(value: ast.Arithmetic) -> bool:
    """Whether pieces are counted."""
    if isinstance(value, ast.Operation):
        return counts(value.left) or counts(value.right)
    return isinstance(value, ast.Count)
