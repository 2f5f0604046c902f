"""`semisplit compile`: a game as machine code."""

from __future__ import annotations

import json as json_module
import time
from typing import Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Game, Json, Split


@limited()
def compile_(
    game: Game,
    split: Split = None,
    dump_after: Annotated[
        str | None,
        typer.Option(
            "--dump-after",
            "--emit",
            metavar="PASS",
            help="Print what there is after a pass, from parse and split to ir, the optimised LLVM"
            " IR, and asm, the assembly. A wrong name lists all.",
            autocompletion=shell.passes,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compile a game and keep it in the cache, or print what there is after one of its passes."""
    import semisplit
    from semisplit.compiler.runtime import cache
    from semisplit.core.errors import InputError

    loaded = semisplit.load(game, split)
    about = {"game": loaded.name, "split": str(loaded.split) if loaded.split else None}
    if dump_after is not None:
        passes = {one.name: one for one in loaded.rules.language.passes(loaded.rules)}
        if dump_after not in passes:
            raise InputError(f"there is no pass '{dump_after}'; there are {', '.join(passes)}")
        text = passes[dump_after].text()
        print(json_module.dumps({**about, dump_after: text}) if json else text)
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
