"""Emitting code for one function of a compiled game: memory, tables, control flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from llvmlite import ir

from semisplit.compiler.emit.flow import Flow
from semisplit.compiler.emit.module import Module
from semisplit.compiler.emit.structured import StructuredBuilder
from semisplit.compiler.emit.values import (
    Value,
    alignment,
    constant,
    i1,
    i8,
    i32,
    i64,
    pointer,
    void,
)

M = TypeVar("M", bound=Module)


class Code(Flow, Generic[M]):
    """A place in a function where code is added, and the state it works on."""

    def __init__(self, module: M, builder: ir.IRBuilder, state: Value):
        super().__init__(builder)
        self.module = module
        self.state = state

    @classmethod
    def begin(cls, module: M, function: ir.Function, *, structured: bool = False) -> Self:
        """The beginning of a function that gets the state first."""
        builder = StructuredBuilder if structured else ir.IRBuilder
        return cls(module, builder(function.append_basic_block("entry")), function.args[0])

    def on(self, state: Value) -> Self:
        """Return code at this place that works on another state."""
        return type(self)(self.module, self.b, state)

    # Memory

    def local(self, type_: ir.Type) -> Value:
        """A variable of the function; LLVM will keep it in a register if it can."""
        with self.b.goto_entry_block():
            return self.b.alloca(type_)

    def place(self, base: Value, offset: Value | int) -> Value:
        """The address so many bytes behind another."""
        if isinstance(offset, int):
            if offset == 0:
                return base
            offset = constant(offset)
        return self.b.gep(base, [offset], inbounds=True, source_etype=i8)

    def distance(self, begin: Value, end: Value) -> Value:
        """The bytes from one address to another."""
        return self.b.sub(self.b.ptrtoint(end, i64), self.b.ptrtoint(begin, i64))

    def element(self, base: Value, type_: ir.Type, index: Value, count: int) -> Value:
        """The address of an element of an array of so many."""
        if self.module.checked:
            outside = self.b.icmp_unsigned(">=", index, ir.Constant(index.type, count))
            with self.if_(outside, likely=False):
                trap = self.module.ir.declare_intrinsic("llvm.trap", (), ir.FunctionType(void, ()))
                self.b.call(trap, ())
        return self.b.gep(base, [index], inbounds=True, source_etype=type_)

    def load(self, type_: ir.Type, base: Value, offset: Value | int = 0) -> Value:
        """Read from memory."""
        value = self.b.load(self.place(base, offset), typ=type_, align=alignment(type_))
        return self.tagged(value, base)

    def store(self, value: Value, base: Value, offset: Value | int = 0) -> None:
        """Write to memory."""
        access = self.b.store(value, self.place(base, offset), align=alignment(value.type))
        self.tagged(access, base)

    def tagged(self, access: Value, base: Value) -> Value:
        """A load or store that is known to be to the state or to be not."""
        access.set_metadata("tbaa", self.module.tags["state" if base is self.state else "other"])
        return access

    def copy(self, to: Value, source: Value, size: int) -> None:
        """Copy so many bytes."""
        if self.module.gpu:
            # LLVM would copy byte by byte. States are copied, too, so nothing is said about what
            # this overlaps.
            for offset in range(0, size, 8):
                word = self.b.load(self.place(source, offset), typ=i64, align=8)
                self.b.store(word, self.place(to, offset), align=8)
            return
        type_ = ir.FunctionType(void, (pointer, pointer, i64, i1))
        memcpy = self.module.ir.declare_intrinsic("llvm.memcpy.p0.p0.i64", (), type_)
        self.b.call(memcpy, (to, source, constant(size), ir.Constant(i1, 0)))

    def fill_zero(self, place: Value, size: int) -> None:
        """Set so many bytes to zero."""
        if self.module.gpu:
            with self.each(constant(size), 8) as offset:
                self.b.store(constant(0), self.place(place, offset), align=8)
            return
        type_ = ir.FunctionType(void, (pointer, i8, i64, i1))
        memset = self.module.ir.declare_intrinsic("llvm.memset.p0.i64", (), type_)
        self.b.call(memset, (place, ir.Constant(i8, 0), constant(size), ir.Constant(i1, 0)))

    # Tables

    def look_up(self, width: int, numbers: Sequence[int], index: Value) -> Value:
        """An element of a constant table."""
        type_ = ir.IntType(width)
        if len(set(numbers)) == 1:
            return ir.Constant(type_, numbers[0])
        if self.module.gpu and width > 64:
            return self._look_up_words(width // 64, numbers, index)
        table = self.module.table(width, numbers)
        address = self.element(table, type_, index, len(numbers))
        return self.b.load(address, typ=type_, align=alignment(type_))

    def _look_up_words(self, words: int, numbers: Sequence[int], index: Value) -> Value:
        """Look up in a table of words: for GPUs LLVM takes wide elements from wrong places."""
        mask = (1 << 64) - 1
        parts = [number >> 64 * word & mask for number in numbers for word in range(words)]
        first = self.b.mul(index, constant(words))
        address = self.element(self.module.table(64, parts), i64, first, len(parts))
        return self.b.load(address, typ=ir.IntType(64 * words), align=8)

    # Bits

    def nth_bit(self, word: Value, n: Value) -> Value:
        """The number of the bit with so many set bits of a 64-bit word below it."""
        b = self.b
        if self.module.pdep:
            type_ = ir.FunctionType(i64, (i64, i64))
            pdep = self.module.ir.declare_intrinsic("llvm.x86.bmi.pdep.64", (), type_)
            found = b.call(pdep, (b.shl(constant(1), n), word))
            return b.cttz(found, ir.Constant(i1, 1))
        if self.module.gpu:
            return self._nth_bit_by_halves(word, n)
        position = constant(0)
        for width in (32, 16, 8, 4, 2, 1):
            low = b.and_(word, constant((1 << width) - 1))
            below = b.ctpop(low)
            beyond = b.icmp_unsigned(">=", n, below)
            n = b.select(beyond, b.sub(n, below), n)
            word = b.select(beyond, b.lshr(word, constant(width)), word)
            position = b.select(beyond, b.add(position, constant(width)), position)
        return position

    def _nth_bit_by_halves(self, word: Value, n: Value) -> Value:
        """Find the n-th bit with operations on 32 bits, which is what GPUs have."""
        b = self.b
        left, half = b.trunc(n, i32), b.trunc(word, i32)
        below = b.ctpop(half)
        beyond = b.icmp_unsigned(">=", left, below)
        half = b.select(beyond, b.trunc(b.lshr(word, constant(32)), i32), half)
        left = b.select(beyond, b.sub(left, below), left)
        base, position = b.select(beyond, i32(32), i32(0)), i32(0)
        for width in (16, 8, 4, 2, 1):
            below = b.ctpop(b.and_(b.lshr(half, position), i32((1 << width) - 1)))
            beyond = b.icmp_unsigned(">=", left, below)
            left = b.select(beyond, b.sub(left, below), left)
            position = b.select(beyond, b.add(position, i32(width)), position)
        return b.zext(b.add(base, position), i64)
