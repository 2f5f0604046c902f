"""Weakest precondition: the rules as they will be when a piece has been put where they start.

They are rewritten so that they can be evaluated before that, for many such squares at once. Tests
of the square itself are decided, and what leads to other squares is told apart from what leads
back to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Factors,
    On,
    PatternTest,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.native.analysis.unseen import is_blind_from
from semisplit.language.rbg.native.board.relation import Relation

_MAX_PATHS = 16
"""Paths above which rules are not rewritten."""


@dataclass(frozen=True)
class Change:
    """A piece that is put on a square."""

    identity: Relation
    piece: int
    before: Pieces
    """The pieces of which one is there until then."""

    def sees(self, pieces: Pieces) -> bool:
        """Whether it makes a difference for a test of pieces on the square."""
        return len({piece in pieces for piece in (self.piece, *self.before)}) > 1

    def paths(self, factors: Factors, relation: Relation) -> list[Factors] | None:
        """The paths of a sequence, to be followed before the change; None if they are not known.

        Args:
            factors: The sequence.
            relation: Where it begins, seen from the square.
        """
        if not factors:
            return [()]
        first, rest = factors[0], factors[1:]
        match first:
            case Static(relation=step):
                whole = self._behind(first, step, rest, relation)
                if whole is not None or not relation.is_identity:
                    return whole
                return _join(
                    self._behind(Static(part), part, rest, relation) for part in self._split(step)
                )
            case On(pieces=pieces) if relation.is_identity and self.sees(pieces):
                return self.paths(rest, relation) if self.piece in pieces else []
            case PatternTest(positive=positive, body=body, rule=rule) if relation.is_identity:
                inside = None if body is None else self.paths(body.factors, relation)
                if inside is None:
                    return None
                if not inside or () in inside:
                    return self.paths(rest, relation) if positive == bool(inside) else []
                test = PatternTest(self.identity, positive, alternatives(inside), rule)
                return self._behind(test, self.identity, rest, relation)
            case Choice(members):
                return _join(self.paths((*m.factors, *rest), relation) for m in members)
        if not is_blind_from(first, relation, None, self.sees):
            return None
        return self._behind(first, first.skeleton, rest, relation)

    def _behind(
        self, first: Expression, step: Relation, rest: Factors, relation: Relation
    ) -> list[Factors] | None:
        """The paths of a sequence whose first part stays as it is."""
        paths = self.paths(rest, relation.then(step))
        return None if paths is None else [(first, *path) for path in paths]

    def _split(self, relation: Relation) -> list[Relation]:
        """The parts of a relation that lead from a square to itself, and to others."""
        own = Relation(tuple(row & here for row, here in zip(relation.rows, self.identity.rows)))
        others = Relation(tuple(row & ~here for row, here in zip(relation.rows, own.rows)))
        return [part for part in (own, others) if part.domain]


def alternatives(paths: list[Factors]) -> Expression:
    """Several paths as an expression."""
    series = [path[0] if len(path) == 1 else Series(path) for path in paths]
    return series[0] if len(series) == 1 else Choice(tuple(series))


def _join(parts: Iterable[list[Factors] | None]) -> list[Factors] | None:
    joined: list[Factors] = []
    for paths in parts:
        if paths is None or len(joined) + len(paths) > _MAX_PATHS:
            return None
        joined += paths
    return joined
