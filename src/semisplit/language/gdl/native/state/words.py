"""Emitting operations on words, and on numbers whose bits are words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from llvmlite import ir

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.module import Module
from semisplit.compiler.emit.values import Value, constant, i1, i32
from semisplit.compiler.emit.vectors import splat
from semisplit.language.gdl.native.state.layout import WIDE, Words

Number: TypeAlias = list[Value]
"""A number in each lane: its bits, the lowest first."""


class WordModule(Module):
    """A module whose functions work on words."""

    def __init__(self, name: str, max_size: int, words: Words = WIDE, *, gpu: bool = False):
        """Set up an empty module."""
        super().__init__(name, max_size, pdep=False, checked=False, gpu=gpu)
        self.words = words
        self.word = ir.VectorType(ir.IntType(words.bits), words.integers)
        self.lanes = ir.IntType(words.lanes)
        """A word as a number."""
        self.zero = self.every(0)
        self.ones = self.every(-1)

    def every(self, number: int) -> ir.Constant:
        """A word all of whose integers are the same."""
        return ir.Constant(self.word, [number] * self.words.integers)


class WordCode(Code[WordModule]):
    """A place in a function where code for words is added."""

    @property
    def zero(self) -> Value:
        """No lane."""
        return self.module.zero

    @property
    def all(self) -> Value:
        """Every lane."""
        return self.module.ones

    def word(self, base: Value, offset: Value | int = 0) -> Value:
        """Load a word."""
        return self.b.load(
            self.place(base, offset), typ=self.module.word, align=self.module.words.bytes
        )

    def put(self, value: Value, base: Value, offset: Value | int = 0) -> None:
        """Store a word."""
        self.b.store(value, self.place(base, offset), align=self.module.words.bytes)

    def invert(self, value: Value) -> Value:
        """The lanes in which it does not hold."""
        return self.b.xor(value, self.all)

    def without(self, value: Value, other: Value) -> Value:
        """The lanes of one that are not in another."""
        return self.b.and_(value, self.invert(other))

    def choose(self, condition: Value, a: Value, b: Value) -> Value:
        """One word in the lanes of a third, and another elsewhere."""
        return self.b.or_(self.b.and_(a, condition), self.without(b, condition))

    def in_any(self, value: Value) -> Value:
        """Whether it holds in some lane."""
        return self.b.icmp_unsigned("!=", self.bits(value), ir.Constant(self.module.lanes, 0))

    def bits(self, value: Value) -> Value:
        """A word as a number."""
        return self.b.bitcast(value, self.module.lanes)

    def of_bits(self, number: Value) -> Value:
        """The word of a number."""
        return self.b.bitcast(number, self.module.word)

    def in_every(self, bit: Value) -> Value:
        """A word with the same bit, 0 or 1 as an integer of 64 bits, in every lane."""
        words = self.module.words
        return splat(self.b, self.resized(self.b.neg(bit), words.bits), words.integers)

    def resized(self, value: Value, bits: int) -> Value:
        """An integer that is not negative, with so many bits."""
        type_ = ir.IntType(bits)
        if value.type.width == bits:
            return value
        return (self.b.zext if value.type.width < bits else self.b.trunc)(value, type_)

    def in_first(self, value: Value) -> Value:
        """Whether it holds in the first lane."""
        return self.b.trunc(self.b.extract_element(value, i32(0)), i1)

    def count_lanes(self, value: Value) -> Value:
        """The number of lanes in which it holds."""
        return self.sum(self.ones(value))

    def ones(self, value: Value) -> Value:
        """The number of lanes in which it holds, for each integer of the word."""
        words, word = self.module.words, self.module.word
        name = f"llvm.ctpop.v{words.integers}i{words.bits}"
        ctpop = self.module.ir.declare_intrinsic(name, (), ir.FunctionType(word, (word,)))
        return self.b.call(ctpop, [value])

    def sum(self, value: Value) -> Value:
        """The sum of the integers of a word."""
        sum_ = constant(0)
        for number in range(self.module.words.integers):
            part = self.resized(self.b.extract_element(value, i32(number)), 64)
            sum_ = self.b.add(sum_, part)
        return sum_

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
        borrow: Value = self.zero
        for place, bit in enumerate(x):
            other = y[place] if place < len(y) else self.zero
            half = b.xor(bit, other)
            result.append(b.xor(half, borrow))
            borrow = b.or_(self.without(other, bit), self.without(borrow, half))
        return result, borrow

    def is_less(self, x: Number, y: Number) -> Value:
        """Where a number is less than another with as many bits."""
        return self.subtract(x, y)[1]
