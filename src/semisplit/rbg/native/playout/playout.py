"""Random playouts: whole games at random, in one function."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.random import Random
from semisplit.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.rbg.native.analysis.graph import Arc, Graph
from semisplit.rbg.native.board.layout import AT, VERTEX
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.keeper import LIMITED
from semisplit.rbg.native.machine.machine import Machine
from semisplit.rbg.native.machine.program import Program
from semisplit.runtime.abi import Status


class Playout(Machine):
    """What semisplit and orthodox playouts share: turns, the keeper, the end of the game."""

    def __init__(
        self, program: Program, code: StateCode, context: ContextCode, seed: Value, kind: RegionKind
    ):
        frames = context.load("frames", pointer)
        graph = self.graph_of(program)
        super().__init__(program, graph, code, context.base, frames, kind)
        self.context.store("work", self.context.load("max_work"))
        last = self.b.add(self.context.load("moves"), self.context.load("max_moves"))
        self.context.store("last_move", last)
        self.random = Random(code, seed)
        self._handed_over: dict[Arc, ir.Block] = {}
        """The blocks that end a move, for each switch."""
        self._over = self.b.append_basic_block("over")
        self._player_switches = [s for s in self.graph.switches if program.player_of(s)]
        self.prepare()

    @staticmethod
    def graph_of(program: Program) -> Graph:
        """The rules that it follows."""
        return program.merged.graph

    def prepare(self) -> None:
        """Make what else is needed at the entry of the function."""

    def turn(self, node: int) -> ir.Block:
        """The block in which a player's turn begins."""
        return self.site(node)

    def start(self) -> None:
        """Emit the playout from the state as it is, a nodal one."""
        b = self.b
        self.reserve([step.target for step in self._player_switches])
        self.check_room()
        b.store(b.zext(self.code.load(i32, self.code.state, VERTEX), i64), self._square)
        # Behind a switch to the keeper he got stuck, or the state is the end of a game.
        self._to_player(b.zext(self.code.load(i32, self.code.state, AT), i64))
        self.finish()
        b.position_at_end(self.exhausted)
        self.no_more()
        self.emit_work()
        for block in (self.limited, self._over):
            b.position_at_end(block)
            b.ret_void()

    def no_more(self) -> None:
        """Emit what happens when a turn has been looked through."""
        self.b.branch(self._over)

    def count(self, field: str) -> Value:
        """Emit counting by one; returns the number."""
        number = self.b.add(self.context.load(field), constant(1))
        self.context.store(field, number)
        return number

    def hand_over(self, exit_: Exit, square: Value) -> None:
        """Emit the end of a move: switch, let the keeper move, and go to the next player."""
        step = exit_.arc
        assert step is not None
        self.b.store(square, self._square)
        if step not in self._handed_over:
            block = self.later("handOver", lambda: self._emit_hand_over(step))
            self._handed_over[step] = block
        self.b.branch(self._handed_over[step])

    def _emit_hand_over(self, step: Arc) -> None:
        b = self.b
        square = b.load(self._square, typ=i64)
        player = self.program.player_of(step)
        self.code.hand_over(step.number, player, square)
        long = b.icmp_unsigned(">=", self.count("moves"), self.context.load("last_move"))
        self.limit_if(long, Status.LONG_GAME)
        b.store(self._frames, self._top)
        if player:
            b.branch(self.turn(step.target))
            return
        frames, context = self._frames, self.context.base
        arguments = [self.code.state, constant(step.number), square, frames, context]
        behind = b.call(self.program.keeper, arguments)
        b.store(b.zext(self.code.load(i32, self.code.state, VERTEX), i64), self._square)
        self._to_player(behind)

    def _to_player(self, behind: Value) -> None:
        """Emit going to the player who is in control behind a switch, if any."""
        cases = self.b.switch(behind, self._over)
        cases.add_case(constant(LIMITED), self.limited)
        for step in self._player_switches:
            cases.add_case(constant(step.number), self.turn(step.target))

    def draw(self, region: Region) -> None:
        """Emit drawing one of the exits in the frame on top."""
        b = self.b
        if len(region.exits) == 1 and not region.exits[0].is_set:
            (exit_,) = region.exits
            square = self.slot(exit_)
            possible = b.append_basic_block("possible")
            b.cbranch(b.icmp_signed("==", square, constant(NOWHERE)), self.none, possible)
            b.position_at_end(possible)
            self.take_drawn(exit_, square)
            return
        self.draw_among(region.exits, [self.slot(exit_) for exit_ in region.exits])

    def draw_among(self, exits: Sequence[Exit], slots: Sequence[Value]) -> None:
        """Emit drawing one of some exits, with what is in their slots or a part of that."""
        b = self.b
        counts = [self._count_in(exit_, slot) for exit_, slot in zip(exits, slots)]
        total = counts[0]
        for one in counts[1:]:
            total = b.add(total, one)
        if not any(exit_.certain and not self._may_fail(exit_) for exit_ in exits):
            some = b.append_basic_block("some")
            b.cbranch(b.icmp_unsigned("==", total, constant(0)), self.none, some)
            b.position_at_end(some)
        number = self.random.below(total)
        for exit_, slot, options in zip(exits[:-1], slots, counts):
            this, other = b.append_basic_block("this"), b.append_basic_block("other")
            b.cbranch(b.icmp_unsigned("<", number, options), this, other)
            b.position_at_end(this)
            self.take_drawn(exit_, self._drawn(exit_, slot, number))
            b.position_at_end(other)
            number = b.sub(number, options)
        self.take_drawn(exits[-1], self._drawn(exits[-1], slots[-1], number))

    def _count_in(self, exit_: Exit, slot: Value) -> Value:
        if exit_.is_set:
            return self.code.count(slot)
        return self.b.zext(self.b.icmp_signed("!=", slot, constant(NOWHERE)), i64)

    def _drawn(self, exit_: Exit, slot: Value, number: Value) -> Value:
        return self.code.nth(slot, number) if exit_.is_set else slot

    def take_drawn(self, exit_: Exit, square: Value) -> None:
        """Emit what is done with the square that was drawn from an exit's slot."""
        if self._may_fail(exit_):
            self.drop(exit_, square)
        self.take(exit_, square)

    def _may_fail(self, exit_: Exit) -> bool:
        assert exit_.arc is not None
        return not self.is_leaf(exit_) and not self.is_safe(exit_.arc.target)


class SemisplitPlayout(Playout):
    """Draws one semimove after the other; where it gets stuck, it goes back and draws again."""

    def choose(self, node: int, region: Region) -> None:
        here = self.b.append_basic_block("draw")
        for exit_ in region.exits:
            self.retry[exit_] = here
        self.b.branch(here)
        self.b.position_at_end(here)
        self.draw(region)

    def apply(self, step: Arc, square: Value) -> Value:
        self.count("states")
        return super().apply(step, square)

    def complete(self, exit_: Exit, square: Value) -> None:
        self.hand_over(exit_, square)

    def _emit_hand_over(self, step: Arc) -> None:
        self.count("states")
        super()._emit_hand_over(step)


def emit_playouts(program: Program, name: str, playout: ir.Function) -> None:
    """The functions `orthodox_playouts` and `semisplit_playouts` of the interface.

    Args:
        program: The game.
        name: "orthodox" or "semisplit".
        playout: The function that plays one game, see `emit_playout`.
    """
    arguments = [pointer, i64, i64, pointer, pointer]
    function = program.module.function(f"{name}_playouts", void, arguments, public=True)
    state, seed, count, sums, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    size = program.module.layout.bytes
    # Not in the caller's memory: as long as nothing else sees it, it can be kept in registers.
    current = b.alloca(i64, size // 8)
    code = StateCode(program.module, b, current)
    before = b.block
    head, further, end = (b.append_basic_block(name) for name in ("playout", "next", "end"))
    b.branch(head)
    b.position_at_end(head)
    number = b.phi(i64)
    number.add_incoming(constant(0), before)
    code.copy(current, state, size)
    b.call(playout, [current, b.add(seed, number), context])
    failed = b.icmp_signed("!=", ContextCode(code, context).load("status"), constant(Status.OK))
    b.cbranch(failed, end, further)
    b.position_at_end(further)
    for player in range(len(program.description.players)):
        score = b.zext(code.load(i32, current, code.layout.value(player)), i64)
        code.store(b.add(code.load(i64, sums, 8 * player), score), sums, 8 * player)
    following = b.add(number, constant(1))
    number.add_incoming(following, further)
    b.cbranch(b.icmp_unsigned("<", following, count), head, end)
    b.position_at_end(end)
    code.copy(state, current, size)
    b.ret_void()


def emit_playout(
    program: Program, name: str, design: type[Playout], kind: RegionKind
) -> ir.Function:
    """The function that plays one game on a state, with a seed and the context."""
    arguments = [pointer, i64, pointer]
    function = program.module.function(f"{name}_playout", void, arguments)
    function.attributes.add("alwaysinline")
    state, seed, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    playout = design(program, code, ContextCode(code, context), seed, kind)
    playout.start()
    return function
