"""Turns: the sink that ends a move, lets the keeper move, and goes on with the next player."""

from __future__ import annotations

from functools import partial

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.random import Random
from semisplit.emit.values import Value, constant, i64
from semisplit.rbg.native.analysis.graph import Arc
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import Exit
from semisplit.rbg.native.machine.keeper import LIMITED
from semisplit.rbg.native.machine.machine import Machine, Sink
from semisplit.rbg.native.machine.transitions import Transitions
from semisplit.runtime.abi import Status


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
        self.over = code.block("over")
        """Where the game is over."""

    def play(self, machine: Machine) -> None:
        """Emit the playout from the state as it is, a nodal one."""
        code, stack = machine.code, machine.stack
        machine.check_room()
        machine.b.store(code.square(), stack.square)
        # Behind a switch to the keeper he got stuck, or the state is the end of a game.
        self._to_player(machine, machine.b.zext(code.at(), i64))
        machine.finish()
        code.emit_in(stack.exhausted)
        self.no_more(machine)
        machine.emit_work()
        for block in (stack.limited, self.over):
            code.emit_in(block)
            machine.b.ret_void()

    def begin(self, machine: Machine, node: int) -> ir.Block:
        """The block in which a player's turn begins."""
        return machine.site(node)

    def no_more(self, machine: Machine) -> None:
        """Emit what happens when a turn has been looked through."""
        machine.b.branch(self.over)

    def complete(self, machine: Machine, exit_: Exit, square: Value) -> None:
        assert exit_.arc is not None
        self.hand_over(machine, exit_.arc, square)

    def on_apply(self, machine: Machine, arc: Arc, square: Value) -> None:
        machine.context.count("states")

    def on_hand_over(self, machine: Machine, arc: Arc) -> None:
        """Emit what is to be done before a move is ended by a switch."""
        machine.context.count("states")

    def hand_over(self, machine: Machine, arc: Arc, square: Value) -> None:
        """Emit the end of a move: switch, let the keeper move, and go to the next player."""
        machine.b.store(square, machine.stack.square)
        if arc not in self._handed_over:
            emit = partial(self._emit_hand_over, machine, arc)
            self._handed_over[arc] = machine.later("hand_over", emit)
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
            b.branch(self.begin(machine, arc.target))
            return
        arguments = [code.state, constant(arc.number), square, stack.base, context.base]
        behind = b.call(self.transitions.keeper, arguments)
        b.store(code.square(), stack.square)
        self._to_player(machine, behind)

    def _to_player(self, machine: Machine, behind: Value) -> None:
        """Emit going to the player who is in control behind a switch, if any."""
        cases = machine.code.switch(behind, self.over, [(LIMITED, machine.stack.limited)])
        for switch in machine.turns:
            cases.add_case(constant(switch.number), self.begin(machine, switch.target))
