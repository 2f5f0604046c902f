"""`semisplit perft`: the size of the game tree."""

from __future__ import annotations

import json as json_module
import signal
import time
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.core.work import doing, limited, uncounted
from semisplit.ui.cli.options import Game, Json, Split

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

    # Nothing is lost, so Ctrl-C need not wait until compiled code returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with limited():
        loaded = semisplit.load(game, split)
        if loaded.split is None:
            loaded.initial_state()
        start = time.perf_counter()
        rules = loaded.rules
        # If moves are split, by the interpreter: the split of the rules is to be proven.
        reasoner = None if loaded.split else loaded.reasoner
        with uncounted(), doing("counting") as stage:
            counts = rules.language.perft(rules, reasoner, depth, stage)
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


def _tell_semimoves(game: package.Game, depth: int) -> None:
    with uncounted(), doing(f"counting the semimoves of move {depth}"):
        tree = game.rules.language.semimove_tree(game.rules, depth)
    stages = " / ".join(f"{stage:,}" for stage in tree.stages)
    print(f"semimoves of move {depth}: {stages} ({tree.dead_ends:,} dead ends)")
