"""Random playouts: whole games at random, in one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.language.rbg.native.analysis.facts import GraphFacts
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.machine import Chooser, Machine
from semisplit.language.rbg.native.machine.meetings import Meetings
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.native.machine.tables import make_machine
from semisplit.language.rbg.native.machine.transitions import Transitions
from semisplit.language.rbg.native.playout.draw import Draw
from semisplit.language.rbg.native.playout.turns import Turns

Parts = Callable[[Stack, Value], tuple[Chooser, Turns]]
"""Makes the two parts of a playout's machine, given its stack and the seed."""


@dataclass(frozen=True)
class Play:
    """A way to play at random."""

    name: str
    rules: GraphFacts
    until: Until
    parts: Parts
    collects: bool = False
    """Whether all moves are written down before one is drawn."""

    def emit(self, program: Program, stack: Stack, seed: Value) -> tuple[Machine, ir.Block]:
        """Emit a game; returns the machine that plays it, and the block where it is over."""
        chooser, turns = self.parts(stack, seed)
        entries = [switch.target for switch in program.game.turns(self.rules)]
        meetings = Meetings(stack.code) if program.lockstep else None
        machine = make_machine(
            program, self.rules, self.until, stack, chooser, turns, entries, meetings
        )
        turns.play(machine)
        if machine.meetings:
            machine.meetings.emit()
        return machine, turns.ended


def emit_playout(program: Program, play: Play) -> ir.Function:
    """The function that plays one game on a state, with a seed and the context."""
    function = program.module.function(f"{play.name}_playout", void, [pointer, i64, pointer])
    function.attributes.add("alwaysinline")
    _, seed, context = function.args
    code = StateCode.begin(program.module, function)
    limits = ContextCode(code, context)
    stack = Stack(code, limits, limits.load("frames", pointer))
    _, over = play.emit(program, stack, seed)
    for block in (stack.limited, over):
        code.emit_in(block)
        code.b.ret_void()
    return function


def semisplit_play(program: Program, transitions: Transitions) -> Play:
    """Draws one semimove after the other; where it gets stuck, it goes back."""

    def parts(stack: Stack, seed: Value) -> tuple[Chooser, Turns]:
        turns = Turns(stack.code, stack.context, transitions, seed)
        return Draw(turns.random), turns

    return Play("semisplit", program.game.merged, Until.DOT, parts)


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
    size = program.module.layout.bytes
    b = ir.IRBuilder(function.append_basic_block("entry"))
    # Not in the caller's memory: as long as nothing else sees it, it can be kept in registers.
    current = b.alloca(i64, size // 8)
    code = StateCode(program.module, b, current)
    with code.repeat(constant(0)) as loop:
        (number,) = loop.variables
        code.copy(current, state, size)
        b.call(playout, [current, b.add(seed, number), context])
        loop.leave_if(ContextCode(code, context).has_failed())
        for player in range(len(program.game.description.players)):
            score = b.zext(code.load(i32, current, code.layout.value(player)), i64)
            code.store(b.add(code.load(i64, sums, 8 * player), score), sums, 8 * player)
        following = b.add(number, constant(1))
        loop.again_if(code.less(following, count), following)
    code.copy(state, current, size)
    b.ret_void()
