"""Evaluations: following expressions from place to place, and loops made of that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, i1
from semisplit.language.rbg.native.analysis.expression import Expression
from semisplit.language.rbg.native.board.sets import Squareset
from semisplit.language.rbg.native.evaluate.places import Many, Place, Places


class Evaluation(Places, ABC):
    """What code can rely on that asks whether expressions lead anywhere."""

    @abstractmethod
    def forward(self, expression: Expression, place: Place) -> Place:
        """Where an expression leads."""

    def filter(
        self, squares: Squareset, test: Callable[[Value], Condition], *, positive: bool = True
    ) -> Squareset:
        """The squares of a set for which a test holds, or does not, tried one by one."""
        code, b = self.code, self.code.b
        with code.loop(code.as_set(squares), code.as_set(0)) as loop:
            left, kept = loop.variables
            loop.leave_unless(code.is_any(left))
            found = test(code.lowest(left))
            keep = found if positive else code.negate(found)
            one = b.and_(left, b.sub(code.as_set(0), left))
            more = b.or_(kept, code.as_set(code.only_if(keep, one)))
            loop.again(b.xor(left, one), more)
        return kept

    def fixpoint(
        self,
        body: Expression,
        start: Squareset,
        stop: Callable[[Value], Condition] | None,
    ) -> Value:
        """All squares reached by repeating the body; the search ends early where `stop` holds.

        With `stop` the result is whether it held.
        """
        code, first = self.code, self.code.as_set(start)
        with code.repeat(first, first) as loop:
            reached, frontier = loop.variables
            if stop:
                loop.leave_if(stop(frontier), ir.Constant(i1, 1))
            everywhere = Many(frontier, len(code.squares.bits))
            more = self.squares(self.forward(body, everywhere))
            new = code.as_set(code.without(more, reached))
            nothing = [ir.Constant(i1, 0)] if stop else []
            loop.leave_unless(code.is_any(new), *nothing)
            loop.again(code.b.or_(reached, new), new)
        return loop.results[0] if stop else reached
