"""Intermediate representation: the parts of the rules without modifiers, made for sets of squares.

Whatever the board alone decides, like `(up* + down*)(left* + right*)` or `{! left}`, becomes one
relation. What is left are tests of pieces and variables, patterns, and sums, sequences and stars of
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.text import ast

LOOP = 100
"""The cost of a loop, in the unit of `cost`."""


class Expression:
    """A modifier-free part of the rules."""

    @cached_property
    def cost(self) -> int:
        """Roughly how many operations on sets an evaluation takes."""
        return 1

    @cached_property
    def skeleton(self) -> Relation:
        """Where the expression leads if every test succeeds."""
        raise NotImplementedError

    @cached_property
    def reverse(self) -> Expression:
        """The paths of the expression from end to start."""
        return self

    @property
    def factors(self) -> Factors:
        """The parts of a sequence; of anything else, the expression itself."""
        return (self,)


Factors = tuple[Expression, ...]
"""A sequence."""


@dataclass(frozen=True, eq=False)
class Static(Expression):
    """A relation; `parts` is the same thing made of simpler relations, if it has any."""

    relation: Relation
    parts: Expression | None = None

    @cached_property
    def cost(self) -> int:
        if self.relation.constant is not None:
            return 1
        return 10 if self.relation.has_more_shifts(10) else len(self.relation.shifts)

    @cached_property
    def skeleton(self) -> Relation:
        return self.relation

    @cached_property
    def reverse(self) -> Expression:
        return Static(self.relation.inverse, self.parts.reverse if self.parts else None)


@dataclass(frozen=True, eq=False)
class Stay(Expression):
    """A test: it leads from a square to itself or nowhere."""

    identity: Relation

    @cached_property
    def skeleton(self) -> Relation:
        return self.identity


@dataclass(frozen=True, eq=False)
class On(Stay):
    """A test that one of these pieces, given by number, is on the square."""

    pieces: frozenset[int]


@dataclass(frozen=True, eq=False)
class Holds(Stay):
    """A test of a comparison."""

    comparison: ast.Compare


@dataclass(frozen=True, eq=False)
class PatternTest(Stay):
    """A pattern; if it contains modifiers, `body` is None."""

    positive: bool
    body: Expression | None
    rule: ast.Pattern

    @cached_property
    def cost(self) -> int:
        return self.body.cost + 1 if self.body else 10 * LOOP


@dataclass(frozen=True, eq=False)
class Compound(Expression):
    """Several expressions."""

    members: tuple[Expression, ...]

    @cached_property
    def cost(self) -> int:
        return sum(member.cost for member in self.members)


class Series(Compound):
    """One expression after the other."""

    @cached_property
    def skeleton(self) -> Relation:
        relation = self.members[0].skeleton
        for member in self.members[1:]:
            relation = relation.then(member.skeleton)
        return relation

    @cached_property
    def reverse(self) -> Expression:
        return Series(tuple(member.reverse for member in reversed(self.members)))

    @property
    def factors(self) -> Factors:
        return self.members


class Choice(Compound):
    """Any of several expressions."""

    @cached_property
    def skeleton(self) -> Relation:
        relation = self.members[0].skeleton
        for member in self.members[1:]:
            relation |= member.skeleton
        return relation

    @cached_property
    def reverse(self) -> Expression:
        return Choice(tuple(member.reverse for member in self.members))


@dataclass(frozen=True, eq=False)
class Repeat(Expression):
    """An expression any number of times, or with `least` 1 at least once."""

    body: Expression
    least: int
    board: int

    @cached_property
    def cost(self) -> int:
        return LOOP + self.body.cost

    @cached_property
    def skeleton(self) -> Relation:
        closure = self.body.skeleton.closure(self.board)
        return self.body.skeleton.then(closure) if self.least else closure

    @cached_property
    def reverse(self) -> Expression:
        return Repeat(self.body.reverse, self.least, self.board)
