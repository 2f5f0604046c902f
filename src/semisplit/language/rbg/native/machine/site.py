"""A site of a machine while its code is emitted, and the slots in its frame."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i64, pointer
from semisplit.language.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.language.rbg.native.machine.stack import Stack


@dataclass(frozen=True, eq=False)
class Site:
    """A place behind a modifier."""

    stack: Stack
    frame: int
    """The size of a frame."""
    node: int
    region: Region
    depth: int | None
    """How many frames are below its own, if it is always the same."""
    none: ir.Block
    """Where to go if nothing is possible here."""
    retry: dict[Exit, ir.Block] = field(default_factory=dict)
    """Where to go on choosing after one of its exits has failed."""

    def top(self) -> Value:
        """The address of the site's frame."""
        code = self.stack.code
        if self.depth is not None:
            return code.place(self.stack.base, self.depth * self.frame)
        return code.b.load(self.stack.top, typ=pointer)

    def evaluate(self) -> None:
        """Emit filling the slots of the region."""
        stack, code = self.stack, self.stack.code
        arguments = [code.state, stack.here(), self.top(), stack.context.base]
        code.b.call(self.region.function, arguments)
        if self.region.may_fail:
            stack.check_status()

    def slot(self, exit_: Exit) -> Value:
        """The content of an exit's slot."""
        code = self.stack.code
        return code.load(code.set_type if exit_.is_set else i64, self.top(), exit_.slot)

    def fill(self, exit_: Exit, content: Value) -> None:
        """Write an exit's slot."""
        self.stack.code.store(content, self.top(), exit_.slot)

    def options(self, exit_: Exit) -> Value:
        """How many squares are in an exit's slot."""
        return self.count_in(exit_, self.slot(exit_))

    def count_in(self, exit_: Exit, content: Value) -> Value:
        """How many squares are in what is, or could be, in an exit's slot."""
        code = self.stack.code
        if exit_.is_set:
            return code.count(content)
        return code.b.zext(code.unequal(content, NOWHERE), i64)

    def drop(self, exit_: Exit, square: Value) -> None:
        """Remove a square from an exit's slot."""
        code, b = self.stack.code, self.stack.code.b
        if not exit_.is_set:
            self.fill(exit_, constant(NOWHERE))
            return
        address = code.word_of(code.place(self.top(), exit_.slot), square)
        bit = code.bit_of(square)
        b.store(b.and_(b.load(address, typ=i64, align=8), b.not_(bit)), address, align=8)

    @contextmanager
    def each_square(self, exit_: Exit) -> Iterator[Value]:
        """A loop over the squares in the slot of an exit, which may be none."""
        code = self.stack.code
        if exit_.is_set:
            with code.each_square(code.place(self.top(), exit_.slot)) as square:
                yield square
        else:
            square = self.slot(exit_)
            with code.if_(code.unequal(square, NOWHERE)):
                yield square
