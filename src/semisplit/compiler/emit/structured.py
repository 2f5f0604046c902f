"""A builder that knows what has been computed on every way to the place where it emits."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce

from llvmlite import ir


class StructuredBuilder(ir.IRBuilder):  # type: ignore[misc]
    """Emits a function in whose blocks code begins when all ways to them are there.

    Only loops lead back to a block that has code, from blocks that it dominates: every way to them
    goes through it. So the dominators of a block are known when its code begins.
    """

    def __init__(self, entry: ir.Block):
        super().__init__(entry)
        self._parents: dict[ir.Block, ir.Block | None] = {entry: None}
        """The nearest dominator of each block that has code."""
        self._depths = {entry: 0}
        self._sources: defaultdict[ir.Block, list[ir.Block]] = defaultdict(list)
        """From where branches lead to blocks that have no code yet."""

    def dominates(self, block: ir.Block) -> bool:
        """Whether a block has been passed on every way to the current one."""
        return self._common(block, self.block) is block

    def _common(self, a: ir.Block, b: ir.Block) -> ir.Block:
        """The nearest block that dominates two."""
        while a is not b:
            if self._depths[a] < self._depths[b]:
                a, b = b, a
            a = self._parents[a]
        return a

    def branch(self, target: ir.Block) -> ir.Instruction:
        self._lead_to(target)
        return super().branch(target)

    def cbranch(self, cond: ir.Value, truebr: ir.Block, falsebr: ir.Block) -> ir.Instruction:
        self._lead_to(truebr)
        self._lead_to(falsebr)
        return super().cbranch(cond, truebr, falsebr)

    def _lead_to(self, target: ir.Block) -> None:
        if target in self._parents:
            assert self.dominates(target), "a way leads to a block after its code has begun"
        else:
            self._sources[target].append(self.block)

    def position_at_end(self, block: ir.Block) -> None:
        if block not in self._parents:
            # Of a block that nothing leads to, anything may be said.
            sources = self._sources.pop(block, [self.block])
            self._parents[block] = parent = reduce(self._common, sources)
            self._depths[block] = self._depths[parent] + 1
        super().position_at_end(block)
