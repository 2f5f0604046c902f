"""Simulations in which each player follows a policy.

A player who has a choice draws a sample of what can be done, in random order, and takes the first
of those to which the policy gives the highest value; now and then something at random. Where
several players decide at once, what a policy looks at is the state after one's own step and a
random choice of the others.
"""

from __future__ import annotations

import numpy as np

from semisplit.compiler.runtime.abi import SCORES, End, Status
from semisplit.search.engine.candidates import (
    FAILED,
    candidate,
    list_candidates,
    make,
    player_of,
    read_scores,
    state_at,
)
from semisplit.search.engine.layout import MOVES, NOTES, STATUS, Workspace
from semisplit.search.engine.records import TraceRecord
from semisplit.search.engine.simulate import find_move, has_trace, trace_walk, write_trace
from semisplit.search.engine.toolkit.kernel import call_each, copy_bytes, kernel, ticks
from semisplit.search.engine.toolkit.random import below, real
from semisplit.search.engine.toolkit.record import (
    Array,
    address_of,
    address_of_record,
    i4,
    i8,
    integers_at,
    part_of,
    size_of,
    u8,
)
from semisplit.search.features.policies.choice import choose_policies, count_trials
from semisplit.search.features.policies.hooks import move_made, state_reached
from semisplit.search.features.policies.record import (
    GUIDE,
    PolicyRecord,
    after,
    call_policy,
    policies_at,
    workspace,
)
from semisplit.search.features.policies.settings import SimulationPolicy

_RANDOM = SimulationPolicy.RANDOM.value
_LONG_GAME, _MUCH_WORK = Status.LONG_GAME.value, Status.MUCH_WORK.value
_END_NOTHING, _END_MOVE, _NOTE = End.NOTHING.value, End.MOVE.value, size_of(TraceRecord)
_OVER = -1


def playouts(state: int, seed: u8, count: int, sums: Array[i8], context: Array[i8]) -> None:
    """Do what `orthodox_playouts` of compiled games does, as policies want it."""
    p = policies_at(context[GUIDE])
    s = workspace(p)
    copy_bytes(p.start, state, s.rules.state_bytes)
    for number in range(count):
        s.worker.random = seed + np.uint64(number)
        copy_bytes(state_at(s, 0), p.start, s.rules.state_bytes)
        if not _play_out(s, p):
            context[STATUS] = s.worker.failure
            return
        final = integers_at(state_at(s, 0) + SCORES)
        for player in range(s.rules.players):
            sums[player] += final[player]
        context[MOVES] += s.worker.moves
    if s.settings.traced:
        size = s.worker.trace_length * _NOTE
        copy_bytes(context[NOTES], address_of(s.worker.trace, 0), size)
        context[NOTES] += size
    copy_bytes(state, state_at(s, 0), s.rules.state_bytes)


@kernel
def _play_out(s: Workspace, p: PolicyRecord) -> bool:
    """Play from the state at level 0 to the end, and learn from it; did it come to that?"""
    worker = s.worker
    worker.moves = 0
    worker.trace_length = 0
    worker.failure = 0
    worker.context[STATUS] = 0
    p.made_count = 0
    p.begun_count = 0
    choose_policies(s, p)
    while player_of(state_at(s, 0)) != 0:
        made = _move_by_semimoves(s, p) if p.walks else _move(s, p)
        if made == _OVER:
            break
        if made == FAILED:
            return False
        if made:
            worker.moves += 1
            if ticks() >= worker.clock.deadline:
                worker.failure = _MUCH_WORK
                return False
            if worker.moves >= s.settings.max_moves:
                worker.failure = _LONG_GAME
                return False
            state_reached(s, p)
            if below(s, worker.moves) == 0:
                copy_bytes(p.sampled_state, state_at(s, 0), s.rules.state_bytes)
    read_scores(s, state_at(s, 0))
    count_trials(s, p)
    for i in range(p.policy_count):
        learn = p.learn[p.policies[i]]
        if learn and worker.moves > 0:
            call_policy(learn, (address_of_record(p), 0))
    return True


@kernel
def _policy(s: Workspace, p: PolicyRecord) -> int:
    """The policy by which to choose in the state at level 0, unless something is drawn."""
    policy = p.policies[p.chosen[player_of(state_at(s, 0)) - 1]]
    if policy != _RANDOM and real(s) < p.parameters.chance:
        return _RANDOM
    return policy


@kernel
def _move(s: Workspace, p: PolicyRecord) -> int:
    """Choose from a list and go on: 1 if the state is nodal then, 0 if not, _OVER if none."""
    worker, player = s.worker, player_of(state_at(s, 0))
    worker.lists.buffer_top = 0
    worker.lists.top = 0
    if p.begun_count == 0:
        copy_bytes(p.nodal, state_at(s, 0), s.rules.state_bytes)
    count = list_candidates(s, s.rules.list_simulation, 0)
    if count == FAILED:
        return FAILED
    if count == 0:
        return _OVER
    policy = _RANDOM if count == 1 else _policy(s, p)
    number = 0
    if policy == _RANDOM:
        number = below(s, count)
    else:
        p.count = min(count, p.parameters.sample)
        _draw_sample(s, p.count, count)
        if p.looks[policy] and not _look(s, p):
            return FAILED
        number = _best(s, p, policy, player)
    steps, length = candidate(s, 0, number)
    if not has_trace(s, length):
        return FAILED
    is_nodal = 1
    if policy != _RANDOM and p.looks[policy] and not s.rules.choosers:
        copy_bytes(state_at(s, 0), after(p, number), s.rules.state_bytes)
    else:
        is_nodal = make(s, 0, steps, length)
        if is_nodal == FAILED:
            return FAILED
        copy_bytes(state_at(s, 0), state_at(s, 1), s.rules.state_bytes)
    if is_nodal:
        p.begun_count = 0
    else:
        p.begun[p.begun_count] = steps[0]
        p.begun_count += 1
    write_trace(s, steps, length, player, is_nodal != 0)
    move_made(s, p, player, steps, length)
    return is_nodal


@kernel
def _draw_sample(s: Workspace, size: int, count: int) -> None:
    """Let the first candidates be some that are drawn, in random order."""
    candidates = s.worker.lists.candidates
    for i in range(size):
        j = i + below(s, count - i)
        candidates[i], candidates[j] = candidates[j], candidates[i]


@kernel
def _look(s: Workspace, p: PolicyRecord) -> bool:
    """Find the states after candidates; if others decide at once, they do at random."""
    if p.apply_each:
        return _look_at_all(s, p)
    done = True
    for i in range(p.count):
        done &= _look_at(s, p, i) != FAILED
    return done


@kernel
def _look_at_all(s: Workspace, p: PolicyRecord) -> bool:
    """Find the states after all candidates at once."""
    worker, state = s.worker, state_at(s, 0)
    levels = 1
    if s.rules.choosers:
        state = p.nodal
        levels = _list_others(s)
        if levels == FAILED:
            return False
    place = 0
    for i in range(p.count):
        first, place = place, place + 1
        for j in range(p.begun_count):
            p.listed[place] = p.begun[j]
            place += 1
        for level in range(levels):
            number = i if level == 0 else below(s, worker.levels[level].count)
            steps, length = candidate(s, level, number)
            for j in range(length):
                p.listed[place] = steps[j]
                place += 1
        p.listed[first] = place - first - 1
    context = address_of(worker.context, 0)
    call_each(p.apply_each, (state, address_of(p.listed, 0), p.count, p.afters, context))
    return True


@kernel
def _list_others(s: Workspace) -> int:
    """List the steps of the players who decide after the one in control, on the levels above.

    Returns the number of levels, the first one included. Steps do not depend on those of
    other players.
    """
    level = 0
    while True:
        steps, length = candidate(s, level, 0)
        is_nodal = make(s, level, steps, length)
        if is_nodal != 0:
            return FAILED if is_nodal == FAILED else level + 1
        level += 1
        if list_candidates(s, s.rules.list_simulation, level) == FAILED:
            return FAILED


@kernel
def _look_at(s: Workspace, p: PolicyRecord, number: int) -> int:
    """Find the state after a candidate."""
    worker = s.worker
    steps, length = candidate(s, 0, number)
    is_nodal = make(s, 0, steps, length)
    level = 1
    if is_nodal == 0:
        buffer_top, candidate_top = worker.lists.buffer_top, worker.lists.top
        more = find_move(s, 1, s.rules.list_simulation, 0, False)
        worker.lists.buffer_top, worker.lists.top = buffer_top, candidate_top
        if more == FAILED:
            return FAILED
        level += more
    copy_bytes(after(p, number), state_at(s, level), s.rules.state_bytes)
    return is_nodal


@kernel
def _best(s: Workspace, p: PolicyRecord, policy: int, player: int) -> int:
    """The first of the candidates with the highest value. What ends the game is worth its score."""
    call_policy(p.evaluate[policy], (address_of_record(p), player))
    best, highest = 0, -1.0
    for i in range(p.count):
        value = p.values[i]
        if p.looks[policy] and player_of(after(p, i)) == 0:
            value = integers_at(after(p, i) + SCORES)[player - 1] / s.rules.bounds[player - 1]
        if value > highest:
            best, highest = i, value
    return best


@kernel
def _move_by_semimoves(s: Workspace, p: PolicyRecord) -> int:
    """Choose among moves that are drawn by semimoves, with backtracking, and not listed."""
    worker, player = s.worker, player_of(state_at(s, 0))
    policy = _policy(s, p)
    p.count = 1 if policy == _RANDOM else p.parameters.sample
    for i in range(p.count):
        worker.lists.buffer_top = 0
        worker.lists.top = 0
        walk = find_move(s, 0, s.rules.list_simulation, 0, False)
        if walk == FAILED:
            return FAILED
        if walk == 0:
            return _OVER
        copy_bytes(after(p, i), state_at(s, walk), s.rules.state_bytes)
        if not _keep_walk(s, p, i, walk):
            return FAILED
    best = 0 if policy == _RANDOM else _best(s, p, policy, player)
    steps, length = walk_steps(s, p, best), p.walk_lengths[best]
    ends = part_of(p.walk_ends, best * s.settings.max_length)
    for i in range(length):
        note = worker.trace[worker.trace_length + i]
        note.step = steps[i]
        note.player = player
        note.end = ends[i]
    worker.trace_length += length
    move_made(s, p, player, steps, length)
    copy_bytes(state_at(s, 0), after(p, best), s.rules.state_bytes)
    return 1


@kernel
def walk_steps(s: Workspace, p: PolicyRecord, number: int) -> Array[i4]:
    """The steps of a candidate that was drawn by semimoves."""
    return part_of(p.walk_steps, number * s.settings.max_length)


@kernel
def _keep_walk(s: Workspace, p: PolicyRecord, number: int, walk: int) -> bool:
    """Keep the move that `find_move` has found as a candidate; False if there is no room."""
    worker, begin = s.worker, s.worker.trace_length
    if not has_trace(s, s.settings.max_length):
        return False
    trace_walk(s, 0, walk)
    length, first = worker.trace_length - begin, number * s.settings.max_length
    for i in range(length):
        note = worker.trace[begin + i]
        p.walk_steps[first + i] = note.step
        p.walk_ends[first + i] = note.end
    p.walk_lengths[number] = length
    worker.trace_length = begin
    return True
