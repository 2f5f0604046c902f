"""`semisplit compile`: a game as machine code."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Annotated

import typer

from semisplit.cli.options import Game, Split


class Emit(StrEnum):
    """What can be printed of a compiled game."""

    IR = "ir"
    ASM = "asm"


def compile_(
    game: Game,
    split: Split = None,
    emit: Annotated[
        Emit | None, typer.Option(help="Print the optimised LLVM IR, or the assembly.")
    ] = None,
) -> None:
    """Compile a game and keep it in the cache, or print its code."""
    import semisplit
    from semisplit.rbg.description import parse
    from semisplit.rbg.native.interface.compile import compile_game, emit_game, llvm_errors
    from semisplit.rbg.split import SplitStrategy
    from semisplit.runtime import cache
    from semisplit.runtime.target import assembly, optimised

    strategy = SplitStrategy.parse(split) if split is not None else None
    text, name = semisplit.read_description(game)
    if emit is not None:
        code = str(emit_game(parse(text, name), strategy).module.ir)
        with llvm_errors(name):
            print(optimised(code) if emit == Emit.IR else assembly(code))
        return
    begin = time.perf_counter()
    compiled = compile_game(text, name, strategy)
    seconds = time.perf_counter() - begin
    print(
        f"{name}, {f'split {strategy}' if strategy else 'orthodox'}: ready in {seconds:.3f} s,"
        f" {compiled.layout.bytes} bytes per state, cached in {cache.directory()}"
    )
