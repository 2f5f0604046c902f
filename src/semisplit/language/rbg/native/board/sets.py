"""Emitting operations on sets of squares: integers with one bit per square.

A set that is known while compiling is a Python integer, and operations on it are carried out right
away.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from llvmlite import ir

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.values import Condition, Value, constant, i1, i64
from semisplit.language.rbg.native.board.module import BoardModule

Squareset: TypeAlias = Value | int


class SetCode(Code[BoardModule]):
    """Emits code on sets."""

    def __init__(self, module: BoardModule, builder: ir.IRBuilder, state: Value):
        super().__init__(module, builder, state)
        self.squares = module.squares
        self.set_type = module.set_type
        self.words = module.squares.words

    # Whole sets

    def as_set(self, squares: Squareset) -> Value:
        """A set as a value."""
        return ir.Constant(self.set_type, squares) if isinstance(squares, int) else squares

    def both(self, a: Squareset, b: Squareset) -> Squareset:
        """The intersection."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int):
            if isinstance(a, int):
                return a & b
            if b == 0 or b == self.squares.board:
                return a if b else 0
        return self.b.and_(a, self.as_set(b))

    def either(self, a: Squareset, b: Squareset) -> Squareset:
        """The union."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int):
            if isinstance(a, int):
                return a | b
            if b == 0 or b == self.squares.board:
                return b if b else a
        return self.b.or_(a, self.as_set(b))

    def without(self, a: Squareset, b: Squareset) -> Squareset:
        """The squares of the first set that are not in the second."""
        if isinstance(b, int):
            return self.both(a, self.squares.board & ~b)
        if isinstance(a, int) and a == 0:
            return 0
        return self.b.and_(self.as_set(a), self.b.not_(b))

    def only_if(self, condition: Condition, squares: Squareset) -> Squareset:
        """The set if the condition holds, otherwise the empty set."""
        if isinstance(condition, bool):
            return squares if condition else 0
        if isinstance(squares, int) and squares == 0:
            return 0
        return self.b.select(condition, self.as_set(squares), self.as_set(0))

    def is_any(self, squares: Squareset) -> Condition:
        """Whether the set has a member."""
        return squares != 0 if isinstance(squares, int) else self.unequal(squares, 0)

    def shift(self, squares: Squareset, distance: int) -> Squareset:
        """Move all bits by a distance."""
        if isinstance(squares, int):
            return (squares << distance if distance > 0 else squares >> -distance) & (
                (1 << 64 * self.words) - 1
            )
        if distance == 0:
            return squares
        by = ir.Constant(self.set_type, abs(distance))
        return self.b.shl(squares, by) if distance > 0 else self.b.lshr(squares, by)

    def count(self, squares: Squareset) -> Value:
        """The number of members."""
        if isinstance(squares, int):
            return constant(squares.bit_count())
        return self.b.trunc(self.b.ctpop(squares), i64)

    # Members

    def single(self, square: Value) -> Value:
        """The set of one square."""
        if self.module.gpu and self.words > 1:
            # LLVM makes wrong code for shifts of more than a word by what is not known.
            result = self.as_set(0)
            for number in range(self.words):
                here = self.equal(self.b.lshr(square, constant(6)), number)
                word = self.b.select(here, self.bit_of(square), constant(0))
                result = self.either(
                    result, self.shift(self.b.zext(word, self.set_type), 64 * number)
                )
            return result
        if self.words > 2:
            singles = [*(1 << number for number in range(self.squares.size)), 0]
            return self.look_up(64 * self.words, singles, square)
        wide = self.bit_in_word(square) if self.words == 1 else self.b.zext(square, self.set_type)
        return self.b.shl(ir.Constant(self.set_type, 1), wide)

    def bit_in_word(self, square: Value) -> Value:
        """The place of a square in its word. The place behind the last square has one, too."""
        return self.b.and_(square, constant(63))

    def is_in(self, squares: int, square: Value) -> Condition:
        """Whether a square of the board is in a constant set."""
        if squares in (0, self.squares.board):
            return squares != 0
        if isinstance(square, ir.Constant):
            return bool(squares >> square.constant & 1)
        if self.words == 1:
            return self.b.trunc(self.b.lshr(constant(squares), self.bit_in_word(square)), i1)
        words = self.squares.size // 64 + 1
        numbers = [squares >> 64 * number & (1 << 64) - 1 for number in range(words)]
        word = self.look_up(64, numbers, self.b.lshr(square, constant(6)))
        return self.b.trunc(self.b.lshr(word, self.bit_in_word(square)), i1)

    def lowest(self, squares: Value) -> Value:
        """The lowest square of a set that is not empty."""
        return self.b.trunc(self.b.cttz(squares, ir.Constant(i1, 1)), i64)

    def nth(self, squares: Value, n: Value) -> Value:
        """The square with so many squares of the set below it."""
        if self.words <= 2 or self.module.gpu:
            return self._nth(squares, n)
        # It takes many instructions. Large functions call it.
        if self.module.nth is None:
            self.module.nth = self.module.function("nth", i64, [self.set_type, i64])
            self.module.nth.attributes.add("alwaysinline")
            inner = type(self).begin(self.module, self.module.nth)
            inner.b.ret(inner._nth(*self.module.nth.args))
        return self.b.call(self.module.nth, [squares, n])

    def _nth(self, squares: Value, n: Value) -> Value:
        if self.words == 1:
            return self.nth_bit(squares, n)
        words = [self._word(squares, number) for number in range(self.words)]
        word, base = words[0], constant(0)
        below = self.b.ctpop(words[0])
        for number, next_word in enumerate(words[1:], 1):
            beyond = self.b.icmp_unsigned(">=", n, below)
            word = self.b.select(beyond, next_word, word)
            base = self.b.select(beyond, constant(64 * number), base)
            # What is left of n after the words passed: never more than the last word holds.
            n = self.b.select(beyond, self.b.sub(n, below), n)
            below = self.b.select(beyond, self.b.ctpop(next_word), constant(64))
        return self.b.add(base, self.nth_bit(word, n))

    def _word(self, squares: Value, number: int) -> Value:
        """One of the words of a set."""
        by = ir.Constant(self.set_type, 64 * number)
        return self.b.trunc(self.b.lshr(squares, by) if number else squares, i64)

    def word_with(self, squares: Value, square: Value) -> Value:
        """The word of a set that a square is in."""
        word = self._word(squares, 0)
        for number in range(1, self.words):
            beyond = self.b.icmp_unsigned(">=", square, constant(64 * number))
            word = self.b.select(beyond, self._word(squares, number), word)
        return word

    # Sets in memory

    def word_of(self, slot: Value, square: Value) -> Value:
        """The address of the word of a set in memory that a square is in."""
        number = constant(0) if self.words == 1 else self.b.lshr(square, constant(6))
        return self.element(slot, i64, number, self.words)

    def bit_of(self, square: Value) -> Value:
        """The bit of a square in its word."""
        return self.b.shl(constant(1), self.bit_in_word(square))

    @contextmanager
    def each_square(self, slot: Value) -> Iterator[Value]:
        """A loop over the squares of a set in memory, lowest first, word by word."""
        if self.words == 1:
            with self._each_in_word(slot, constant(0)) as square:
                yield square
        else:
            with (
                self.each(constant(8 * self.words), 8) as offset,
                self._each_in_word(slot, offset) as square,
            ):
                yield square

    @contextmanager
    def _each_in_word(self, slot: Value, offset: Value) -> Iterator[Value]:
        bits = self.load(i64, slot, offset)
        with self.each_bit(bits) as bit:
            yield self.b.add(self.b.shl(offset, constant(3)), bit)
