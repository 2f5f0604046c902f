"""Compiling a game: from a description to functions that can be called."""

from __future__ import annotations

import re

from llvmlite import ir

from semisplit.core.errors import CompileError, CompileLimit
from semisplit.core.strategy import SplitStrategy
from semisplit.core.work import doing
from semisplit.emit.module import Module
from semisplit.emit.values import Value, i32, pointer, void
from semisplit.gdl.description import Description
from semisplit.gdl.ground.program import ground
from semisplit.gdl.native.codec import GdlCodec
from semisplit.gdl.native.gates import GateWriter
from semisplit.gdl.native.layout import ALIGN, Frame, StateLayout
from semisplit.gdl.native.listing import Listing
from semisplit.gdl.native.playouts import Playouts
from semisplit.gdl.native.states import Game, States
from semisplit.gdl.native.steps import Steps
from semisplit.gdl.native.words import WordCode
from semisplit.gdl.network.circuit import Circuit, build_circuit
from semisplit.gdl.network.schedule import make_schedule
from semisplit.runtime import cache
from semisplit.runtime.abi import AT, Part
from semisplit.runtime.compiled import CompiledGame, Facts
from semisplit.runtime.target import Target

_MAX_SIZE = 1_000_000
"""Instructions besides those of gates; there are never that many."""


def compile_game(
    description: Description, strategy: SplitStrategy | None = None, part: Part = Part.GAME
) -> CompiledGame:
    """Compile a game, or take it from the cache if it has been compiled before.

    Raises:
        NotCompiled: If its rules are too large, or the part is none that games in GDL have.
    """
    source, target = description.source, Target.host()
    if part != Part.GAME:
        raise CompileLimit(f"{source.name} has no {part.value} playouts")
    key = object_name(source.text, strategy)
    kept = cache.read(key)
    if kept is None:
        circuit = build_circuit(ground(description))
        program = circuit.program
        with doing(f"compiling {source.name} ({circuit.network.size:,} gates)"):
            text, frame = emit(circuit)
            codec = GdlCodec(len(program.roles), program.fluents, program.moves)
            facts = Facts(
                part=part,
                split=strategy is not None,
                mod=strategy is not None and strategy.mod,
                players=len(program.roles),
                state_bytes=codec.layout.bytes,
                codes=len(program.moves),
                silent=0,
                numbers=0,
                nodal=(),
                frame_bytes=frame.bytes,
                group_bytes=ALIGN,
            )
            try:
                object_code = target.object_code(text, optimise=False)
            except RuntimeError as error:
                raise CompileError(source.name, str(error)) from error
        kept = object_code, {"facts": facts.to_json(), "codec": codec.to_json()}
        cache.write(key, *kept)
    object_code, about = kept
    codec = GdlCodec.from_json(about["codec"])
    try:
        return CompiledGame(object_code, Facts.from_json(about["facts"]), codec)
    except RuntimeError as error:
        raise CompileError(source.name, str(error)) from error


def object_name(text: str, strategy: SplitStrategy | None) -> str:
    """The name of a game's object code in the cache."""
    version = cache.sources("core", "runtime", "emit", "gdl")
    split = str(strategy) if strategy else None
    return cache.key(version, text, split, Part.GAME, Target.host())


def emit(circuit: Circuit) -> tuple[str, Frame]:
    """A game as LLVM IR, and the memory it works in."""
    writer = GateWriter(circuit, make_schedule(circuit))
    frame = Frame(circuit, writer.slots, 0)
    state = StateLayout(frame.roles, frame.fluents)
    module = Module(circuit.program.name, _MAX_SIZE, pdep=False, checked=False)
    sections = {
        name: ir.Function(module.ir, ir.FunctionType(void, [pointer] * 4), name)
        for name in ("moves", "next", "goals")
    }
    game = Game(module, circuit, frame, state, sections)
    states = States(game)
    _emit_keeper(game, states)
    Steps(game, states)
    Listing(game, states)
    Playouts(game, states)
    text = re.sub(r'declare void @"(moves|next|goals)"\(.*\)\n', "", str(module.ir))
    return "\n".join([text, *(writer.write(name, frame) for name in sections)]), frame


def _emit_keeper(game: Game, states: States) -> None:
    """`run_keeper`: there are no moves that nobody chooses, but scores are brought up to date."""
    function = game.module.function("run_keeper", void, [pointer, pointer], public=True)
    code = WordCode.begin(game.module, function)
    state, context = function.args
    at: Value = code.load(i32, state, AT)
    with code.if_(code.equal(at, 0)):
        code.b.call(states.settle, [state, game.frame_of(code, context)])
    code.b.ret_void()
