"""From circuits to LLVM IR: all functions of a game."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.values import i32, pointer, void
from semisplit.compiler.runtime.abi import AT
from semisplit.core.errors import CompileLimit
from semisplit.language.gdl.native.evaluate.ahead import emit_look_ahead
from semisplit.language.gdl.native.evaluate.bounds import FUNCTION, BoundsWriter, emit_bounds
from semisplit.language.gdl.native.evaluate.each import emit_apply_each
from semisplit.language.gdl.native.evaluate.gates import GateWriter
from semisplit.language.gdl.native.evaluate.listing import Listing
from semisplit.language.gdl.native.evaluate.steps import Steps
from semisplit.language.gdl.native.evaluate.tables import KERNELS, TableWriter
from semisplit.language.gdl.native.playout.batch import Batch
from semisplit.language.gdl.native.playout.playouts import Playouts, emit_playouts
from semisplit.language.gdl.native.playout.threads import emit_play_thread
from semisplit.language.gdl.native.playout.walk import Walk
from semisplit.language.gdl.native.state.layout import NARROW, WIDE, Frame, StateLayout, Words
from semisplit.language.gdl.native.state.states import Game, States
from semisplit.language.gdl.native.state.words import WordCode, WordModule
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.schedule import LARGE, Schedule, make_schedule
from semisplit.language.gdl.network.turns import Turns

SECTIONS = ("moves", "next", "goals")
MOST_GATES = 20_000
"""Gates of a section that LLVM compiles in about two seconds; more are interpreted at first."""
FEW_GOALS = 0.25
"""Goals take long if their gates are more than this part of all others."""
_MAX_SIZE = 1_000_000
"""Instructions besides those of gates; there are never that many."""


@dataclass(frozen=True)
class Emitted:
    """A game as LLVM IR."""

    text: str
    frame: Frame
    """The memory it works in."""
    exchangeable: tuple[str, ...]
    """The sections that are interpreted, and may be exchanged for compiled ones."""
    _writer: GateWriter | None

    @property
    def digest(self) -> str:
        """What tells whether compiled sections belong to this text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def faster(self) -> str:
        """The sections that may be exchanged, as straight-line code in a module of its own."""
        assert self._writer
        sections = (self._writer.write(name, self.frame) for name in self.exchangeable)
        text = "\n".join(sections)
        return re.sub(r"define internal (void @(moves|next|goals)\()", r"define \1", text)


def emit(circuit: Circuit, turns: Turns, most_gates: int | None = None) -> Emitted:
    """A game as LLVM IR.

    Args:
        circuit: The game.
        turns: What is known about whose turn it is.
        most_gates: Sections with more gates are interpreted.
    """
    most_gates = MOST_GATES if most_gates is None else most_gates
    schedule = make_schedule(circuit)
    sizes = _sizes(schedule)
    interpreted = {name for name, size in sizes.items() if size > most_gates}
    # What is never compiled needs no place to be kept from one function to another.
    is_large = len(circuit.network.gates) > LARGE
    if is_large:
        interpreted |= {*SECTIONS}
    writer = None if is_large else GateWriter(circuit, schedule)
    gates = 1 + circuit.network.inputs + len(circuit.network.gates)
    values = gates + len(circuit.program.fluents) if interpreted else 0
    frame = Frame(circuit, turns, writer.slots if writer else 0, values)
    bounds = BoundsWriter(circuit, frame)
    game = _new_game(circuit, frame, turns, WIDE)
    states = States(game)
    _emit_keeper(game, states)
    steps, listing = Steps(game, states), Listing(game, states)
    walk = Walk(game, states, steps, listing) if turns.slots else None
    playouts = Playouts(game, states, goals_take_long=_goals_take_long(sizes))
    emit_playouts(game, states, playouts, walk)
    Batch(game, playouts, walk)
    emit_look_ahead(game, states, listing.list_moves)
    emit_apply_each(game, states)
    emit_bounds(game, bounds)
    tables = TableWriter(circuit, schedule, frame, writer.kept(frame) if writer else {})
    parts = [
        writer.write(name, frame)
        if writer and name not in interpreted
        else tables.write(name, exchangeable=writer is not None)
        for name in SECTIONS
    ]
    return Emitted(
        "\n".join([_text(game), KERNELS, *parts, bounds.write()]),
        frame,
        tuple(name for name in SECTIONS if writer and name in interpreted),
        writer,
    )


def emit_threads(circuit: Circuit, turns: Turns) -> str:
    """A game as LLVM IR for threads of GPUs, each of which plays in 32 lanes."""
    schedule = make_schedule(circuit)
    sizes = _sizes(schedule)
    if max(sizes.values()) > MOST_GATES:
        name = circuit.program.name
        raise CompileLimit(
            f"{name} is too large for GPUs: its network has"
            f" {max(sizes.values()):,} gates in a section, and {MOST_GATES:,} is the most"
        )
    writer = GateWriter(circuit, schedule, NARROW)
    game = _new_game(circuit, Frame(circuit, turns, writer.slots, 0, NARROW), turns, NARROW)
    playouts = Playouts(game, States(game), goals_take_long=_goals_take_long(sizes))
    emit_play_thread(game, playouts)
    return "\n".join([_text(game), *(writer.write(name, game.frame) for name in SECTIONS)])


def _sizes(schedule: Schedule) -> dict[str, int]:
    """How many gates sections have."""
    blocks = zip(SECTIONS, schedule)
    return {name: sum(len(block.gates) for block in section) for name, section in blocks}


def _goals_take_long(sizes: dict[str, int]) -> bool:
    return sizes["goals"] > FEW_GOALS * (sizes["moves"] + sizes["next"])


def _new_game(circuit: Circuit, frame: Frame, turns: Turns, words: Words) -> Game:
    module = WordModule(circuit.program.name, _MAX_SIZE, words, gpu=words is NARROW)
    type_ = ir.FunctionType(void, [pointer] * 5)
    sections = {name: ir.Function(module.ir, type_, name) for name in SECTIONS}
    state = StateLayout(frame.roles, frame.fluents)
    return Game(module, circuit, frame, turns, state, sections)


def _text(game: Game) -> str:
    """All but gates, which are written as text in place of the declarations of their functions."""
    written = "|".join([*SECTIONS, FUNCTION])
    return re.sub(rf'declare void @"({written})"\(.*\)\n', "", str(game.module.ir))


def _emit_keeper(game: Game, states: States) -> None:
    """`run_keeper`: nobody moves without choosing to, but the head is brought up to date."""
    function = game.module.function("run_keeper", void, [pointer, pointer], public=True)
    code = WordCode.begin(game.module, function)
    state, context = function.args
    with code.if_(code.equal(code.load(i32, state, AT), 0)):
        code.b.call(states.settle, [state, game.frame_of(code, context)])
    code.b.ret_void()
