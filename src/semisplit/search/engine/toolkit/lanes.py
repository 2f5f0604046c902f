"""Many numbers at a time: vectors for the loops over all edges of a node.

The edges of most nodes fit into one vector, so there is no loop whose end the processor would have
to guess. LLVM splits vectors if the processor has only shorter ones; results are the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from semisplit.compiler.emit import vectors

LANES, FEW = 16, 4
"""Numbers in a vector, and in a short one, with which all is done sooner."""
_float, _int32, _int64 = ir.FloatType(), ir.IntType(32), ir.IntType(64)


class Lanes(types.Type):
    """A vector of real numbers of 32 bits."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.vector = ir.VectorType(_float, count)
        super().__init__(name=f"Lanes({count})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Lanes) -> None:
        super().__init__(manager, kind, kind.vector)


_lanes, _few = Lanes(LANES), Lanes(FEW)


def _operator(function: Callable[..., Any], name: str) -> None:
    """Let kernels use an operator between vectors, or with a number on the left."""

    @type_callable(function)
    def resolve(context: Any) -> Any:
        def result(a: Any, b: Any) -> Any:
            fits = isinstance(b, Lanes) and a in (b, types.float64)
            return b if fits else None

        return result

    @lower_builtin(function, Lanes, Lanes)
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, name)(*args)

    @lower_builtin(function, types.Float, Lanes)
    def generate_mixed(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = _everywhere(builder, args[0], signature.return_type)
        return getattr(builder, name)(number, args[1])


_operator(operator.add, "fadd")
_operator(operator.sub, "fsub")
_operator(operator.mul, "fmul")
_operator(operator.truediv, "fdiv")


def _everywhere(builder: Any, number: Any, kind: Lanes) -> Any:
    return vectors.splat(builder, builder.fptrunc(number, _float), kind.count)


def _pointer(builder: Any, address: Any, kind: ir.Type) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


def _loader(kind: Lanes) -> Any:
    @intrinsic
    def load(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_pointer(builder, args[0], kind.vector), align=4)

        return kind(types.int64), generate

    return load


load_lanes, load_few = _loader(_lanes), _loader(_few)
"""The numbers from an address on."""


def _pair_loader(kind: Lanes) -> Any:
    @intrinsic
    def load(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            both = ir.VectorType(_float, 2 * kind.count)
            pairs = builder.load(_pointer(builder, args[0], both), align=4)
            lanes = range(2 * kind.count)
            parts = [vectors.shuffle(builder, pairs, list(lanes[i::2])) for i in (0, 1)]
            return context.make_tuple(builder, signature.return_type, parts)

        return types.UniTuple(kind, 2)(types.int64), generate

    return load


load_pairs, load_few_pairs = _pair_loader(_lanes), _pair_loader(_few)
"""The first and the second numbers of the pairs from an address on."""


@intrinsic
def store_lanes(typing: Any, address: Any, value: Any) -> Any:
    """Write numbers to an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], _pointer(builder, args[0], _lanes.vector), align=4)
        return context.get_dummy_value()

    return types.void(types.int64, _lanes), generate


@intrinsic
def everywhere(typing: Any, number: Any) -> Any:
    """One number in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _everywhere(builder, args[0], _lanes)

    return _lanes(types.float64), generate


@intrinsic
def first_lanes(typing: Any, value: Any, count: Any, otherwise: Any) -> Any:
    """So many numbers of a vector, and another number after them."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lanes = value.count
        numbers = ir.Constant(ir.VectorType(_int32, lanes), list(range(lanes)))
        count = vectors.splat(builder, builder.trunc(args[1], _int32), lanes)
        is_first = builder.icmp_signed("<", numbers, count)
        return builder.select(is_first, args[0], _everywhere(builder, args[2], value))

    return value(value, types.int64, types.float64), generate


@intrinsic
def larger(typing: Any, a: Any, b: Any) -> Any:
    """The larger number in each lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return vectors.larger(builder, *args)

    return a(a, a), generate


@intrinsic
def largest(typing: Any, value: Any) -> Any:
    """The largest of all numbers, in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return vectors.largest(builder, args[0])

    return value(value), generate


@intrinsic
def first_lane(typing: Any, value: Any) -> Any:
    """The first number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fpext(builder.extract_element(args[0], _int32(0)), ir.DoubleType())

    return types.float64(value), generate


@intrinsic
def lanes_equal(typing: Any, a: Any, b: Any) -> Any:
    """The lanes in which two vectors have the same numbers, as bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        equal = builder.fcmp_ordered("==", *args)
        return builder.zext(builder.bitcast(equal, ir.IntType(a.count)), _int64)

    return types.int64(a, a), generate


def _prefetching(to_write: bool) -> Any:
    @intrinsic
    def fetch(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [place.type, _int32, _int32, _int32])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [place, _int32(int(to_write)), _int32(3), _int32(1)])
            return context.get_dummy_value()

        return types.void(types.int64), generate

    return fetch


prefetch: Callable[[int], None] = _prefetching(to_write=False)
"""Have memory fetched that will soon be needed."""
prefetch_to_write: Callable[[int], None] = _prefetching(to_write=True)
"""Have memory fetched and taken from other processors, as it will be written."""


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
