"""Evaluating expressions, the parts of the rules in which nothing changes.

From where the evaluation starts to where it leads it is in one of two forms: a `Row`, the squares
that a relation known at compile time leads to from one square, or `Many`, any set of squares.
`Evaluator.forward` computes where an expression leads; `Evaluator.matches` only whether it leads
anywhere, and stops as soon as that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, constant
from semisplit.language.rbg.native.analysis.expression import (
    LOOP,
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
from semisplit.language.rbg.native.analysis.symbols import Symbols
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.arithmetic import compare
from semisplit.language.rbg.native.evaluate.evaluation import Evaluation
from semisplit.language.rbg.native.evaluate.known import Known, implies
from semisplit.language.rbg.native.evaluate.matches import Matches
from semisplit.language.rbg.native.evaluate.places import Many, Place, Row
from semisplit.language.rbg.native.evaluate.rays import along, find_ray

_WORTH_A_BRANCH = 16
"""The cost above which an expression is not evaluated for an empty place."""
_MAX_BRANCHES = 8
"""How deep such branches are nested."""
_FEW = 8
"""Squares up to which an expensive pattern is tried one by one."""
_MAX_SHIFTS = 6
"""Shifts up to which a relation is applied to a set at once, if it has simpler parts."""
_MAX_UNROLLED = 8
"""Steps up to which a repetition becomes straight code."""


class Answer(NamedTuple):
    """What a function says about a pattern."""

    holds: Value
    may_fail: bool
    """Whether a limit may have been hit."""


class Evaluator(Evaluation):
    """Emits code that evaluates expressions at one place of a function."""

    def __init__(
        self,
        code: StateCode,
        symbols: Symbols,
        start_counts: list[int],
        ask: Callable[[PatternTest, Value], Answer | None],
        start: Value | None = None,
        start_pieces: frozenset[int] = frozenset(),
    ):
        """Set up the evaluator.

        Args:
            code: Where to emit.
            symbols: The names of the description.
            start_counts: How many of each piece there are at the start.
            ask: Emits asking for a pattern on a square in a function of its own; None if it needs
                none.
            start: The square where the evaluation starts.
            start_pieces: The pieces that may be on it.
        """
        super().__init__(code)
        self._matches = Matches(self)
        self.symbols = symbols
        self._start_counts = start_counts
        self._ask = ask
        self.may_fail = False
        """Whether a limit may be hit, in patterns with modifiers."""
        self._branches = 0
        """Branches for empty places that the code being emitted is inside."""
        self._start = start
        self._start_pieces = start_pieces
        self._places: Known[Place] = Known(code.b)
        self._squares: Known[Value] = Known(code.b)
        self._pieces: Known[Value] = Known(code.b)
        self._found: Known[Condition] = Known(code.b)
        self._tested: Known[tuple[Condition, Condition]] = Known(code.b)
        """Whether patterns hold on single squares, if a condition does."""

    def next_square(self, place: Row) -> Value:
        relation, square = place.relation, place.square
        for found in self._squares.results(relation, square):
            return found
        # The start is a square of the board; others may be the place behind the last one.
        everywhere = square is self._start and relation.domain == self.code.squares.board
        if everywhere and relation.constant is not None:
            found = constant(relation.constant.bit_length() - 1)
        else:
            found = super().next_square(place)
        return self._squares.add(found, relation, square)

    # Forward

    def forward(self, expression: Expression, place: Place) -> Place:
        """Where an expression leads."""
        key = expression, *_parts(place)
        for after in self._places.results(*key):
            return after
        return self._places.add(self._forward(expression, place), *key)

    def _forward(self, expression: Expression, place: Place) -> Place:
        match expression:
            case Static():
                return self._static(expression, place)
            case On(pieces=pieces):
                return self._on(pieces, place)
            case Holds(comparison=comparison):
                return self.only_if(compare(self.code, self.symbols, comparison), place)
            case PatternTest():
                return self._test(expression, place)
            case Series(members):
                for number, member in enumerate(members):
                    place = self.forward(member, place)
                    rest = members[number + 1 :]
                    if isinstance(member, Stay) and self._is_worth_a_branch(rest, place):
                        return self.forward_if_any(Series(rest), place)
                return place
            case Choice(members):
                joined: Place | None = None
                for member in members:
                    joined = self.join(joined, self.forward(member, place))
                assert joined is not None
                return joined
            case Repeat():
                return self._repeat(expression, place)
        raise TypeError(expression)

    def forward_if_any(self, expression: Expression, place: Place) -> Place:
        """Where an expression leads; if it is expensive, evaluated only if the place is not empty.

        What happens often is worth a branch: a test fails and much would follow.
        """
        if not self._is_worth_a_branch(expression.factors, place):
            return self.forward(expression, place)
        code, b = self.code, self.code.b
        possible = self.is_any(place)
        if isinstance(possible, bool):
            return self.forward(expression, place)
        before = b.block
        self._branches += 1
        with b.if_then(possible):
            after = self.forward(expression, place)
            single = isinstance(after, Row) and after.relation.is_function
            if isinstance(after, Row) and single:
                after = self.to_square(after)
                inside: list[Value] = [code.condition(after.condition), after.square]
            else:
                inside = [code.as_set(self.squares(after))]
            last = b.block
        self._branches -= 1
        merged = []
        for value in inside:
            phi = b.phi(value.type)
            phi.add_incoming(value, last)
            phi.add_incoming(ir.Constant(value.type, 0), before)
            merged.append(phi)
        if isinstance(after, Row) and single:
            # A square that was known before needs no merging.
            known = isinstance(place, Row) and after.square is place.square
            known = known or isinstance(after.square, ir.Constant)
            return self.at(after.square if known else merged[1], merged[0])
        return Many(merged[0], self.expected(after))

    def _is_worth_a_branch(self, factors: Sequence[Expression], place: Place) -> bool:
        certain = isinstance(place, Row) and place.condition is True
        if certain or self._branches == _MAX_BRANCHES:
            return False
        expensive = next((f for f in factors if not isinstance(f, On | Holds)), None)
        if self.is_single(place) and isinstance(expensive, PatternTest):
            # It will get a branch of its own.
            return False
        return sum(factor.cost for factor in factors) > _WORTH_A_BRANCH

    def _static(self, expression: Static, place: Place) -> Place:
        relation = expression.relation
        if isinstance(place, Row):
            return replace(place, relation=place.relation.then(relation))
        is_simple = relation.constant is not None or self.code.has_byte_tables(relation)
        if expression.parts and not is_simple and relation.has_more_shifts(_MAX_SHIFTS):
            return self.forward(expression.parts, place)
        expected = min(place.expected * relation.most, len(self.code.squares.bits))
        return Many(self.code.image(relation, place.squares), expected)

    def _on(self, pieces: frozenset[int], place: Place) -> Place:
        if isinstance(place, Row) and place.square is self._start and place.relation.is_identity:
            if not pieces & self._start_pieces:
                return self.only_if(False, place)
            if pieces >= self._start_pieces:
                return place
        if (
            isinstance(place, Row)
            and place.relation.is_function
            and (self.code.words > 1 or place.relation.is_identity)
        ):
            if place.relation.is_identity:
                place = self.to_square(place)
            else:
                # Off the board, in the place behind the last square, there is no piece.
                place = self.at(self.next_square(place), place.condition)
            return self.only_if(self._is_on(pieces, place.square), place)
        here = self.many(place)
        expected = min(here.expected, sum(self._start_counts[piece] for piece in pieces))
        return Many(self.code.both(here.squares, self.code.pieces_set(pieces)), expected)

    def _is_on(self, pieces: frozenset[int], square: Value) -> Condition:
        for found in self._found.results(pieces, square):
            return found
        if not self.code.layout.mailbox_bytes:
            return self._found.add(self.code.is_on(pieces, square), pieces, square)
        piece = next(self._pieces.results(square), None)
        if piece is None:
            piece = self._pieces.add(self.code.mailbox_piece(square), square)
        return self._found.add(self.code.is_one_of(pieces, piece), pieces, square)

    def _test(self, test: PatternTest, place: Place) -> Place:
        if isinstance(place, Row) and place.relation.is_function:
            place = self.to_square(place)
            found = self._matches_if(place.condition, test, place.square)
            return self.only_if(found if test.positive else self.code.negate(found), place)
        here = self.many(place)
        if test.body is None or (test.cost > LOOP and here.expected <= _FEW):
            keeps = partial(self.holds, test)
            kept = self.filter(here.squares, keeps, positive=test.positive)
            return replace(here, squares=kept)
        everywhere = Many(self.code.squares.board, len(self.code.squares.bits))
        matching = self.squares(self.forward(test.body.reverse, everywhere))
        operation = self.code.both if test.positive else self.code.without
        return replace(here, squares=operation(here.squares, matching))

    def _matches_if(self, condition: Condition, test: PatternTest, square: Value) -> Condition:
        """Whether a pattern holds on a square, evaluated only if a condition holds."""
        key = test.body or test.rule.body, square
        for earlier, found in self._tested.results(*key):
            if implies(condition, earlier):
                return found
        found = self.code.guarded(condition, lambda: self.holds(test, square))
        return self._tested.add((condition, found), *key)[1]

    def holds(self, test: PatternTest, square: Value) -> Condition:
        """Whether the content of a pattern leads anywhere from a square."""
        answer = self._ask(test, square)
        if answer is not None:
            self.may_fail = self.may_fail or answer.may_fail
            return answer.holds
        assert test.body is not None
        return self.matches(test.body, self.at(square))

    # Repetition

    def _repeat(self, repeat: Repeat, place: Place) -> Place:
        ray = find_ray(self, repeat, place)
        if ray is not None and isinstance(place, Row):
            return along(self, ray, repeat, place)
        start = self.many(place)
        if repeat.least:
            start = self.many(self.forward(repeat.body, start))
        steps = repeat.body.skeleton.longest_path
        unrolled = steps is not None and steps <= _MAX_UNROLLED and repeat.body.cost < LOOP
        if unrolled and self.code.words == 1:
            assert steps is not None
            reached, frontier = start.squares, start
            for _ in range(steps):
                frontier = self.many(self.forward(repeat.body, frontier))
                reached = self.code.either(reached, frontier.squares)
        else:
            reached = self.fixpoint(repeat.body, start.squares, None)
        return Many(reached, len(self.code.squares.bits))

    def matches(self, expression: Expression, place: Place) -> Condition:
        """Whether an expression leads anywhere."""
        return self._matches.matches(list(expression.factors), place)


def _parts(place: Place) -> tuple[object, ...]:
    """What makes a place differ from others."""
    if isinstance(place, Row):
        return place.relation, place.square, place.condition
    return (place.squares,)
