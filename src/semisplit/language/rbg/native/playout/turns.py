"""Turns: the sink that ends a move, lets the keeper move, and goes on with the next player."""

from __future__ import annotations

from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.random import Random
from semisplit.compiler.emit.values import Value, constant, i32, i64
from semisplit.compiler.runtime.abi import Status
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.machine.keeper import LIMITED, emit_keeper_moves
from semisplit.language.rbg.native.machine.machine import Machine, Sink
from semisplit.language.rbg.native.machine.meetings import MOST, Meetings
from semisplit.language.rbg.native.machine.transitions import Transitions

_HAND_OVER, _KEEPER, _OVER, _TURN = 1e6, 2e6, 3e6, 4e6
"""The ranks of what comes behind all sites."""


class Turns(Sink):
    """Plays a game from turn to turn."""

    def __init__(
        self, code: StateCode, context: ContextCode, transitions: Transitions, seed: Value
    ):
        """Begin at the entry of a playout's function.

        Args:
            code: Where to emit.
            context: Limits and counters of the caller.
            transitions: The functions that make the keeper's moves and single steps.
            seed: The seed of the playout's random numbers.
        """
        self.transitions = transitions
        context.store("work", context.load("max_work"))
        last = code.b.add(context.load("moves"), context.load("max_moves"))
        context.store("last_move", last)
        self.random = Random(code, seed)
        self._handed_over: dict[Arc, ir.Block] = {}
        """The blocks that end a move, for each switch."""
        self.ended = code.block("over")
        """Where the game is over."""
        self.over = self.ended
        """The way there."""
        self._keeper: ir.Block | None = None
        """Of threads in lockstep: the way to the keeper's moves."""
        self._turn: tuple[ir.Block, Value] | None = None
        """Of threads in lockstep: where all turns begin, and a variable: behind which switch."""

    def play(self, machine: Machine) -> None:
        """Emit the playout from the state as it is, a nodal one.

        What comes when the game has `ended` or the stack is `limited` is left to the caller.
        """
        code, stack = machine.code, machine.stack
        self.over = machine.meet(self.ended, _OVER)
        machine.check_room()
        machine.b.store(code.square(), stack.square)
        # Behind a switch to the keeper he got stuck, or the state is the end of a game.
        behind = machine.b.zext(code.at(), i64)
        if machine.meetings:
            behind = self._meet_for_turn(machine, machine.meetings, behind)
        self._to_player(machine, behind)
        machine.finish()
        code.emit_in(stack.exhausted)
        self.no_more(machine)
        machine.emit_work()

    def _meet_for_turn(self, machine: Machine, meetings: Meetings, behind: Value) -> Value:
        """Emit the place where all turns begin, and going there.

        Those who are at the turn that most are at go on.
        """
        code, b = machine.code, machine.b
        turn = code.block("turn")
        way = machine.meet(turn, _TURN)
        self._turn = way, code.local(i64)
        self._go_on(machine, behind)
        code.emit_in(turn)
        behind = b.load(self._turn[1], typ=i64)
        number = b.and_(b.trunc(behind, i32), ir.Constant(i32, 0xFFFF))
        code.jump_if(code.unequal(number, meetings.agreed(MOST, number)), way)
        return behind

    def begin(self, machine: Machine, node: int) -> ir.Block:
        """The block in which a player's turn begins."""
        return machine.site(node)

    def no_more(self, machine: Machine) -> None:
        """Emit what happens when a turn has been looked through."""
        machine.b.branch(self.over)

    def complete(self, machine: Machine, exit_: Exit, square: Value) -> None:
        assert exit_.arc is not None
        self.hand_over(machine, exit_.arc, square)

    def on_apply(self, machine: Machine, number: Value, square: Value) -> None:
        machine.context.count("states")

    def on_hand_over(self, machine: Machine, arc: Arc) -> None:
        """Emit what is to be done before a move is ended by a switch."""
        machine.context.count("states")

    def hand_over(self, machine: Machine, arc: Arc, square: Value) -> None:
        """Emit the end of a move: switch, let the keeper move, and go to the next player."""
        machine.b.store(square, machine.stack.square)
        if arc not in self._handed_over:
            emit = partial(self._emit_hand_over, machine, arc)
            self._handed_over[arc] = machine.meet(machine.later("hand_over", emit), _HAND_OVER)
        machine.b.branch(self._handed_over[arc])

    def _emit_hand_over(self, machine: Machine, arc: Arc) -> None:
        b, code, stack, context = machine.b, machine.code, machine.stack, machine.context
        self.on_hand_over(machine, arc)
        square = stack.here()
        player = machine.program.game.player_of(arc)
        code.hand_over(arc.number, player, square)
        moves = context.count("moves")
        long = b.icmp_unsigned(">=", moves, context.load("last_move"))
        stack.give_up_if(long, Status.LONG_GAME)
        stack.clear()
        if player:
            if self._turn:
                self._go_on(machine, constant(arc.number))
            else:
                b.branch(self.begin(machine, arc.target))
            return
        if machine.meetings is None:
            self._keep(machine, constant(arc.number), square)
            return
        if self._keeper is None:
            emit = partial(self._emit_keeper, machine, machine.meetings)
            self._keeper = machine.meet(machine.later("keeper", emit), _KEEPER)
        b.branch(self._keeper)

    def _emit_keeper(self, machine: Machine, meetings: Meetings) -> None:
        """Emit the keeper's moves for all switches to him."""
        code = machine.code
        switch, square = machine.b.zext(code.at(), i64), code.square()
        if "alwaysinline" in self.transitions.keeper.attributes:
            self._keep(machine, switch, square)
            return

        def end(result: int) -> None:
            machine.b.store(code.square(), machine.stack.square)
            self._go_on(machine, constant(result))

        # The frames of his function, which is not called, are those of this copy of it.
        program, frame_bytes = machine.program, machine.program.frame_bytes
        memory = machine.context, machine.stack.base
        emit_keeper_moves(program, code, *memory, switch, square, end, (meetings, _KEEPER + 1))
        program.frame_bytes = frame_bytes

    def _keep(self, machine: Machine, switch: Value, square: Value) -> None:
        """Emit letting the keeper move behind a switch, and going on."""
        b, code = machine.b, machine.code
        arguments = [code.state, switch, square, machine.stack.base, machine.context.base]
        behind = b.call(self.transitions.keeper, arguments)
        b.store(code.square(), machine.stack.square)
        self._go_on(machine, behind)

    def _go_on(self, machine: Machine, behind: Value) -> None:
        """Emit going on behind a switch. Threads in lockstep meet at the beginning of each turn."""
        if self._turn is None:
            self._to_player(machine, behind)
            return
        block, variable = self._turn
        machine.b.store(behind, variable)
        machine.b.branch(block)

    def _to_player(self, machine: Machine, behind: Value) -> None:
        """Emit going to the player who is in control behind a switch, if any."""
        cases = machine.code.switch(behind, self.over, [(LIMITED, machine.stack.limited)])
        for switch in machine.turns:
            cases.add_case(constant(switch.number), self.begin(machine, switch.target))
