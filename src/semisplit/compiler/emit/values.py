"""Types and constants of LLVM IR, under short names."""

from __future__ import annotations

from typing import TypeAlias

from llvmlite import ir

Value: TypeAlias = ir.Value
Condition: TypeAlias = Value | bool
"""A Python bool is a condition that is known while compiling."""

i1, i8, i16, i32, i64 = (ir.IntType(width) for width in (1, 8, 16, 32, 64))
pointer = ir.PointerType()
void = ir.VoidType()


def constant(number: int) -> ir.Constant:
    """A 64-bit constant."""
    return ir.Constant(i64, number)


def like(value: Value, number: int | Value) -> Value:
    """A number as a constant of the same type as a value; values stay as they are."""
    return ir.Constant(value.type, number) if isinstance(number, int) else number


def alignment(type_: ir.Type) -> int:
    """The bytes to which memory of a type is aligned: never more than a machine word."""
    return min(type_.width // 8, 8) if isinstance(type_, ir.IntType) else 8
