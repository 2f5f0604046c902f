"""Sixteen numbers at a time: vectors for the loops over all edges of a node.

The few edges of most nodes fit into one vector, so there is no loop whose end the processor would
have to guess. LLVM splits vectors if the processor has only shorter ones; results are the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

LANES = 16
_float, _int32, _int64 = ir.FloatType(), ir.IntType(32), ir.IntType(64)
_vector, _double_vector = ir.VectorType(_float, LANES), ir.VectorType(_float, 2 * LANES)
_NUMBERS = ir.Constant(ir.VectorType(_int32, LANES), list(range(LANES)))


class Lanes(types.Type):
    """Sixteen real numbers of 32 bits."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _vector)


def _operator(function: Callable[..., Any], name: str) -> None:
    """Let kernels use an operator between vectors."""

    @type_callable(function)
    def resolve(context: Any) -> Any:
        def result(a: Any, b: Any) -> Any:
            return lanes if a == b == lanes else None

        return result

    @lower_builtin(function, lanes, lanes)
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, name)(*args)


_operator(operator.add, "fadd")
_operator(operator.sub, "fsub")
_operator(operator.mul, "fmul")


def _shuffle(builder: Any, value: Any, order: list[int]) -> Any:
    indices = ir.Constant(ir.VectorType(_int32, len(order)), order)
    return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), indices)


def _pointer(builder: Any, address: Any, kind: ir.Type) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


@intrinsic
def load_lanes(typing: Any, address: Any) -> Any:
    """The numbers from an address on."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(builder, args[0], _vector), align=4)

    return lanes(types.int64), generate


@intrinsic
def load_pairs(typing: Any, address: Any) -> Any:
    """The first and the second numbers of the pairs from an address on."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pairs = builder.load(_pointer(builder, args[0], _double_vector), align=4)
        parts = [_shuffle(builder, pairs, list(range(part, 2 * LANES, 2))) for part in (0, 1)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(lanes, 2)(types.int64), generate


@intrinsic
def store_lanes(typing: Any, address: Any, value: Any) -> Any:
    """Write numbers to an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], _pointer(builder, args[0], _vector), align=4)
        return context.get_dummy_value()

    return types.void(types.int64, lanes), generate


@intrinsic
def everywhere(typing: Any, number: Any) -> Any:
    """The same number in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _splat(builder, builder.fptrunc(args[0], _float))

    return lanes(types.float64), generate


def _splat(builder: Any, value: Any) -> Any:
    kind = ir.VectorType(value.type, LANES)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), value, _int32(0))
    return _shuffle(builder, first, [0] * LANES)


@intrinsic
def first_lanes(typing: Any, value: Any, count: Any, otherwise: Any) -> Any:
    """So many numbers of a vector, and those of another behind them."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = _splat(builder, builder.trunc(args[1], _int32))
        return builder.select(builder.icmp_signed("<", _NUMBERS, count), args[0], args[2])

    return lanes(lanes, types.int64, lanes), generate


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


@intrinsic
def larger(typing: Any, a: Any, b: Any) -> Any:
    """The larger number in each lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _larger(builder, *args)

    return lanes(lanes, lanes), generate


@intrinsic
def largest(typing: Any, value: Any) -> Any:
    """The largest of all numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        best, width = args[0], LANES
        while width > 1:
            width //= 2
            other = _shuffle(builder, best, [lane ^ width for lane in range(LANES)])
            best = _larger(builder, best, other)
        return builder.fpext(builder.extract_element(best, _int32(0)), ir.DoubleType())

    return types.float64(lanes), generate


@intrinsic
def equal_lanes(typing: Any, value: Any, other: Any) -> Any:
    """The lanes in which two vectors are equal, as bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        equal = builder.fcmp_ordered("==", *args)
        return builder.zext(builder.bitcast(equal, ir.IntType(LANES)), _int64)

    return types.int64(lanes, lanes), generate


@intrinsic
def count_bits(typing: Any, bits: Any) -> Any:
    """How many bits are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_bit(typing: Any, bits: Any) -> Any:
    """The place of the lowest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), generate
