"""Common subexpressions: what emitted code has found out already is not evaluated again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from llvmlite import ir

from semisplit.compiler.emit.structured import StructuredBuilder
from semisplit.compiler.emit.values import Condition, Value

T = TypeVar("T")


class Known(Generic[T]):
    """Results by the objects they depend on, each known where it has been computed on every way."""

    def __init__(self, builder: StructuredBuilder) -> None:
        self._b = builder
        self._results: dict[tuple[int, ...], list[tuple[ir.Block, tuple[object, ...], T]]] = {}

    def results(self, *objects: object) -> Iterator[T]:
        """All results for some objects."""
        for block, _, result in self._results.get(tuple(map(id, objects)), ()):
            if self._b.dominates(block):
                yield result

    def add(self, result: T, *objects: object) -> T:
        """Keep a result; also the objects, for their addresses are the key."""
        key = tuple(map(id, objects))
        self._results.setdefault(key, []).append((self._b.block, objects, result))
        return result


def implies(condition: Condition, other: Condition) -> bool:
    """Whether it can be seen that a condition holds only if another one does."""
    if other is True or condition is other:
        return True
    match condition:
        case ir.Instruction(opname="and", operands=operands):
            return any(implies(operand, other) for operand in operands)
        case ir.PhiInstr(incomings=incomings):
            return all(_is_false(value) or implies(value, other) for value, _ in incomings)
    return False


def _is_false(condition: Value) -> bool:
    return isinstance(condition, ir.Constant) and condition.constant == 0


def exclude(a: Condition, b: Condition) -> bool:
    """Whether it can be seen that two conditions never hold together."""
    if a is False or b is False:
        return True
    facts = [_facts(a), _facts(b)]
    return any(
        (fact, False) in there
        or any(_are_different(fact, other) for other, holds in there if holds)
        for here, there in (facts, facts[::-1])
        for fact, is_true in here
        if is_true
    )


def are_complementary(a: Condition, b: Condition) -> bool:
    """Whether it can be seen that one condition holds if and only if the other one does not."""
    return _negated(a) is b or _negated(b) is a


def _facts(condition: Condition, holds: bool = True) -> set[tuple[Condition, bool]]:
    """Conditions of which it is known whether they hold, if a condition holds or does not."""
    inner = _negated(condition)
    if inner is not None:
        return _facts(inner, not holds)
    match condition:
        case ir.Instruction(opname=("and" | "or") as name, operands=(a, b)):
            if holds == (name == "and"):
                return {(condition, holds)} | _facts(a, holds) | _facts(b, holds)
    return {(condition, holds)}


def _negated(condition: Condition) -> Condition | None:
    """What a condition is the negation of, if it is one."""
    match condition:
        case ir.Instruction(opname="xor", operands=(inner, ir.Constant(constant=-1))):
            return inner
    return None


def _are_different(a: Condition, b: Condition) -> bool:
    """Whether two conditions say that one value equals different constants."""
    match a, b:
        case (
            ir.ICMPInstr(op="eq", operands=(x, ir.Constant(constant=m))),
            ir.ICMPInstr(op="eq", operands=(y, ir.Constant(constant=n))),
        ):
            return x is y and m != n
    return False
