"""`semisplit perft`: the size of the game tree."""

from __future__ import annotations

import json as json_module
import math
import signal
import time
from typing import Annotated

import typer

from semisplit.cli.options import Game, Json, Split
from semisplit.core.work import doing, limited


def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(min=0, max=500, help="How many moves deep.")],
    split: Split = None,
    json: Json = False,
) -> None:
    """Count the positions after DEPTH moves (with --split, moves are made of semimoves)."""
    import semisplit
    from semisplit.cli.rbg import rbg_rules
    from semisplit.rbg.count import perft as count
    from semisplit.rbg.count import semimove_tree
    from semisplit.rbg.native.interface.count import perft as native_count
    from semisplit.runtime.reasoner import CompiledReasoner

    # Nothing is lost, so Ctrl-C need not wait until compiled code returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with limited():
        loaded = semisplit.load(game, split)
        rules = rbg_rules(loaded).interpreter
        if loaded.split is None:
            loaded.reasoner.run_keeper(rules.start)
    start = time.perf_counter()
    with limited(more_seconds=math.inf), doing("counting") as stage:
        if loaded.split is not None:
            # By the interpreter, for it is the split of the rules that is to be proven.
            result = count(rules, rules.start, depth, mod=loaded.split.mod, stage=stage)
        elif isinstance(loaded.reasoner, CompiledReasoner):
            compiled = loaded.reasoner.compiled
            result = native_count(compiled, compiled.codec.pack(rules.start), depth, stage)
        else:
            result = count(rules, rules.start, depth, stage=stage)
    seconds = round(time.perf_counter() - start, 3)
    if json:
        counts = {"leaves": result.leaves, "nodes": result.nodes}
        print(json_module.dumps({"game": game, "depth": depth, **counts, "seconds": seconds}))
        return
    print(f"{game}, depth {depth}: {result.leaves:,} leaves, {result.nodes:,} nodes, {seconds} s")
    if loaded.split and depth:
        with limited(more_seconds=math.inf), doing(f"counting the semimoves of move {depth}"):
            tree = semimove_tree(rules, rules.start, depth, mod=loaded.split.mod)
        stages = " / ".join(f"{stage:,}" for stage in tree.stages)
        print(f"semimoves of move {depth}: {stages} ({tree.dead_ends:,} dead ends)")
