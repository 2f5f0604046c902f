"""Emitting operations on words of 256 lanes, and on numbers whose bits are such words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from llvmlite import ir

from semisplit.emit.code import Code
from semisplit.emit.module import Module
from semisplit.emit.values import Value, constant, i64
from semisplit.gdl.native.layout import WORD

word = ir.VectorType(i64, 4)
_i256 = ir.IntType(256)
ZERO = ir.Constant(word, [0] * 4)
ONES = ir.Constant(word, [-1] * 4)

Number: TypeAlias = list[Value]
"""A number in each lane: its bits, the lowest first."""


class WordCode(Code[Module]):
    """A place in a function where code for words is added."""

    def word(self, base: Value, offset: Value | int = 0) -> Value:
        """Load a word."""
        return self.b.load(self.place(base, offset), typ=word, align=WORD)

    def put(self, value: Value, base: Value, offset: Value | int = 0) -> None:
        """Store a word."""
        self.b.store(value, self.place(base, offset), align=WORD)

    def invert(self, value: Value) -> Value:
        """The lanes in which it does not hold."""
        return self.b.xor(value, ONES)

    def without(self, value: Value, other: Value) -> Value:
        """The lanes of one that are not in another."""
        return self.b.and_(value, self.invert(other))

    def choose(self, condition: Value, a: Value, b: Value) -> Value:
        """One word in the lanes of a third, and another elsewhere."""
        return self.b.or_(self.b.and_(a, condition), self.without(b, condition))

    def in_any(self, value: Value) -> Value:
        """Whether it holds in some lane."""
        return self.b.icmp_unsigned("!=", self.b.bitcast(value, _i256), ir.Constant(_i256, 0))

    def in_first(self, value: Value) -> Value:
        """Whether it holds in the first lane."""
        first = self.b.extract_element(value, ir.Constant(ir.IntType(32), 0))
        return self.unequal(self.b.and_(first, constant(1)), 0)

    def count_lanes(self, value: Value) -> Value:
        """The number of lanes in which it holds."""
        return self.sum(self.ones(value))

    def ones(self, value: Value) -> Value:
        """The number of lanes in which it holds, in four parts."""
        type_ = ir.FunctionType(word, (word,))
        ctpop = self.module.ir.declare_intrinsic("llvm.ctpop.v4i64", (), type_)
        return self.b.call(ctpop, [value])

    def sum(self, value: Value) -> Value:
        """The sum of the four integers of a word."""
        b = self.b
        parts = [b.extract_element(value, ir.Constant(ir.IntType(32), part)) for part in range(4)]
        return b.add(b.add(parts[0], parts[1]), b.add(parts[2], parts[3]))

    # Numbers

    def add_numbers(self, x: Number, y: Number) -> Number:
        """The sum, with one bit more than the longer one."""
        b, result = self.b, []
        if len(x) < len(y):
            x, y = y, x
        carry: Value | None = None
        for place, bit in enumerate(x):
            parts = [bit, *y[place : place + 1], *([carry] if carry is not None else [])]
            if len(parts) == 3:
                half = b.xor(parts[0], parts[1])
                result.append(b.xor(half, parts[2]))
                carry = b.or_(b.and_(parts[0], parts[1]), b.and_(half, parts[2]))
            elif len(parts) == 2:
                result.append(b.xor(*parts))
                carry = b.and_(*parts)
            else:
                result.append(parts[0])
        return [*result, carry] if carry is not None else result

    def count_bits(self, bits: Sequence[Value]) -> Number:
        """How many of some words hold."""
        if len(bits) == 1:
            return [bits[0]]
        if len(bits) == 3:
            # A full adder.
            b = self.b
            half = b.xor(bits[0], bits[1])
            carry = b.or_(b.and_(bits[0], bits[1]), b.and_(half, bits[2]))
            return [b.xor(half, bits[2]), carry]
        middle = len(bits) // 2
        return self.add_numbers(self.count_bits(bits[:middle]), self.count_bits(bits[middle:]))

    def subtract(self, x: Number, y: Number) -> tuple[Number, Value]:
        """The difference, in as many bits as the first has, and where it would be negative."""
        b, result = self.b, []
        borrow: Value = ZERO
        for place, bit in enumerate(x):
            other = y[place] if place < len(y) else ZERO
            half = b.xor(bit, other)
            result.append(b.xor(half, borrow))
            borrow = b.or_(self.without(other, bit), self.without(borrow, half))
        return result, borrow

    def is_less(self, x: Number, y: Number) -> Value:
        """Where a number is less than another with as many bits."""
        return self.subtract(x, y)[1]
