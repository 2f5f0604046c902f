"""The keeper's moves: always the first that the interpreter would find.

The keeper rarely has a choice, so his moves are made straight on. Only where several steps are
possible the order of the rules matters, and it is looked up by a walk through the automaton (see
`walk`). What has to be undone is restored from copies of the state: one at the beginning of a move
that may fail, and one at each choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer
from semisplit.compiler.runtime.abi import Status
from semisplit.core.components import components
from semisplit.core.limits import MAX_KEEPER_MOVES, MAX_MOVE_LENGTH
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import NOWHERE, Exit
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.machine import Chooser, Machine, Sink
from semisplit.language.rbg.native.machine.meetings import Meetings
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.native.machine.threaded import ThreadedMachine
from semisplit.language.rbg.native.machine.walk import Walk

STUCK, LIMITED = 0, -1
_MAX_JUMPS = 1000
"""Regions that follow each other without a modifier, after which a circle is suspected."""
_INLINE_SITES, _LOCKSTEP_SITES = 12, 20
"""Sites up to which the keeper's moves are copied to wherever they are needed; the same for threads
in lockstep, which wait for each other at his sites if there are more."""
_SITE, _SQUARE, _OPTION, _STATE = 0, 8, 16, 24
"""A frame of the keeper: where he had a choice, the option he took, and the state before."""


def emit_keeper(program: Program) -> ir.Function:
    """The function that makes the keeper's moves behind a switch to him.

    It gets the state, the switch, the square, memory for frames and the context, and returns the
    switch at which a player takes over, `STUCK` or `LIMITED`. The state is left as it is there.
    """
    function = program.module.function("keeper", i64, [pointer, i64, i64, pointer, pointer])
    _, entry, square, frames, context = function.args
    code = StateCode.begin(program.module, function)

    def end(result: int) -> None:
        code.b.ret(constant(result))

    limits = ContextCode(code, context)
    sites = emit_keeper_moves(program, code, limits, frames, entry, square, end)
    most = _LOCKSTEP_SITES if program.lockstep else _INLINE_SITES
    function.attributes.add("alwaysinline" if sites <= most else "noinline")
    return function


def emit_keeper_moves(
    program: Program,
    code: StateCode,
    context: ContextCode,
    frames: Value,
    entry: Value,
    square: Value,
    end: Callable[[int], None],
    meetings: tuple[Meetings, float] | None = None,
) -> int:
    """Emit the keeper's moves behind a switch to him; returns at how many sites he may be.

    Args:
        program: The game.
        code: Where to emit.
        context: Limits and counters of the caller.
        frames: Memory for frames.
        entry: The number of the switch.
        square: The current square.
        end: Emits what happens at the end, given the result of the function above.
        meetings: Where threads in lockstep meet before they go to his sites, and the first rank.
    """
    # The copy of the state at the beginning of a move comes before the frames.
    with code.b.goto_entry_block():
        above = code.place(frames, code.layout.bytes)
    stack = Stack(code, context, above)
    keeper = _Keeper(stack, frames, end)
    # At the start of the rules the keeper is in control, too.
    switches = [s for s in program.game.graph.switches if program.game.player_of(s) == 0]
    entries = {0: 0} | {switch.number: switch.target for switch in switches}
    where, first_rank = meetings or (None, 0)
    machine = ThreadedMachine(
        program,
        program.game.rules,
        Until.CUT,
        stack,
        keeper,
        keeper.moves,
        entries.values(),
        meetings=where,
        first_rank=first_rank,
    )
    keeper.find_circles(machine, entries.values())
    machine.check_room()
    code.b.store(square, stack.square)
    turns = (
        (number, keeper.moves.begin(machine, node)) for number, node in entries.items() if number
    )
    code.switch(entry, keeper.moves.begin(machine, 0), turns)
    machine.finish()
    keeper.emit_choice(machine)
    for block, result in ((stack.limited, LIMITED), (stack.exhausted, STUCK)):
        code.emit_in(block)
        end(result)
    return len(machine.sites) + keeper.moves.count


class _KeeperMoves(Sink):
    """One move after the other, until a player is in control."""

    def __init__(self, stack: Stack, copy: Value, end: Callable[[int], None]):
        self._copy = copy
        self._end = end
        code = stack.code
        self.length = code.local(i64)
        """A variable: the modifiers of the move so far, as far as they are counted."""
        self._moves = code.local(i64)
        code.b.store(constant(0), self._moves)
        self._blocks: dict[int, ir.Block] = {}
        self.is_beginning = False
        """Whether the code of the first site of a move is being emitted."""

    @property
    def count(self) -> int:
        """How many sites there are at which a move begins."""
        return len(self._blocks)

    def begin(self, machine: Machine, node: int) -> ir.Block:
        """The block in which a move of the keeper begins."""
        if node not in self._blocks:
            emit = partial(self._emit_turn, machine, node)
            self._blocks[node] = machine.meet(machine.later(f"turn{node}", emit), 0)
        return self._blocks[node]

    def _emit_turn(self, machine: Machine, node: int) -> None:
        machine.stack.clear()
        machine.b.store(constant(0), self.length)
        if any(machine.may_fail(exit_) for exit_ in machine.region(node).exits):
            machine.code.copy(self._copy, machine.code.state, machine.code.layout.bytes)
        self.is_beginning = True
        machine.emit_site(node)
        self.is_beginning = False

    def take_back(self, machine: Machine) -> None:
        """Emit restoring the state at the beginning of the move."""
        machine.code.copy(machine.code.state, self._copy, machine.code.layout.bytes)

    def complete(self, machine: Machine, exit_: Exit, square: Value) -> None:
        b, arc = machine.b, exit_.arc
        assert arc is not None
        player = machine.program.game.player_of(arc)
        machine.code.hand_over(arc.number, player, square)
        if player:
            self._end(arc.number)
            return
        moves = b.add(b.load(self._moves, typ=i64), constant(1))
        b.store(moves, self._moves)
        long = b.icmp_unsigned(">", moves, constant(MAX_KEEPER_MOVES))
        machine.stack.give_up_if(long, Status.LONG_KEEPER)
        b.branch(self.begin(machine, arc.target))


class _Keeper(Chooser):
    """Takes the first option, and restores the state before it where it fails."""

    # If there are several options, it matters at which site.
    shares_choices = False
    tracks_depths = False

    def __init__(self, stack: Stack, copy: Value, end: Callable[[int], None]):
        self._jumps = stack.code.local(i64)
        stack.code.b.store(constant(0), self._jumps)
        self.moves = _KeeperMoves(stack, copy, end)
        self._taken: dict[Arc, ir.Block] = {}
        """The blocks of the exits."""
        self._choices: list[int] = []
        """The sites where there may be a choice."""
        self._chosen = stack.code.block("choice")
        self._repeated: set[int] = set()
        """Sites that a single move may come to again and again."""

    def find_circles(self, machine: Machine, nodes: Iterable[int]) -> None:
        """Find the sites that a move may come to again and again."""

        def onward(node: int) -> list[int]:
            exits = machine.region(node).exits
            return [e.arc.target for e in exits if e.arc and not machine.is_leaf(e)]

        for start in nodes:
            for component in components([start], onward):
                if len(component) > 1 or component[0] in onward(component[0]):
                    self._repeated |= set(component)

    def frame_bytes(self, machine: Machine, largest: int) -> int:
        return max(largest, _STATE + machine.code.layout.bytes)

    def taken(self, machine: Machine, exit_: Exit) -> Exit | None:
        assert exit_.arc is not None
        is_over = machine.is_leaf(exit_) and machine.program.game.player_of(exit_.arc)
        return None if is_over else exit_

    def way_back(self, machine: Machine, node: int) -> ir.Block:
        return machine.stack.exhausted if self.moves.is_beginning else machine.stack.failed

    def choose(self, machine: Machine, site: Site) -> None:
        code, exits = machine.code, site.region.exits
        slots = [site.slot(exit_) for exit_ in exits]
        possible = [
            code.unequal(slot, 0 if exit_.is_set else NOWHERE) for exit_, slot in zip(exits, slots)
        ]
        if not site.region.exclusive:
            options = [
                code.count(slot) if exit_.is_set else code.b.zext(is_possible, i64)
                for exit_, slot, is_possible in zip(exits, slots, possible)
            ]
            several = code.b.icmp_unsigned(">", reduce(code.b.add, options), constant(1))
            with code.if_(several):
                self._open_choice(machine, site.node, machine.stack.here())
        for exit_, slot, is_possible in zip(exits, slots, possible):
            with code.if_(is_possible):
                self.take(machine, site, exit_, code.lowest(slot) if exit_.is_set else slot)
        code.b.branch(site.none)

    def take(self, machine: Machine, site: Site, exit_: Exit, square: Value) -> None:
        arc = exit_.arc
        assert arc is not None
        machine.b.store(square, machine.stack.square)
        if arc not in self._taken:
            self._taken[arc] = machine.later("take", partial(self._emit_exit, machine, arc, exit_))
        machine.b.branch(self._taken[arc])

    def _emit_exit(self, machine: Machine, arc: Arc, exit_: Exit) -> None:
        b, square = machine.b, machine.stack.here()
        if machine.is_leaf(exit_):
            machine.sink.complete(machine, exit_, square)
            return
        is_repeated = arc.target in self._repeated
        if arc.action is None:
            if is_repeated:
                self._check_jumps(machine, arc, square)
        else:
            machine.apply(arc, ir.Constant(i32, arc.number), square)
            if is_repeated:
                b.store(constant(0), self._jumps)
                length = b.add(b.load(self.moves.length, typ=i64), constant(1))
                b.store(length, self.moves.length)
                long = b.icmp_unsigned(">", length, constant(MAX_MOVE_LENGTH))
                machine.stack.give_up_if(long, Status.LONG_MOVE)
        b.branch(machine.site(arc.target))

    def _check_jumps(self, machine: Machine, arc: Arc, square: Value) -> None:
        """Emit looking for a way out if regions have followed each other for too long.

        It may be a circle; a walk passes every square at most once.
        """
        b = machine.b
        jumps = b.add(b.load(self._jumps, typ=i64), constant(1))
        b.store(jumps, self._jumps)
        with machine.code.if_(b.icmp_unsigned(">", jumps, constant(_MAX_JUMPS))):
            b.store(constant(0), self._jumps)
            self._open_choice(machine, arc.target, square)

    # Choices

    def _open_choice(self, machine: Machine, node: int, square: Value) -> None:
        """Emit taking the first option at a site, in the order of the rules."""
        code, frame = machine.code, machine.b.load(machine.stack.top, typ=pointer)
        if node not in self._choices:
            self._choices.append(node)
        code.store(constant(self._choices.index(node)), frame, _SITE)
        code.store(square, frame, _SQUARE)
        code.store(constant(0), frame, _OPTION)
        code.copy(code.place(frame, _STATE), code.state, code.layout.bytes)
        code.b.branch(self._chosen)

    def emit_choice(self, machine: Machine) -> None:
        """Take the next option at the choice whose frame is on top, or fail without one."""
        code, b, stack = machine.code, machine.b, machine.stack
        code.emit_in(self._chosen)
        if not self._choices:
            b.unreachable()
            return
        frame = b.load(stack.top, typ=pointer)
        option = code.load(i64, frame, _OPTION)
        code.store(b.add(option, constant(1)), frame, _OPTION)
        above = code.place(frame, machine.frame)
        end = code.place(above, machine.frame)
        full = b.icmp_unsigned(">", end, machine.context.load("frames_end", pointer))
        stack.give_up_if(full, Status.LONG_MOVE)
        walk = Walk(machine.program, self._choices).emit()
        site, square = code.load(i64, frame, _SITE), code.load(i64, frame, _SQUARE)
        found = b.call(walk, [code.state, site, square, option, above, machine.context.base])
        stack.check_status()
        b.store(above, stack.top)
        b.store(b.and_(found, constant(0xFFFFFFFF)), stack.square)
        number, none = b.trunc(b.lshr(found, constant(32)), i32), code.block("none")
        options = ((arc.number, block) for arc, block in self._taken.items() if arc.action)
        code.switch(number, none, options)
        code.emit_in(none)
        b.store(frame, stack.top)
        b.branch(stack.failed)

    def go_back(self, machine: Machine) -> None:
        code, b, stack = machine.code, machine.b, machine.stack
        top = b.load(stack.top, typ=pointer)
        with code.if_(code.equal(top, stack.base)):
            self.moves.take_back(machine)
            b.branch(stack.exhausted)
        stack.check_work()
        frame = code.place(top, -machine.frame)
        b.store(frame, stack.top)
        code.copy(code.state, code.place(frame, _STATE), code.layout.bytes)
        b.branch(self._chosen)
