"""`semisplit compile`: a game as machine code."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.cli.options import Game, Split

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
) -> None:
    """Compile a game and keep it in the cache, or print a stage of that."""
    import semisplit
    from semisplit.rbg.description import parse
    from semisplit.rbg.native.interface.compile import compile_game, emit_game
    from semisplit.rbg.split import SplitStrategy
    from semisplit.runtime import cache

    strategy = SplitStrategy.parse(split) if split is not None else None
    text, name = semisplit.read_description(game)
    if emit is not None:
        print(_stage(emit_game(parse(text, name), strategy), emit))
        return
    begin = time.perf_counter()
    compiled = compile_game(text, name, strategy)
    seconds = time.perf_counter() - begin
    print(
        f"{name}, {f'split {strategy}' if strategy else 'orthodox'}: ready in {seconds:.3f} s,"
        f" {compiled.layout.bytes} bytes per state, cached in {cache.directory()}"
    )


def _stage(emitted: Emitted, emit: Emit) -> str:
    """A stage of a game as text."""
    from semisplit.rbg.native.analysis.text import Printer
    from semisplit.rbg.native.interface.compile import llvm_errors
    from semisplit.runtime.target import assembly, optimised

    program = emitted.program
    match emit:
        case Emit.GRAPH:
            return Printer(program.game).game()
        case Emit.REGIONS:
            return program.regions.text(Printer(program.game))
    with llvm_errors(emitted.description.source.name):
        code = str(program.module.ir)
        return optimised(code) if emit == Emit.IR else assembly(code)
