"""`semisplit perft`: the size of the game tree."""

from __future__ import annotations

import json as json_module
import signal
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.cli.options import Game, Json, Split
from semisplit.cli.rbg import rbg_rules
from semisplit.core.work import doing, limited, uncounted

if TYPE_CHECKING:
    import semisplit as package


def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(min=0, max=500, help="How many moves deep.")],
    split: Split = None,
    json: Json = False,
) -> None:
    """Count the positions after DEPTH moves (with --split, moves are made of semimoves)."""
    import semisplit
    from semisplit.rbg.language import RbgRules

    # Nothing is lost, so Ctrl-C need not wait until compiled code returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with limited():
        loaded = semisplit.load(game, split)
        if loaded.split is None:
            loaded.initial_state()
        start = time.perf_counter()
        of_language = _count_rbg if isinstance(loaded.rules, RbgRules) else _count_gdl
        counts = of_language(loaded, depth)
        seconds = round(time.perf_counter() - start, 3)
        if json:
            print(json_module.dumps({"game": game, "depth": depth, **counts, "seconds": seconds}))
            return
        told = ", ".join(f"{_told(value)} {name}" for name, value in counts.items())
        print(f"{game}, depth {depth}: {told}, {seconds} s")
        if loaded.split and depth:
            _tell_semimoves(loaded, depth)


def _told(value: int | tuple[int, ...]) -> str:
    return f"{value:,}" if isinstance(value, int) else " + ".join(f"{one:,}" for one in value)


def _count_rbg(game: package.Game, depth: int) -> dict[str, Any]:
    from semisplit.rbg.count import perft as count
    from semisplit.rbg.native.interface.count import perft as native_count
    from semisplit.runtime.reasoner import CompiledReasoner

    rules, reasoner = rbg_rules(game).interpreter, None if game.split else game.reasoner
    with uncounted(), doing("counting") as stage:
        if isinstance(reasoner, CompiledReasoner):
            compiled = reasoner.compiled
            result = native_count(compiled, compiled.codec.pack(rules.start), depth, stage)
        else:
            # If moves are split, by the interpreter: the split of the rules is to be proven.
            mod = game.split.mod if game.split else None
            result = count(rules, rules.start, depth, mod=mod, stage=stage)
    return result._asdict()


def _count_gdl(game: package.Game, depth: int) -> dict[str, Any]:
    from semisplit.gdl.count import perft as count

    with uncounted(), doing("counting") as stage:
        return count(game.reasoner, game.rules, depth, stage)._asdict()


def _tell_semimoves(game: package.Game, depth: int) -> None:
    from semisplit.rbg.count import semimove_tree

    assert game.split is not None
    rules = rbg_rules(game).interpreter
    with uncounted(), doing(f"counting the semimoves of move {depth}"):
        tree = semimove_tree(rules, rules.start, depth, mod=game.split.mod)
    stages = " / ".join(f"{stage:,}" for stage in tree.stages)
    print(f"semimoves of move {depth}: {stages} ({tree.dead_ends:,} dead ends)")
