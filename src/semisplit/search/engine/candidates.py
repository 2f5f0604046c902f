"""Listing and making (semi)moves.

Kernels know a (semi)move by the array of its steps' codes and their number.
"""

from __future__ import annotations

from semisplit.compiler.runtime.abi import PLAYER, SCORES
from semisplit.search.engine.layout import (
    BUFFER,
    ENOUGH,
    FOUND,
    PLACES,
    STATUS,
    WORK,
    WRITTEN,
    Workspace,
)
from semisplit.search.engine.records import EdgeRecord
from semisplit.search.engine.toolkit.kernel import call_list, call_steps, copy_bytes, kernel
from semisplit.search.engine.toolkit.record import (
    Array,
    address_of,
    i4,
    integers_at,
    offset_of,
    part_of,
)

FAILED = -2
"""A limit was hit; the iteration is given up."""
LONG_LIST = 100
"""The reason if there is no room for a list of moves; others are those of compiled games."""
_STEPS_IN_EDGE = offset_of(EdgeRecord, "steps")


@kernel
def state_at(s: Workspace, level: int) -> int:
    """The address of the state of a level."""
    return s.worker.stack + level * s.rules.state_bytes


@kernel
def player_of(state: int) -> int:
    """Who is in control in a state: a player from 1, or the keeper, 0, if the game is over."""
    return integers_at(state + PLAYER)[0]


@kernel
def read_scores(s: Workspace, state: int) -> None:
    """Take the final scores from a state, each as a part of the player's bound."""
    values = integers_at(state + SCORES)
    scores, bounds = s.worker.scores, s.rules.bounds
    for player in range(s.rules.players):
        scores[player] = values[player] / bounds[player]


@kernel
def list_candidates(s: Workspace, function: int, level: int) -> int:
    """List what can be done in the state of a level with a function of the game; how much is it?

    The lists of lower levels are kept. The game knows of a list only while it writes it: whatever
    is called next cannot write over it.
    """
    worker, context, here = s.worker, s.worker.context, s.worker.levels[level]
    here.first = worker.lists.top
    here.buffer = worker.lists.buffer_top
    here.flat = function == s.rules.list_actions
    if worker.lists.top + s.rules.codes > worker.lists.size:
        worker.failure = LONG_LIST
        return FAILED
    candidates = address_of(worker.lists.candidates, here.first)
    context[BUFFER] = candidates if here.flat else address_of(worker.lists.buffer, here.buffer)
    context[PLACES] = candidates
    context[ENOUGH] = worker.lists.size - here.first
    for _ in range(s.settings.overhead):
        context[FOUND] = 0
        context[WRITTEN] = 0
        context[WORK] = s.settings.max_work
        call_list(function, (state_at(s, level), address_of(context, 0)))
    context[BUFFER] = 0
    context[PLACES] = 0
    if context[STATUS] != 0:
        worker.failure = context[STATUS]
        return FAILED
    here.count = context[FOUND]
    if not here.flat:
        worker.lists.buffer_top += context[WRITTEN] >> 2
        if worker.lists.buffer_top > worker.lists.buffer_size or here.count >= context[ENOUGH]:
            worker.failure = LONG_LIST
            return FAILED
    worker.lists.top += here.count
    return here.count


@kernel
def forget_list(s: Workspace, level: int) -> None:
    """Free the room that the list of the topmost level takes."""
    s.worker.lists.buffer_top = s.worker.levels[level].buffer
    s.worker.lists.top = s.worker.levels[level].first


@kernel
def remove_candidate(s: Workspace, level: int, number: int) -> None:
    """Drop a candidate that has turned out dead."""
    here, candidates = s.worker.levels[level], s.worker.lists.candidates
    here.count -= 1
    candidates[here.first + number] = candidates[here.first + here.count]


@kernel
def candidate(s: Workspace, level: int, number: int) -> tuple[Array[i4], int]:
    """The steps of a candidate, and how many they are."""
    here = s.worker.levels[level]
    if here.flat:
        return part_of(s.worker.lists.candidates, here.first + number), 1
    place = here.buffer + s.worker.lists.candidates[here.first + number]
    return part_of(s.worker.lists.buffer, place + 1), s.worker.lists.buffer[place]


@kernel
def edge_steps(s: Workspace, edge: int) -> tuple[Array[i4], int]:
    """The steps of an edge, and how many they are."""
    steps = s.tree.edges[edge].steps
    if steps >= 0:
        return integers_at(address_of(s.tree.edges, edge) + _STEPS_IN_EDGE), 1
    place = -1 - steps
    return part_of(s.tree.steps, place + 1), s.tree.steps[place]


@kernel
def apply(s: Workspace, state: int, steps: Array[i4], length: int) -> int:
    """Make a (semi)move in a state; returns 1 if it is nodal then, 0 if not, or FAILED."""
    context = s.worker.context
    context[WORK] = s.settings.max_work
    codes = address_of(steps, 0)
    is_nodal = call_steps(s.rules.apply, (state, codes, length, address_of(context, 0)))
    if context[STATUS] != 0:
        s.worker.failure = context[STATUS]
        return FAILED
    return is_nodal


@kernel
def make(s: Workspace, level: int, steps: Array[i4], length: int) -> int:
    """Make a (semi)move from the state of a level to that of the next; the result is as above."""
    state, is_nodal = state_at(s, level + 1), 0
    for _ in range(s.settings.overhead):
        copy_bytes(state, state_at(s, level), s.rules.state_bytes)
        is_nodal = apply(s, state, steps, length)
    return is_nodal
