"""The keeper's moves: always the first that the interpreter would find.

The keeper rarely has a choice, so his moves are made straight on. Only where several steps are
possible the order of the rules matters, and it is looked up by a walk through the automaton (see
`walk`). What has to be undone is restored from copies of the state: one at the beginning of a move
that may fail, and one at each choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from llvmlite import ir

from semisplit.core.limits import MAX_KEEPER_MOVES, MAX_MOVE_LENGTH
from semisplit.emit.code import Code, Value, constant, i32, i64, pointer
from semisplit.rbg.native.analysis.graph import Step
from semisplit.rbg.native.evaluate import modifiers
from semisplit.rbg.native.evaluate.region import NOWHERE, Exit, Region, components
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.machine import Machine
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.walk import Walk
from semisplit.runtime.abi import Status

STUCK, LIMITED = 0, -1
_MAX_JUMPS = 1000
"""Regions that follow each other without a modifier, after which a circle is suspected."""
_INLINE_SITES = 12
"""Sites up to which the keeper's moves are copied to wherever they are needed."""
_SITE, _SQUARE, _OPTION, _STATE = 0, 8, 16, 24
"""A frame of the keeper: where he had a choice, the option he took, and the state before."""


def emit_keeper(program: Program) -> ir.Function:
    """The function that makes the keeper's moves behind a switch to him.

    It gets the state, the switch, the square, memory for frames and the context, and returns the
    switch at which a player takes over, `STUCK` or `LIMITED`. The state is left as it is there.
    """
    function = program.module.function("keeper", i64, [pointer, i64, i64, pointer, pointer])
    state, entry, square, frames, context = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    code = Code(program.module, builder, state)
    # The copy of the state at the beginning of a move comes before the frames.
    size = program.module.layout.bytes
    above = code.place(frames, size)
    keeper = _Keeper(program, program.graph, code, context, above, RegionKind.CUT)
    keeper.start(entry, square, frames)
    small = keeper.sites <= _INLINE_SITES
    function.attributes.add("alwaysinline" if small else "noinline")
    return function


class _Keeper(Machine):
    def start(self, entry: Value, square: Value, copy: Value) -> None:
        program, b = self.program, self.b
        self._copy = copy
        self._size = program.module.layout.bytes
        self._moves = self.code.local(i64)
        self._length = self.code.local(i64)
        self._jumps = self.code.local(i64)
        b.store(constant(0), self._jumps)
        self._choices: list[int] = []
        """The sites where there may be a choice."""
        self._turns: dict[int, ir.Block] = {}
        self._turn_begins = False
        self._chosen = b.append_basic_block("choice")
        b.store(constant(0), self._moves)
        # At the start of the rules the keeper is in control, too.
        entries = {0: 0} | {
            step.number: step.target for step in self.graph.switches if program.player_of(step) == 0
        }
        self.reserve(entries.values())
        self._frame = max(self._frame, _STATE + self._size)
        self._depths = dict.fromkeys(self._depths, None)
        self._repeated = self._sites_in_circles(entries.values())
        self.check_room()
        b.store(square, self._square)
        cases = b.switch(entry, self._turn(0))
        for number, node in entries.items():
            if number:
                cases.add_case(constant(number), self._turn(node))
        self.finish()
        self._emit_choice()
        for block, result in ((self.limited, LIMITED), (self.exhausted, STUCK)):
            b.position_at_end(block)
            b.ret(constant(result))

    @property
    def sites(self) -> int:
        return len(self._sites) + len(self._turns)

    def _sites_in_circles(self, nodes: Iterable[int]) -> set[int]:
        """Sites that a single move may come to again and again."""

        def onward(node: int) -> list[Step]:
            exits = self.region(node).exits
            return [exit_.step for exit_ in exits if exit_.step and not self.is_leaf(exit_)]

        repeated: set[int] = set()
        for start in nodes:
            for component in components(start, onward):
                if len(component) > 1 or component[0] in {s.target for s in onward(component[0])}:
                    repeated |= set(component)
        return repeated

    def _turn(self, node: int) -> ir.Block:
        """The block in which a move of the keeper begins."""
        if node not in self._turns:
            self._turns[node] = self.later(f"turn{node}", lambda: self._emit_turn(node))
        return self._turns[node]

    def _emit_turn(self, node: int) -> None:
        self.b.store(self._frames, self._top)
        self.b.store(constant(0), self._length)
        if self._may_fail_later(node):
            self.code.copy(self._copy, self.code.state, self._size)
        self._turn_begins = True
        self._emit_site(node)
        self._turn_begins = False

    def _way_back(self, node: int) -> ir.Block:
        return self.exhausted if self._turn_begins else self.failed

    def _may_fail_later(self, node: int) -> bool:
        """Whether a move that begins at a node may fail after a modifier."""
        return any(
            exit_.step and not self.is_leaf(exit_) and not self.is_safe(exit_.step.target)
            for exit_ in self.region(node).exits
        )

    def choose_once(self, node: int, region: Region) -> None:
        # If there are several options, it matters at which site.
        self.choose(node, region)

    def choose(self, node: int, region: Region) -> None:
        b = self.b
        slots = [self.slot(exit_) for exit_ in region.exits]
        possible = [
            b.icmp_unsigned("!=", slot, self.code.as_set(0) if exit_.is_set else constant(NOWHERE))
            for exit_, slot in zip(region.exits, slots)
        ]
        if not region.exclusive:
            options = [
                self.code.count(slot) if exit_.is_set else b.zext(is_possible, i64)
                for exit_, slot, is_possible in zip(region.exits, slots, possible)
            ]
            self._check_choice(node, options)
        for exit_, slot, is_possible in zip(region.exits, slots, possible):
            take, onward = b.append_basic_block("take"), b.append_basic_block("next")
            b.cbranch(is_possible, take, onward)
            b.position_at_end(take)
            self.take(exit_, self.code.lowest(slot) if exit_.is_set else slot)
            b.position_at_end(onward)
        b.branch(self.none)

    def take(self, exit_: Exit, square: Value) -> None:
        step = exit_.step
        assert step is not None
        self.b.store(square, self._square)
        self.b.branch(self._taken_block(step, exit_))

    def _taken_block(self, step: Step, exit_: Exit) -> ir.Block:
        if step not in self._taken:
            self._taken[step] = self.later("take", lambda: self._emit_exit(step, exit_))
        return self._taken[step]

    def _emit_exit(self, step: Step, exit_: Exit) -> None:
        b = self.b
        square = b.load(self._square, typ=i64)
        if self.is_leaf(exit_):
            self.complete(exit_, square)
            return
        if step.action is None:
            if step.target in self._repeated:
                self._check_jumps(step, square)
            b.branch(self.site(step.target))
            return
        self.apply(step, square)
        if step.target in self._repeated:
            b.store(constant(0), self._jumps)
            length = b.add(b.load(self._length, typ=i64), constant(1))
            b.store(length, self._length)
            long = b.icmp_unsigned(">", length, constant(MAX_MOVE_LENGTH))
            self.limit_if(long, Status.LONG_MOVE)
        b.branch(self.site(step.target))

    def _check_jumps(self, step: Step, square: Value) -> None:
        """Emit looking for a way out if regions have followed each other for too long.

        It may be a circle; a walk passes every square at most once.
        """
        b = self.b
        jumps = b.add(b.load(self._jumps, typ=i64), constant(1))
        b.store(jumps, self._jumps)
        circle, onward = b.append_basic_block("circle"), b.append_basic_block("onward")
        b.cbranch(b.icmp_unsigned(">", jumps, constant(_MAX_JUMPS)), circle, onward)
        b.position_at_end(circle)
        b.store(constant(0), self._jumps)
        self._open_choice(step.target, square)
        b.position_at_end(onward)

    def complete(self, exit_: Exit, square: Value) -> None:
        b, step = self.b, exit_.step
        assert step is not None
        player = self.program.player_of(step)
        modifiers.switch(self.code, step.number, player, square)
        if player:
            b.ret(constant(step.number))
            return
        moves = b.add(b.load(self._moves, typ=i64), constant(1))
        b.store(moves, self._moves)
        self.limit_if(b.icmp_unsigned(">", moves, constant(MAX_KEEPER_MOVES)), Status.LONG_KEEPER)
        b.branch(self._turn(step.target))

    def taken(self, exit_: Exit) -> Exit | None:
        assert exit_.step is not None
        return None if self.is_leaf(exit_) and self.program.player_of(exit_.step) else exit_

    # Choices

    def _check_choice(self, node: int, options: list[Value]) -> None:
        """Emit going to the common code for choices if there is more than one option."""
        b = self.b
        total = reduce(b.add, options)
        choice, onward = b.append_basic_block("several"), b.append_basic_block("one")
        b.cbranch(b.icmp_unsigned(">", total, constant(1)), choice, onward)
        b.position_at_end(choice)
        self._open_choice(node, b.load(self._square, typ=i64))
        b.position_at_end(onward)

    def _open_choice(self, node: int, square: Value) -> None:
        """Emit taking the first option at a site, in the order of the rules."""
        frame = self.top()
        if node not in self._choices:
            self._choices.append(node)
        self.code.store(constant(self._choices.index(node)), frame, _SITE)
        self.code.store(square, frame, _SQUARE)
        self.code.store(constant(0), frame, _OPTION)
        self.code.copy(self.code.place(frame, _STATE), self.code.state, self._size)
        self.b.branch(self._chosen)

    def _emit_choice(self) -> None:
        """Take the next option at the choice whose frame is on top, or fail without one."""
        b = self.b
        b.position_at_end(self._chosen)
        if not self._choices:
            b.unreachable()
            return
        frame = self.top()
        option = self.code.load(i64, frame, _OPTION)
        self.code.store(b.add(option, constant(1)), frame, _OPTION)
        above = self.code.place(frame, self._frame)
        end = self.code.place(above, self._frame)
        full = b.icmp_unsigned(">", end, self.context.load("frames_end", pointer))
        self.limit_if(full, Status.LONG_MOVE)
        walk = Walk(self.program, self._choices).emit()
        site, square = self.code.load(i64, frame, _SITE), self.code.load(i64, frame, _SQUARE)
        arguments = [self.code.state, site, square, option, above, self.context.base]
        found = b.call(walk, arguments)
        self._check_status()
        b.store(above, self._top)
        b.store(b.and_(found, constant(0xFFFFFFFF)), self._square)
        number = b.trunc(b.lshr(found, constant(32)), i32)
        none = b.append_basic_block("none")
        cases = b.switch(number, none)
        for step, block in self._taken.items():
            if step.action is None:
                continue
            cases.add_case(ir.Constant(i32, step.number), block)
        b.position_at_end(none)
        b.store(frame, self._top)
        b.branch(self.failed)

    def _emit_failed(self) -> None:
        b = self.b
        b.position_at_end(self.failed)
        top = self.top()
        first, back = b.append_basic_block("first"), b.append_basic_block("back")
        b.cbranch(b.icmp_unsigned("==", top, self._frames), first, back)
        b.position_at_end(first)
        self.code.copy(self.code.state, self._copy, self._size)
        b.branch(self.exhausted)
        b.position_at_end(back)
        left = b.sub(self.context.load("work"), constant(1))
        self.context.store("work", left)
        self.limit_if(b.icmp_signed("<", left, constant(0)), Status.MUCH_WORK)
        frame = self.code.place(top, -self._frame)
        b.store(frame, self._top)
        self.code.copy(self.code.state, self.code.place(frame, _STATE), self._size)
        b.branch(self._chosen)
