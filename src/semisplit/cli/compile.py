"""`semisplit compile`: a game as machine code."""

from __future__ import annotations

import json as json_module
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.cli.options import Game, Json, Split

if TYPE_CHECKING:
    from semisplit.rbg.native.interface.build import Emitted


class Emit(StrEnum):
    """What can be printed of a game on its way to machine code."""

    GRAPH = "graph"
    REGIONS = "regions"
    IR = "ir"
    ASM = "asm"


def compile_(
    game: Game,
    split: Split = None,
    emit: Annotated[
        Emit | None,
        typer.Option(
            help="Print a stage: the rules as a graph with what is known about it, the regions"
            " between modifiers, the optimised LLVM IR, or the assembly."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compile a game and keep it in the cache, or print a stage of that."""
    import semisplit
    from semisplit.cli.rbg import rbg_rules
    from semisplit.rbg.native.interface.compile import emit_game
    from semisplit.runtime import cache

    loaded = semisplit.load(game, split)
    about = {"game": loaded.name, "split": str(loaded.split) if loaded.split else None}
    if emit is not None:
        rules = rbg_rules(loaded)
        stage = _stage(emit_game(rules.description, rules.divided, rules.strategy), emit)
        print(json_module.dumps({**about, emit.value: stage}) if json else stage)
        return
    begin = time.perf_counter()
    compiled = loaded.compiled
    seconds = time.perf_counter() - begin
    size, folder = compiled.facts.state_bytes, str(cache.directory())
    if json:
        data = {**about, "seconds": seconds, "state_bytes": size, "cache": folder}
        print(json_module.dumps(data))
        return
    mode = f"split {loaded.split}" if loaded.split else "orthodox"
    print(
        f"{loaded.name}, {mode}: ready in {seconds:.3f} s, {size} bytes per state,"
        f" cached in {folder}"
    )


def _stage(emitted: Emitted, emit: Emit) -> str:
    """A stage of a game as text."""
    from semisplit.rbg.native.analysis.text import Printer
    from semisplit.runtime.build import llvm_errors
    from semisplit.runtime.target import Target

    program = emitted.program
    match emit:
        case Emit.GRAPH:
            return Printer(program.game).game()
        case Emit.REGIONS:
            return program.regions.text(Printer(program.game))
    with llvm_errors(emitted.description.source.name):
        code, target = str(program.module.ir), Target.host()
        return target.optimised(code) if emit == Emit.IR else target.assembly(code)
