"""Listing and making (semi)moves.

Kernels know a (semi)move by the address of its steps and their number.
"""

from __future__ import annotations

from typing import Any

from semisplit.native.layout import PLAYER, VALUES
from semisplit.search.kernel import call_list, call_steps, copy_bytes, kernel
from semisplit.search.memory import (
    BUFFER,
    EDGE,
    FOUND,
    STATUS,
    WORK,
    WRITTEN,
    edges,
    integers,
    levels,
    long_integers,
    reals,
)

FAILED = -1
"""A limit was hit; the iteration is given up."""
_EDGE_SIZE, _STEPS_IN_EDGE = EDGE.itemsize, EDGE.fields["steps"][1]
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
    values = integers(state + VALUES)
    scores, bounds = reals(s.scores), reals(s.bounds)
    for player in range(s.players):
        scores[player] = values[player] / bounds[player]


@kernel
def list_candidates(s: Any, function: int, level: int) -> int:
    """List what can be done in the state of a level with a function of the game; how much is it?

    The lists of lower levels are kept.
    """
    context, here = long_integers(s.context), levels(s)[level]
    context[FOUND] = 0
    context[WRITTEN] = 0
    context[WORK] = s.max_work
    context[BUFFER] = s.buffer + 4 * s.buffer_top
    call_list(function, (state_at(s, level), s.context))
    if context[STATUS] != 0:
        s.failure = context[STATUS]
        return FAILED
    found, written = context[FOUND], context[WRITTEN] >> 2
    if s.buffer_top + written > s.buffer_size:
        s.failure = LONG_LIST
        return FAILED
    here.first = s.candidate_top
    here.count = found
    here.buffer = s.buffer_top
    offsets, buffer = integers(s.candidates), integers(s.buffer)
    place = s.buffer_top
    if written == 2 * found:
        # Single steps, the most frequent case, need not be looked at.
        for i in range(found):
            offsets[s.candidate_top + i] = place + 2 * i
    else:
        for i in range(found):
            offsets[s.candidate_top + i] = place
            place += buffer[place] + 1
    s.candidate_top += found
    s.buffer_top += written
    return found


@kernel
def forget_list(s: Any, level: int) -> None:
    """Free the room that the list of the topmost level takes."""
    s.buffer_top = levels(s)[level].buffer
    s.candidate_top = levels(s)[level].first


@kernel
def remove_candidate(s: Any, level: int, number: int) -> None:
    """Drop a candidate that has turned out dead."""
    here, offsets = levels(s)[level], integers(s.candidates)
    here.count -= 1
    offsets[here.first + number] = offsets[here.first + here.count]


@kernel
def candidate(s: Any, level: int, number: int) -> tuple[int, int]:
    """The steps of a candidate, and how many they are."""
    place = integers(s.candidates)[levels(s)[level].first + number]
    return s.buffer + 4 * (place + 1), integers(s.buffer)[place]


@kernel
def edge_steps(s: Any, edge: int) -> tuple[int, int]:
    """The steps of an edge, and how many they are."""
    here = edges(s)[edge]
    if here.length == 1:
        return s.edges + edge * _EDGE_SIZE + _STEPS_IN_EDGE, 1
    return s.steps + 4 * here.steps, here.length


@kernel
def make(s: Any, level: int, steps: int, length: int) -> bool:
    """Make a (semi)move from the state of a level to that of the next; is that one nodal?"""
    state = state_at(s, level + 1)
    copy_bytes(state, state_at(s, level), s.state_bytes)
    return call_steps(s.apply, (state, steps, length, s.context)) != 0
