"""Whether expressions lead anywhere: forward from a place, and no further than it takes to know."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, i1
from semisplit.language.rbg.native.analysis.expression import (
    LOOP,
    Choice,
    Expression,
    On,
    Repeat,
    Static,
)
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.evaluate.evaluation import Evaluation
from semisplit.language.rbg.native.evaluate.places import Many, Place, Row
from semisplit.language.rbg.native.evaluate.rays import find_ray
from semisplit.language.rbg.native.evaluate.trails import Trails

_WIDE, _MAX_NEIGHBOURS = 2, 4
"""With more words to a set, so many squares are rather looked at one by one."""


class Matches:
    """Emits the question whether sequences lead anywhere, at one place of a function."""

    def __init__(self, evaluation: Evaluation):
        self._evaluation = evaluation
        self._trails = Trails(evaluation)
        self._code = evaluation.code

    def matches(self, factors: list[Expression], place: Place) -> Condition:
        """Whether a sequence leads anywhere."""
        for number, factor in enumerate(factors):
            rest = factors[number + 1 :]
            if self._evaluation.is_single(place) and self._trails.prefers_trail(factors[number:]):
                assert isinstance(place, Row)
                return self._trails.leads_to_end(factors[number:], place)
            cost = sum(later.cost for later in factors[number:])
            if isinstance(place, Many) and place.expected <= 1 and cost > LOOP:
                return self._any_matches(factors[number:], place)
            last = number == len(factors) - 1
            if last and isinstance(factor, Choice) and factor.cost > LOOP:
                return self._first_match(factor.members, place)
            if (
                isinstance(factor, Repeat)
                and find_ray(self._evaluation, factor, place) is None
                and rest
            ):
                return self._search(factor, rest, place)
            match factors[number:]:
                case [Static(relation=step), On() as test] if self._are_few(step, place):
                    assert isinstance(place, Row)
                    return self._any_is_on(test, step, self._evaluation.to_square(place))
            place = self._evaluation.forward(factor, place)
        return self._evaluation.is_any(place)

    def _any_matches(self, factors: list[Expression], place: Many) -> Condition:
        """Whether a sequence leads anywhere from one of a few squares, tried one by one.

        From a single square there are tables, for lines of squares above all.
        """
        code = self._code
        with code.loop(code.as_set(place.squares)) as loop:
            (left,) = loop.variables
            loop.leave_unless(code.is_any(left), ir.Constant(i1, 0))
            found = self.matches(factors, self._evaluation.at(code.lowest(left)))
            loop.leave_if(found, ir.Constant(i1, 1))
            loop.again(code.without_lowest(left))
        return loop.results[0]

    def _are_few(self, step: Relation, place: Place) -> bool:
        """Whether to look at squares one by one, because they are few and sets are wide."""
        is_wide = self._code.words > _WIDE
        return (
            is_wide
            and self._evaluation.is_single(place)
            and not step.has_more_shifts(_MAX_NEIGHBOURS)
        )

    def _any_is_on(self, test: On, step: Relation, place: Row) -> Condition:
        found: Condition = False
        for function in step.functions:
            one = Row(self._code.module.same(function), place.square, True)
            found = self._code.any_of(
                found, self._evaluation.is_any(self._evaluation.forward(test, one))
            )
        return self._code.all_of(place.condition, found)

    def _first_match(self, members: tuple[Expression, ...], place: Place) -> Condition:
        found: Condition = False
        for member in members:
            found = self._unless(found, partial(self.matches, list(member.factors), place))
        return found

    def _unless(self, condition: Condition, evaluate: Callable[[], Condition]) -> Condition:
        missing = self._code.negate(condition)
        return self._code.any_of(condition, self._code.guarded(missing, evaluate))

    def _search(self, repeat: Repeat, rest: list[Expression], place: Place) -> Condition:
        """Whether the rest matches after some repetitions."""

        def once() -> Many:
            return self._evaluation.many(self._evaluation.forward(repeat.body, place))

        if repeat.least:
            return self._search_on(repeat, rest, once())
        if isinstance(place, Row):
            # From a single square tables help: the first two steps are made with them.
            found = self.matches(rest, place)
            return self._unless(found, lambda: self._search_on(repeat, rest, once()))
        return self._search_on(repeat, rest, place)

    def _search_on(self, repeat: Repeat, rest: list[Expression], start: Many) -> Condition:

        def stop(frontier: Value) -> Condition:
            return self.matches(rest, Many(frontier, len(self._code.squares.bits)))

        return self._evaluation.fixpoint(repeat.body, start.squares, stop)
