"""Meetings: where threads that run in lockstep, like those of a GPU, wait for each other.

Such threads execute one instruction together. When they go different ways, one way after the other
is executed, and compilers find out where ways join only where the code is built of loops and
conditions. Machines are not. So all ways lead back to one place, the hub, with a number that says
where each thread wants to go. The lowest number is next: its threads go there and come back, the
others wait. Numbers rise along a turn, so those who are behind catch up.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.values import Value, i32

LOWEST, MOST = "lowest", "most"
"""Functions that depend on the target: of the numbers of all threads the lowest, and the one that
most have. They get the number of the meeting, so that threads need not wait twice, and theirs."""


class Meetings:
    """The hub of threads."""

    def __init__(self, code: Code[Any]):
        self._code = code
        self._hub = code.block("hub")
        self._next, self._round = code.local(i32), code.local(i32)
        """Variables: where a thread wants to go, and how often threads have met."""
        with code.b.goto_entry_block():
            code.b.store(ir.Constant(i32, 0), self._round)
        self._places: list[tuple[float, ir.Constant, ir.Block]] = []

    def at(self, block: ir.Block, rank: float) -> ir.Block:
        """A block that leads to another one by way of the hub; those of low rank come first."""
        number, way = ir.Constant(i32, 0), self._code.block("way")
        self._places.append((rank, number, block))
        with self._code.b.goto_block(way):
            self._code.b.store(number, self._next)
            self._code.b.branch(self._hub)
        return way

    def emit(self) -> None:
        """Emit the hub, when all places are known."""
        b, code = self._code.b, self._code
        self._places.sort(key=lambda place: place[0])
        for index, (_, number, _) in enumerate(self._places):
            number.constant = index
        code.emit_in(self._hub)
        b.store(b.add(b.load(self._round, typ=i32), ir.Constant(i32, 1)), self._round)
        wanted = b.load(self._next, typ=i32)
        number = self.agreed(LOWEST, wanted)
        code.jump_if(code.unequal(wanted, number), self._hub)
        (_, _, first), *others = self._places
        code.switch(number, first, ((n.constant, block) for _, n, block in others))

    def agreed(self, function: str, number: Value) -> Value:
        """Emit agreeing on the number of one of the threads, all of which must be here."""
        module, b = self._code.module.ir, self._code.b
        if function not in module.globals:
            declared = ir.Function(module, ir.FunctionType(i32, [i32, i32]), function)
            declared.attributes.add("convergent")
            declared.attributes.add("nounwind")
        return b.call(module.globals[function], [b.load(self._round, typ=i32), number])
