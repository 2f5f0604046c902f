"""Places: where an evaluation has come to, in one of two forms.

A `Row` are the squares that a relation known at compile time leads to from one square. `Many` is
any set of squares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from semisplit.compiler.emit.values import Condition, Value
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.sets import Squareset
from semisplit.language.rbg.native.board.state import StateCode


@dataclass(frozen=True)
class Row:
    """The squares that a relation leads to from a square, none if the condition does not hold."""

    relation: Relation
    square: Value
    condition: Condition


@dataclass(frozen=True)
class Many:
    """Any set of squares."""

    squares: Squareset
    expected: int
    """How many squares to expect in it; only speed depends on it."""


Place = Row | Many


class Places:
    """Emits operations on places."""

    def __init__(self, code: StateCode):
        self.code = code
        squares = code.squares
        self.identity = Relation.identity(squares.board, squares.size)

    def at(self, square: Value, condition: Condition = True) -> Row:
        """The place of a single square."""
        return Row(self.identity, square, condition)

    def squares(self, place: Place) -> Squareset:
        """A place as a set."""
        if isinstance(place, Many):
            return place.squares
        return self.code.only_if(place.condition, self.code.row(place.relation, place.square))

    def many(self, place: Place) -> Many:
        """A place as any set."""
        if isinstance(place, Many):
            return place
        return Many(self.squares(place), self.expected(place))

    def is_any(self, place: Place) -> Condition:
        """Whether a place has a square."""
        if isinstance(place, Many):
            return self.code.is_any(place.squares)
        inside = self.code.is_in(place.relation.domain, place.square)
        return self.code.all_of(place.condition, inside)

    def join(self, a: Place | None, b: Place) -> Place:
        """The squares of both places."""
        if a is None:
            return b
        if isinstance(a, Row) and isinstance(b, Row) and a.square is b.square:
            if a.relation == b.relation:
                return replace(a, condition=self.code.any_of(a.condition, b.condition))
            if a.condition is b.condition:
                return replace(a, relation=a.relation | b.relation)
        x, y = self.many(a), self.many(b)
        expected = min(x.expected + y.expected, len(self.code.squares.bits))
        return Many(self.code.either(x.squares, y.squares), expected)

    def is_single(self, place: Place) -> bool:
        """Whether a place is at most one square, known by number."""
        return isinstance(place, Row) and place.relation.is_function

    def to_square(self, place: Row) -> Row:
        """A place that is at most one square, as that square under a condition."""
        if place.relation == self.identity:
            return place
        if place.relation.is_identity:
            return self.at(place.square, self.is_any(place))
        condition = self.is_any(place)
        return self.at(self.next_square(place), condition)

    def next_square(self, place: Row) -> Value:
        """The only square of a place, or the place behind the last square."""
        return self.code.next_square(place.relation, place.square)

    def expected(self, place: Place) -> int:
        """How many squares to expect in a place."""
        return place.expected if isinstance(place, Many) else place.relation.most

    def only_if(self, condition: Condition, place: Place) -> Place:
        """The place if a condition holds, otherwise no square."""
        if isinstance(place, Row):
            return replace(place, condition=self.code.all_of(place.condition, condition))
        return replace(place, squares=self.code.only_if(condition, place.squares))
