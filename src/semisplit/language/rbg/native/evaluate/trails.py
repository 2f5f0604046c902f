"""Trails: following an expression from square to square, with branches, where sets do not pay."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, i1, i64
from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    On,
    Repeat,
    Series,
    Static,
)
from semisplit.language.rbg.native.evaluate.evaluation import Evaluation
from semisplit.language.rbg.native.evaluate.places import Place, Row


class Trails:
    """Emits trails at one place of a function."""

    def __init__(self, evaluation: Evaluation):
        self._evaluation = evaluation
        self._code = evaluation.code

    def prefers_trail(self, factors: list[Expression]) -> bool:
        """Whether to follow one: where it is possible, sets are wide or shifts are many."""
        if not any(isinstance(part, Repeat) for part in _parts(factors)):
            return False
        if not all(_is_trail(factor, last=factor is factors[-1]) for factor in factors):
            return False
        relations = [part.relation for part in _parts(factors) if isinstance(part, Static)]
        irregular = any(relation.has_more_shifts(2) for relation in relations)
        return irregular or self._code.words > 1

    def leads_to_end(self, factors: list[Expression], place: Row) -> Condition:
        """Whether a trail from a single square comes to the end."""
        code = self._code
        place = self._evaluation.to_square(place)
        found, failed, end = code.blocks("found", "failed", "followed")
        code.jump_unless(place.condition, failed)
        self._follow(factors, place.square, found, failed)
        for block in (found, failed):
            code.emit_in(block)
            code.b.branch(end)
        code.emit_in(end)
        return code.merged((ir.Constant(i1, 1), found), (ir.Constant(i1, 0), failed))

    def _follow(
        self,
        factors: list[Expression],
        square: Value,
        found: ir.Block,
        failed: ir.Block,
        arrive: Callable[[Value], None] | None = None,
    ) -> None:
        """Follow from a square; go to `found` with `arrive` told where, or to `failed`."""
        b = self._code.b
        for number, factor in enumerate(factors):
            rest = factors[number + 1 :]
            match factor:
                case Choice(members):
                    for member in members[:-1]:
                        otherwise = self._code.block("otherwise")
                        self._follow([*member.factors], square, found, otherwise)
                        self._code.emit_in(otherwise)
                    self._follow([*members[-1].factors], square, found, failed)
                    return
                case Repeat(body, least):
                    if least:
                        self._follow_repeat(body, [*body.factors], rest, square, found, failed)
                    else:
                        self._follow_repeat(body, [], rest, square, found, failed)
                    return
                case Static(relation=relation):
                    place = self._evaluation.to_square(Row(relation, square, True))
                    # A test of a piece fails off the board; otherwise we have to look.
                    tested = rest and isinstance(rest[0], On) and self._code.layout.mailbox_bytes
                    if relation.is_identity or not tested:
                        self._code.jump_unless(place.condition, failed)
                    square = place.square
                case _:
                    here = self._evaluation.at(square)
                    place = self._row(self._evaluation.forward(factor, here))
                    place = self._evaluation.to_square(place)
                    self._code.jump_unless(place.condition, failed)
        if arrive:
            arrive(square)
        b.branch(found)

    def _follow_repeat(
        self,
        body: Expression,
        first: list[Expression],
        rest: list[Expression],
        square: Value,
        found: ir.Block,
        failed: ir.Block,
    ) -> None:
        code, b = self._code, self._code.b
        head, step = code.blocks("again", "further")
        arrivals: list[tuple[Value, ir.Block]] = []

        def arrive(where: Value) -> None:
            arrivals.append((where, b.block))

        self._follow(first, square, head, failed, arrive)
        code.emit_in(head)
        here = b.phi(i64)
        self._follow(rest, here, found, step)
        code.emit_in(step)
        self._follow([*body.factors], here, head, failed, arrive)
        for where, block in arrivals:
            here.add_incoming(where, block)

    def _row(self, place: Place) -> Row:
        assert isinstance(place, Row)
        return place


def _parts(factors: list[Expression]) -> list[Expression]:
    """All parts of expressions that a trail meets, without the contents of patterns."""
    found = []
    for factor in factors:
        found.append(factor)
        match factor:
            case Series(members) | Choice(members):
                found += _parts([*members])
            case Repeat(body):
                found += _parts([*body.factors])
    return found


def _is_trail(expression: Expression, *, last: bool) -> bool:
    """Whether from a square there is always at most one way on, but for when to stop repeating."""
    match expression:
        case Static(relation=relation):
            return relation.is_function
        case Series(members):
            return all(_is_trail(member, last=last and member is members[-1]) for member in members)
        case Choice(members):
            return last and all(_is_trail(member, last=True) for member in members)
        case Repeat(body):
            straight = all(_is_trail(f, last=False) for f in body.factors)
            plain = not any(isinstance(part, Repeat) for part in _parts([*body.factors]))
            return straight and plain and body.skeleton.longest_path is not None
        case _:
            return True
