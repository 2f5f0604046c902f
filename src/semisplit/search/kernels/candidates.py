"""Listing and making (semi)moves.

Kernels know a (semi)move by the address of its steps and their number.
"""

from __future__ import annotations

from typing import Any

from semisplit.runtime.abi import PLAYER, SCORES
from semisplit.search.kernels.kernel import call_list, call_steps, copy_bytes, kernel
from semisplit.search.kernels.memory import (
    BUFFER,
    EDGE,
    ENOUGH,
    FOUND,
    PLACES,
    STATUS,
    WORK,
    WRITTEN,
    edges,
    integers,
    levels,
    long_integers,
    reals,
)

FAILED = -2
"""A limit was hit; the iteration is given up."""
_EDGE_SIZE, _STEPS_IN_EDGE = EDGE.itemsize, dict(EDGE.fields or {})["steps"][1]
LONG_LIST = 100
"""The reason if there is no room for a list of moves; others are those of compiled games."""


@kernel
def state_at(s: Any, level: int) -> int:
    """The address of the state of a level."""
    return s.stack + level * s.state_bytes


@kernel
def player_of(state: int) -> int:
    """Who is in control in a state: a player from 1, or the keeper, 0, if the game is over."""
    return integers(state + PLAYER)[0]


@kernel
def read_scores(s: Any, state: int) -> None:
    """Take the final scores from a state, each as a part of the player's bound."""
    values = integers(state + SCORES)
    scores, bounds = reals(s.scores), reals(s.bounds)
    for player in range(s.players):
        scores[player] = values[player] / bounds[player]


@kernel
def list_candidates(s: Any, function: int, level: int) -> int:
    """List what can be done in the state of a level with a function of the game; how much is it?

    The lists of lower levels are kept.
    """
    context, here = long_integers(s.context), levels(s)[level]
    here.first = s.candidate_top
    here.buffer = s.buffer_top
    here.flat = function == s.list_actions
    if s.candidate_top + s.words > s.candidate_size:
        s.failure = LONG_LIST
        return FAILED
    candidates = s.candidates + 4 * here.first
    context[BUFFER] = candidates if here.flat else s.buffer + 4 * here.buffer
    context[PLACES] = candidates
    context[ENOUGH] = s.candidate_size - here.first
    for _ in range(s.overhead):
        context[FOUND] = 0
        context[WRITTEN] = 0
        context[WORK] = s.max_work
        call_list(function, (state_at(s, level), s.context))
    if context[STATUS] != 0:
        s.failure = context[STATUS]
        return FAILED
    here.count = context[FOUND]
    if not here.flat:
        s.buffer_top += context[WRITTEN] >> 2
        if s.buffer_top > s.buffer_size or here.count >= context[ENOUGH]:
            s.failure = LONG_LIST
            return FAILED
    s.candidate_top += here.count
    return here.count


@kernel
def forget_list(s: Any, level: int) -> None:
    """Free the room that the list of the topmost level takes."""
    s.buffer_top = levels(s)[level].buffer
    s.candidate_top = levels(s)[level].first


@kernel
def remove_candidate(s: Any, level: int, number: int) -> None:
    """Drop a candidate that has turned out dead."""
    here, candidates = levels(s)[level], integers(s.candidates)
    here.count -= 1
    candidates[here.first + number] = candidates[here.first + here.count]


@kernel
def candidate(s: Any, level: int, number: int) -> tuple[int, int]:
    """The steps of a candidate, and how many they are."""
    here = levels(s)[level]
    if here.flat:
        return s.candidates + 4 * (here.first + number), 1
    place = here.buffer + integers(s.candidates)[here.first + number]
    return s.buffer + 4 * (place + 1), integers(s.buffer)[place]


@kernel
def edge_steps(s: Any, edge: int) -> tuple[int, int]:
    """The steps of an edge, and how many they are."""
    steps = edges(s)[edge].steps
    if steps >= 0:
        return s.edges + edge * _EDGE_SIZE + _STEPS_IN_EDGE, 1
    place = -1 - steps
    return s.steps + 4 * (place + 1), integers(s.steps)[place]


@kernel
def apply(s: Any, state: int, steps: int, length: int) -> int:
    """Make a (semi)move in a state; returns 1 if it is nodal then, 0 if not, or FAILED."""
    context = long_integers(s.context)
    context[WORK] = s.max_work
    is_nodal = call_steps(s.apply, (state, steps, length, s.context))
    if context[STATUS] != 0:
        s.failure = context[STATUS]
        return FAILED
    return is_nodal


@kernel
def make(s: Any, level: int, steps: int, length: int) -> int:
    """Make a (semi)move from the state of a level to that of the next; the result is as above."""
    state, is_nodal = state_at(s, level + 1), 0
    for _ in range(s.overhead):
        copy_bytes(state, state_at(s, level), s.state_bytes)
        is_nodal = apply(s, state, steps, length)
    return is_nodal
