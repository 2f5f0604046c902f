"""Counting what the rules generate with compiled games, as `play.count` does it slowly."""

from __future__ import annotations

from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.core.work import Stage
from semisplit.language.rbg.play.count import Perft, tell_progress


def perft(game: CompiledGame, state: bytes, depth: int, stage: Stage | None = None) -> Perft:
    """Count the positions after `depth` player moves; keeper moves cost no depth.

    The stage tells how far it is.
    """
    state = game.run_keeper(state)
    if depth == 0:
        return Perft(1, 1)
    if game.player(state) == 0:
        return Perft(0, 1)
    if depth == 1:
        moves = game.count_moves(state)
        return Perft(moves, 1 + moves)
    leaves, nodes = 0, 1
    listed = game.moves(state)
    for place, move in enumerate(listed):
        tell_progress(stage, leaves, place, len(listed))
        after = game.play(state, move)
        assert after is not None
        below = perft(game, after, depth - 1)
        leaves += below.leaves
        nodes += below.nodes
    return Perft(leaves, nodes)
