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
    from semisplit.cli.rbg import rbg_rules
    from semisplit.rbg.native.interface.compile import emit_game, llvm_errors
    from semisplit.runtime import cache
    from semisplit.runtime.target import Target

    loaded = semisplit.load(game, split)
    if emit is not None:
        rules = rbg_rules(loaded)
        code = str(emit_game(rules.description, rules.divided, rules.strategy).module.ir)
        target = Target.host()
        with llvm_errors(loaded.name):
            print(target.optimised(code) if emit == Emit.IR else target.assembly(code))
        return
    begin = time.perf_counter()
    compiled = loaded.compiled
    seconds = time.perf_counter() - begin
    mode = f"split {loaded.split}" if loaded.split else "orthodox"
    print(
        f"{loaded.name}, {mode}: ready in {seconds:.3f} s,"
        f" {compiled.facts.state_bytes} bytes per state, cached in {cache.directory()}"
    )
