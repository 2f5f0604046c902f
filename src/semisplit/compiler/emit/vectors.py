"""Emitting what is done with vectors of real numbers, in games and in the kernels of the search."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

_i32 = ir.IntType(32)


def shuffle(b: ir.IRBuilder, vector: Any, order: list[int]) -> Any:
    """The lanes of a vector in another order."""
    indices = ir.Constant(ir.VectorType(_i32, len(order)), order)
    return b.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), indices)


def splat(b: ir.IRBuilder, number: Any, count: int) -> Any:
    """A vector with the same number in all lanes."""
    type_ = ir.VectorType(number.type, count)
    first = b.insert_element(ir.Constant(type_, ir.Undefined), number, _i32(0))
    return shuffle(b, first, [0] * count)


def larger(b: ir.IRBuilder, x: Any, y: Any) -> Any:
    """The larger one of two numbers, or in each lane of two vectors."""
    return b.select(b.fcmp_ordered(">", x, y), x, y)


def largest(b: ir.IRBuilder, vector: Any) -> Any:
    """The largest number of a vector, in all lanes."""
    count = width = vector.type.count
    while width > 1:
        width //= 2
        vector = larger(b, vector, shuffle(b, vector, [lane ^ width for lane in range(count)]))
    return vector
