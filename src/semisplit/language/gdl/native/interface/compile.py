"""Compiling a game: from a description to functions that can be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.build import Code, build, llvm_errors, load
from semisplit.compiler.runtime.compiled import CompiledGame, Facts
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import CompileLimit
from semisplit.core.work import doing
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.native.interface.codec import GdlCodec
from semisplit.language.gdl.native.interface.faster import get_faster
from semisplit.language.gdl.native.state.layout import ALIGN, LANES, SWITCH

if TYPE_CHECKING:
    from semisplit.language.gdl.network.circuit import Circuit
    from semisplit.language.gdl.network.turns import Turns


def compile_game(description: Description, bundle: Bundle = Bundle.GAME) -> CompiledGame:
    """Compile a game, or take it from the cache if it has been compiled before.

    Raises:
        NotCompiled: If the rules are too large, or games in GDL have no such part.
    """
    name = description.source.name
    if bundle != Bundle.GAME:
        raise CompileLimit(f"games in GDL like {name} have no functions of part '{bundle.value}'")
    key = object_name(description.source.text)
    compiled, about = build(name, key, lambda: emit_code(description), GdlCodec.from_json)
    if compiled.facts.switches:
        with llvm_errors(name):
            get_faster(compiled, description, key, about["digest"])
    return compiled


def kept_game(description: Description) -> CompiledGame | None:
    """A game from the cache, good enough to step through; None if it is not there."""
    found = load(description.source.name, object_name(description.source.text), GdlCodec.from_json)
    return found and found[0]


def emit_threads(description: Description) -> str:
    """Playouts as a GPU's threads make them, as LLVM's code."""
    from semisplit.language.gdl.native.interface.build import emit_threads

    circuit, turns = _reduce(description)
    return emit_threads(circuit, turns)


def object_name(text: str) -> str:
    """The name of a game's object code in the cache."""
    version = cache.sources("core", "compiler", "language/gdl")
    return cache.key(version, text, None, Bundle.GAME, Target.host())


def emit_code(description: Description) -> Code:
    """What a game is compiled from."""
    from semisplit.language.gdl.native.interface.build import emit

    circuit, turns = _reduce(description)
    program, size = circuit.program, f"{circuit.network.size:,} gates"
    with doing(f"compiling {description.source.name} ({size})"):
        emitted = emit(circuit, turns)
    codec = GdlCodec(len(program.roles), program.fluents, program.moves)
    facts = Facts(
        bundle=Bundle.GAME,
        split=False,
        mod=False,
        players=len(program.roles),
        state_bytes=codec.layout.bytes,
        codes=len(program.moves),
        silent=0,
        numbers=0,
        nodal=(),
        frame_bytes=emitted.frame.bytes,
        group_bytes=ALIGN,
        simultaneous=not turns.exclusive,
        lanes=LANES,
        bits=codec.layout.bits,
        steps=tuple(emitted.frame.moves),
        switches=tuple(SWITCH + name for name in emitted.exchangeable),
    )
    # The network is optimised already, and the rest is small.
    return Code(emitted.text, facts, codec, size, optimise=False, more={"digest": emitted.digest})


def _reduce(description: Description) -> tuple[Circuit, Turns]:
    """The circuit of a game, and what is known about turns."""
    from semisplit.language.gdl.ground.program import ground
    from semisplit.language.gdl.network.circuit import build_circuit
    from semisplit.language.gdl.network.turns import find_turns

    with doing(f"reducing the rules of {description.source.name}"):
        circuit = build_circuit(ground(description))
        return circuit, find_turns(circuit)
