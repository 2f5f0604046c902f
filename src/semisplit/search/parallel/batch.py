"""Batches: many leaves, or many playouts of a leaf, that are played together.

The playouts of a single leaf can be shared out among threads: one selects, the others help.
"""

from __future__ import annotations

import numpy as np

from semisplit.search.engine.candidates import FAILED, player_of, state_at
from semisplit.search.engine.descend import OVER
from semisplit.search.engine.expand import grow
from semisplit.search.engine.iterate import backpropagate, give_up, select
from semisplit.search.engine.layout import MOVES, STATUS, Workspace
from semisplit.search.engine.share import leave_tree, take_tree
from semisplit.search.engine.toolkit.atomic import (
    add_i8,
    add_released,
    exchange_i8,
    fetch_i8,
    publish_i8,
    wait,
)
from semisplit.search.engine.toolkit.kernel import (
    call_batch,
    call_playouts,
    copy_bytes,
    kernel,
    large_kernel,
    ticks,
)
from semisplit.search.engine.toolkit.random import draw
from semisplit.search.engine.toolkit.record import (
    address_of,
    address_of_record,
    i8,
    offset_of,
    part_of,
    size_of,
)
from semisplit.search.parallel.gpu import LOST, play_on_gpu
from semisplit.search.parallel.records import JobOfTree

_NEXT, _OVER, _END, _LEFT, _MOVES, _FAILURE = (
    offset_of(JobOfTree, name) for name in ("next", "over", "end", "left", "moves", "failure")
)
_PARTS, _SMALL = 4, 16
"""Parts for each thread, at most, and playouts in a part, at least, if there are several each."""
_LONG = size_of(i8)


@large_kernel
def iterate_batch(s: Workspace, most: int) -> int:
    """Select leaves, play them all, give the results back; how many playouts were completed?"""
    worker, settings = s.worker, s.settings
    playouts = min(settings.parallel.playouts, most)
    wanted = min(settings.parallel.batch, most // playouts)
    leaves, states, is_short = 0, 0, False
    take_tree(s)
    while leaves < wanted and not is_short:
        before = worker.counts.states
        _go_to(s, leaves)
        level = select(s)
        if level == FAILED:
            worker.counts.states = before
            give_up(s, False)
            is_short = True
        else:
            leaf = worker.batch.leaves[leaves]
            leaf.length, leaf.depth = worker.path_length, worker.depth
            leaf.states = worker.counts.states - before
            leaf.state = -1 if level == OVER else states
            if level == OVER:
                _keep_scores(s, leaves)
            else:
                place = worker.batch.states + states * s.rules.state_bytes
                copy_bytes(place, state_at(s, level), s.rules.state_bytes)
                worker.batch.seeds[states] = draw(s)
                states += 1
            leaves += 1
    leave_tree(s)
    begin = ticks()
    if states > 0:
        _play(s, states, playouts)
    worker.clock.simulation_ticks += ticks() - begin
    take_tree(s)
    done = 0
    for number in range(leaves):
        _go_to(s, number)
        done += _give_back(s, number, playouts)
    leave_tree(s)
    return done


@kernel
def _go_to(s: Workspace, leaf: int) -> None:
    """Let the way be that to a leaf of the batch."""
    s.worker.path = part_of(s.worker.batch.paths, leaf * s.worker.path_size)


@kernel
def _keep_scores(s: Workspace, leaf: int) -> None:
    """Keep the scores of a leaf in which the game is over."""
    players = s.rules.players
    for player in range(players):
        s.worker.batch.over_scores[leaf * players + player] = s.worker.scores[player]


@kernel
def _give_back(s: Workspace, number: int, playouts: int) -> int:
    """Give the results of a leaf back, if there are any; how many were there?"""
    worker, players = s.worker, s.rules.players
    leaf = worker.batch.leaves[number]
    worker.path_length, worker.depth = leaf.length, leaf.depth
    if leaf.state >= 0 and worker.batch.sums[leaf.state * players] == LOST:
        worker.counts.states -= leaf.states
        give_up(s, True)
        return 0
    for player in range(players):
        if leaf.state < 0:
            worker.scores[player] = playouts * worker.batch.over_scores[number * players + player]
        else:
            total = worker.batch.sums[leaf.state * players + player]
            worker.scores[player] = total / s.rules.bounds[player]
    worker.counts.failures = 0
    if worker.growth.pending:
        grow(s, player_of(state_at(s, 1 + worker.growth.walk)) == 0)
    backpropagate(s, playouts)
    return playouts


@kernel
def _play(s: Workspace, states: int, playouts: int) -> None:
    """Play some leaves; of those that were given up the sums are lost."""
    worker, context, players = s.worker, s.worker.context, s.rules.players
    for i in range(states * players):
        worker.batch.sums[i] = 0
    context[MOVES] = 0
    # Games with lanes make many playouts in the time of one.
    if s.settings.parallel.gpu:
        play_on_gpu(s, states, playouts)
    elif states == 1 and s.tree.job.sharers > 1 and not s.rules.batch_playouts:
        _share_out(s, playouts)
    elif s.rules.batch_playouts:
        place, seeds = worker.batch.states, address_of(worker.batch.seeds, 0)
        sums = address_of(worker.batch.sums, 0)
        call_batch(
            s.rules.batch_playouts,
            (place, states, seeds, playouts, sums, address_of(context, 0)),
        )
        _check(s, 0, states)
    else:
        for i in range(states):
            place = worker.batch.states + i * s.rules.state_bytes
            sums = address_of(worker.batch.sums, i * players)
            call_playouts(
                s.rules.playouts,
                (place, worker.batch.seeds[i], playouts, sums, address_of(context, 0)),
            )
            _check(s, i, 1)
    worker.counts.states += context[MOVES]


@kernel
def _check(s: Workspace, first: int, count: int) -> None:
    """Note if the playouts of some leaves were given up."""
    worker, context = s.worker, s.worker.context
    if context[STATUS] != 0:
        worker.failure = context[STATUS]
        context[STATUS] = 0
        for i in range(first, first + count):
            worker.batch.sums[i * s.rules.players] = LOST


# Helping


@kernel
def _share_out(s: Workspace, playouts: int) -> None:
    """Share the playouts of the only leaf out among all threads that help.

    A playout depends on its number alone, so it does not matter which thread makes it.
    """
    tree, worker, record = s.tree, s.worker, address_of_record(s.tree.job)
    few, many = tree.job.sharers, _PARTS * tree.job.sharers
    tree.job.parts = min(playouts, max(few, min(many, playouts // _SMALL)))
    tree.job.left = tree.job.parts
    tree.job.state = worker.batch.states
    tree.job.seed = worker.batch.seeds[0]
    tree.job.count = playouts
    tree.job.sums = address_of(worker.batch.sums, 0)
    tree.job.moves = 0
    tree.job.failure = 0
    # Parts are numbered through all leaves, so whatever a thread takes is of the current leaf.
    publish_i8(record + _END, fetch_i8(record + _NEXT) + tree.job.parts)
    while _play_part(s):
        pass
    tries = 0
    while fetch_i8(record + _LEFT) != 0:
        tries = wait(tries)
    worker.context[MOVES] = tree.job.moves
    worker.context[STATUS] = tree.job.failure
    _check(s, 0, 1)


@kernel
def _play_part(s: Workspace) -> bool:
    """Play one of the parts that are left, and add up what comes of it; was there any?"""
    tree, worker, context, players = s.tree, s.worker, s.worker.context, s.rules.players
    record = address_of_record(tree.job)
    number = fetch_i8(record + _NEXT)
    end = fetch_i8(record + _END)
    if number >= end or not exchange_i8(record + _NEXT, number, number + 1):
        return number < end
    part = tree.job.parts - (end - number)
    first = tree.job.count * part // tree.job.parts
    count = tree.job.count * (part + 1) // tree.job.parts - first
    # Behind those of leaves there is room for one more.
    state = worker.batch.states + s.settings.parallel.batch * s.rules.state_bytes
    sums = part_of(worker.batch.sums, s.settings.parallel.batch * players)
    copy_bytes(state, tree.job.state, s.rules.state_bytes)
    for player in range(players):
        sums[player] = 0
    context[MOVES] = 0
    seed = tree.job.seed + np.uint64(first)
    call_playouts(
        s.rules.playouts, (state, seed, count, address_of(sums, 0), address_of(context, 0))
    )
    for player in range(players):
        add_i8(tree.job.sums + player * _LONG, sums[player])
    add_i8(record + _MOVES, context[MOVES])
    if context[STATUS] != 0:
        publish_i8(record + _FAILURE, context[STATUS])
        context[STATUS] = 0
    add_released(record + _LEFT, -1)
    return True


@kernel
def help_out(s: Workspace) -> None:
    """Play parts of playouts that another thread shares out, until there are no more."""
    tries = 0
    while fetch_i8(address_of_record(s.tree.job) + _OVER) == 0:
        tries = 0 if _play_part(s) else wait(tries)


@kernel
def dismiss_helpers(s: Workspace) -> None:
    """Let the helping threads end, as there is nothing more to do."""
    publish_i8(address_of_record(s.tree.job) + _OVER, 1)
