"""The moves of the best line's playout, of which nothing is kept but its seed."""

from __future__ import annotations

from semisplit.search.engine.layout import MAX_MOVES, STATUS
from semisplit.search.engine.toolkit.kernel import call_playouts, kernel
from semisplit.search.engine.toolkit.record import address_of
from semisplit.search.multitree.kernels.memory import Workplace
from semisplit.search.multitree.kernels.positions import (
    copy_state,
    follow,
    list_moves,
    listed_move,
)


@kernel
def replay(s: Workplace) -> None:
    """Make the playout again and again, each time by one move longer; its moves follow the line's.

    They have been made before, so no limit is hit.
    """
    rules, forest, worker = s.rules, s.forest, s.worker
    context, usual = worker.context, worker.context[MAX_MOVES]
    copy_state(s, worker.state, forest.best_state)
    for number in range(forest.best_playout):
        copy_state(s, worker.final, forest.best_state)
        context[MAX_MOVES] = number + 1
        final, sums = address_of(worker.final, 0), address_of(worker.sums, 0)
        call_playouts(rules.playouts, (final, forest.best_seed, 1, sums, address_of(context, 0)))
        context[STATUS] = 0
        forest.best_moves[forest.best_length + number] = _move_to_final(s)
        copy_state(s, worker.state, worker.tried)
    context[MAX_MOVES] = usual


@kernel
def _move_to_final(s: Workplace) -> int:
    """A move from `state` that leads to `final`; the state after it is `tried`."""
    rules, worker = s.rules, s.worker
    place, left, move = 0, list_moves(s, worker.state), 0
    while left > 0:
        move, left = listed_move(s, place), left - 1
        follow(s, worker.state, move)
        same = True
        for i in range(rules.first_bits, rules.first_bits + rules.bit_words):
            same = same and worker.tried[i] == worker.final[i]
        if same:
            break
        place += 1
    return move
