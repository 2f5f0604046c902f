"""Control flow that reads like a program: conditions, loops, choices among blocks.

Code is emitted at one place, the end of the current block. What is under `with code.if_(...)` or
`with code.loop(...)` is emitted inside, and what follows goes on behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, constant, i1, i64, like


class Flow:
    """A place in a function where code is added."""

    def __init__(self, builder: ir.IRBuilder):
        self.b = builder

    # Blocks

    def block(self, name: str) -> ir.Block:
        """A new block, for code that is emitted later."""
        return self.b.append_basic_block(name)

    def blocks(self, *names: str) -> list[ir.Block]:
        """New blocks."""
        return [self.block(name) for name in names]

    def emit_in(self, block: ir.Block) -> None:
        """Go on emitting at the end of a block."""
        self.b.position_at_end(block)

    def fall_into(self, name: str) -> ir.Block:
        """Begin a new block right here, to which others can jump."""
        block = self.block(name)
        self.b.branch(block)
        self.emit_in(block)
        return block

    def jump_if(self, condition: Condition, target: ir.Block) -> None:
        """Leave for a block if a condition holds; otherwise go on here."""
        onward = self.block("onward")
        self.b.cbranch(self.condition(condition), target, onward)
        self.emit_in(onward)

    def jump_unless(self, condition: Condition, target: ir.Block) -> None:
        """Leave for a block unless a condition holds."""
        onward = self.block("onward")
        self.b.cbranch(self.condition(condition), onward, target)
        self.emit_in(onward)

    def switch(
        self, value: Value, otherwise: ir.Block, cases: Iterable[tuple[int, ir.Block]] = ()
    ) -> ir.SwitchInstr:
        """Leave for the block of a value, or for another one if it has none."""
        switch = self.b.switch(value, otherwise)
        for number, block in cases:
            switch.add_case(like(value, number), block)
        return switch

    # Conditions

    def condition(self, condition: Condition) -> Value:
        """A condition as a value."""
        return ir.Constant(i1, condition) if isinstance(condition, bool) else condition

    def all_of(self, a: Condition, b: Condition) -> Condition:
        """Whether both hold."""
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return a if a is b else self.b.and_(a, b)

    def any_of(self, a: Condition, b: Condition) -> Condition:
        """Whether one holds."""
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        return a if a is b else self.b.or_(a, b)

    def negate(self, condition: Condition) -> Condition:
        """Whether it does not hold."""
        return not condition if isinstance(condition, bool) else self.b.not_(condition)

    def equal(self, a: Value, b: Value | int) -> Value:
        """Whether two numbers are equal."""
        return self.b.icmp_unsigned("==", a, like(a, b))

    def unequal(self, a: Value, b: Value | int) -> Value:
        """Whether two numbers differ."""
        return self.b.icmp_unsigned("!=", a, like(a, b))

    def less(self, a: Value, b: Value | int) -> Value:
        """Whether a number is less than another, both without sign."""
        return self.b.icmp_unsigned("<", a, like(a, b))

    def if_(
        self, condition: Condition, *, likely: bool | None = None
    ) -> AbstractContextManager[ir.Block]:
        """What is emitted inside happens only if a condition holds; it may leave for elsewhere."""
        return self.b.if_then(self.condition(condition), likely=likely)

    def if_else(
        self, condition: Condition
    ) -> AbstractContextManager[
        tuple[AbstractContextManager[ir.Block], AbstractContextManager[ir.Block]]
    ]:
        """`with code.if_else(c) as (then, otherwise)`: what is emitted inside each of the two."""
        return self.b.if_else(self.condition(condition))

    def value_if(
        self, condition: Condition, emit: Callable[[], Value], otherwise: int = 0
    ) -> Value:
        """A value that is computed only if a condition holds; without it, a constant."""
        before = self.b.block
        with self.if_(condition):
            value = emit()
            inside = self.b.block
        return self.merged((value, inside), (like(value, otherwise), before))

    def guarded(self, condition: Condition, emit: Callable[[], Condition]) -> Condition:
        """A condition that is evaluated only if another one holds."""
        if isinstance(condition, bool):
            return emit() if condition else False
        return self.value_if(condition, lambda: self.condition(emit()))

    def merged(self, *arrivals: tuple[Value, ir.Block]) -> Value:
        """The value that comes with the way that led here."""
        phi = self.b.phi(arrivals[0][0].type)
        for value, block in arrivals:
            phi.add_incoming(value, block)
        return phi

    # Loops

    @contextmanager
    def loop(self, *starts: Value) -> Iterator[Loop]:
        """A loop with variables: `leave_if` or `leave_unless` come first, `again` comes last."""
        loop = Loop(self, starts, ("loop", "body", "end"))
        yield loop
        loop.finish()

    @contextmanager
    def repeat(self, *starts: Value) -> Iterator[Loop]:
        """A loop that is gone through at least once: `again_if` comes last."""
        loop = Loop(self, starts, ("repeat", "end"))
        yield loop
        loop.finish()

    @contextmanager
    def each(self, size: Value, stride: int) -> Iterator[Value]:
        """A loop over the offsets 0, stride, 2 stride ... below a multiple of the stride."""
        with self.loop(constant(0)) as loop:
            (offset,) = loop.variables
            loop.leave_if(self.equal(offset, size))
            yield offset
            loop.again(self.b.add(offset, constant(stride)))

    @contextmanager
    def each_bit(self, bits: Value) -> Iterator[Value]:
        """A loop over the numbers of the set bits of a word, lowest first."""
        with self.loop(bits) as loop:
            (left,) = loop.variables
            loop.leave_if(self.equal(left, 0))
            yield self.lowest_bit(left)
            loop.again(self.without_lowest(left))

    # Bits

    def lowest_bit(self, bits: Value) -> Value:
        """The number of the lowest set bit, of which there must be one, in 64 bits."""
        number = self.b.cttz(bits, ir.Constant(i1, 1))
        return number if bits.type == i64 else self.b.trunc(number, i64)

    def without_lowest(self, bits: Value) -> Value:
        """Return bits without the lowest one."""
        return self.b.and_(bits, self.b.sub(bits, like(bits, 1)))


class Loop:
    """A loop that is being emitted."""

    def __init__(self, flow: Flow, starts: tuple[Value, ...], names: tuple[str, ...]):
        self._flow = flow
        before = flow.b.block
        self._head, *body, self._end = flow.blocks(*names)
        self._body = body
        """The block behind the first test, which may still be to come."""
        self._exits: list[tuple[tuple[Value, ...], ir.Block]] = []
        flow.b.branch(self._head)
        flow.emit_in(self._head)
        self.variables = [flow.b.phi(start.type) for start in starts]
        """What they are in this round."""
        for variable, start in zip(self.variables, starts):
            variable.add_incoming(start, before)
        self.results: list[Value] = []
        """Behind the loop, what has been given to the `leave` through which it was left."""

    def leave_if(self, condition: Condition, *results: Value) -> None:
        """End the loop if a condition holds."""
        self._leave(condition, results, on=True)

    def leave_unless(self, condition: Condition, *results: Value) -> None:
        """End the loop unless a condition holds."""
        self._leave(condition, results, on=False)

    def _leave(self, condition: Condition, results: tuple[Value, ...], *, on: bool) -> None:
        flow = self._flow
        onward = self._body.pop() if self._body else flow.block("onward")
        self._exits.append((results, flow.b.block))
        targets = (self._end, onward) if on else (onward, self._end)
        flow.b.cbranch(flow.condition(condition), *targets)
        flow.emit_in(onward)

    def again(self, *values: Value) -> None:
        """Begin the next round, with these variables."""
        self._set(values)
        self._flow.b.branch(self._head)

    def again_if(self, condition: Condition, *values: Value, results: Iterable[Value] = ()) -> None:
        """Begin the next round if a condition holds, otherwise end the loop."""
        self._again(condition, values, results, (self._head, self._end))

    def again_unless(
        self, condition: Condition, *values: Value, results: Iterable[Value] = ()
    ) -> None:
        """End the loop if a condition holds, otherwise begin the next round."""
        self._again(condition, values, results, (self._end, self._head))

    def _again(
        self,
        condition: Condition,
        values: tuple[Value, ...],
        results: Iterable[Value],
        targets: tuple[ir.Block, ir.Block],
    ) -> None:
        self._set(values)
        self._exits.append((tuple(results), self._flow.b.block))
        self._flow.b.cbranch(self._flow.condition(condition), *targets)

    def _set(self, values: tuple[Value, ...]) -> None:
        for variable, value in zip(self.variables, values, strict=True):
            variable.add_incoming(value, self._flow.b.block)

    def finish(self) -> None:
        """Go on behind the loop."""
        self._flow.emit_in(self._end)
        for number in range(len(self._exits[0][0])):
            arrivals = [(results[number], block) for results, block in self._exits]
            self.results.append(self._flow.merged(*arrivals))
