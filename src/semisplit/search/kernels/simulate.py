"""The simulation phase, and finding a single move on the way to it."""

from __future__ import annotations

from typing import Any

from semisplit.runtime.abi import End, Status
from semisplit.search.kernels.candidates import (
    FAILED,
    candidate,
    forget_list,
    list_candidates,
    make,
    player_of,
    read_scores,
    remove_candidate,
    state_at,
)
from semisplit.search.kernels.kernel import call_playouts, copy_bytes, kernel, ticks
from semisplit.search.kernels.mast import choose_candidate
from semisplit.search.kernels.memory import (
    MOVES,
    NOTES,
    STATUS,
    TRACE,
    Chain,
    integers,
    levels,
    long_integers,
    trace,
)
from semisplit.search.kernels.random import draw
from semisplit.search.kernels.submoves import next_context

_PREFIX, _NOTE = Chain.PREFIX.value, TRACE.itemsize
_NOTHING, _SEMIMOVE, _MOVE = End.NOTHING.value, End.SEMIMOVE.value, End.MOVE.value
LONG_GAME, _LONG_MOVE = Status.LONG_GAME.value, Status.LONG_MOVE.value


@kernel
def find_move(s: Any, base: int, function: int, submove: int, guided: bool) -> int:
    """SEMISPLITRANDOMMOVE: complete a move from the state of a level.

    Draws from what a function of the game lists, with backtracking. The way is kept on the levels
    above; returns how many (semi)moves it has, 0 if the state is dead.
    """
    here = levels(s)
    player = player_of(state_at(s, base))
    here[base].submove = submove
    here[base].length = 0
    if list_candidates(s, function, base) == FAILED:
        return FAILED
    level = base
    while True:
        if here[level].count == 0:
            forget_list(s, level)
            if level == base:
                return 0
            level -= 1
            remove_candidate(s, level, here[level].chosen)
            continue
        number = choose_candidate(s, level, player, guided)
        here[level].chosen = number
        steps, length = candidate(s, level, number)
        is_nodal = make(s, level, steps, length)
        if is_nodal == FAILED:
            return FAILED
        if is_nodal:
            return level + 1 - base
        here[level + 1].length = here[level].length + length
        if here[level + 1].length >= s.max_length or level + 1 - base >= s.max_semidepth:
            s.failure = _LONG_MOVE
            return FAILED
        if s.mast_chain == _PREFIX:
            here[level + 1].submove = next_context(s, here[level].submove, steps, length)
        level += 1
        if list_candidates(s, function, level) == FAILED:
            return FAILED


@kernel
def has_trace(s: Any, length: int) -> bool:
    """Whether so many steps, and a move found by `find_move`, can be noted down."""
    if s.trace_length + length > s.trace_size:
        s.failure = LONG_GAME
        return False
    return True


@kernel
def write_trace(s: Any, steps: int, length: int, player: int, is_nodal: bool) -> None:
    """Note down a (semi)move; callers see to it that there is room."""
    words, notes, place = integers(steps), trace(s), s.trace_length
    for i in range(length):
        note = notes[place + i]
        note.step = words[i]
        note.player = player
        note.end = _NOTHING
    notes[place + length - 1].end = _MOVE if is_nodal else _SEMIMOVE
    s.trace_length = place + length


@kernel
def trace_walk(s: Any, base: int, length: int) -> None:
    """Note down the move that `find_move` has found."""
    player = player_of(state_at(s, base))
    for level in range(base, base + length):
        steps, count = candidate(s, level, levels(s)[level].chosen)
        write_trace(s, steps, count, player, level == base + length - 1)


@kernel
def simulate(s: Any, base: int) -> bool:
    """SEMISPLITSIMULATION: play on from the state of a level to the end; did it come to that?

    Leaves the scores, and the number of moves in `moves`.
    """
    begin = ticks()
    ended = _simulate(s, base)
    s.simulation_ticks += ticks() - begin
    return ended


@kernel
def _simulate(s: Any, base: int) -> bool:
    s.moves = 0
    state = state_at(s, base)
    context = long_integers(s.context)
    if s.playouts:
        seed, shadow = draw(s), state_at(s, base + 1)
        for _ in range(s.overhead - 1):
            copy_bytes(shadow, state, s.state_bytes)
            context[NOTES] = s.trace + _NOTE * s.trace_length
            call_playouts(s.playouts, (shadow, seed, 1, s.spare, s.context))
        context[MOVES] = 0
        context[NOTES] = s.trace + _NOTE * s.trace_length
        call_playouts(s.playouts, (state, seed, 1, s.spare, s.context))
        s.moves = context[MOVES]
        s.trace_length = (context[NOTES] - s.trace) // _NOTE
        if context[STATUS] != 0:
            s.failure = context[STATUS]
            return False
    else:
        buffer_top, candidate_top = s.buffer_top, s.candidate_top
        while player_of(state) != 0:
            length = find_move(s, base, s.list_simulation, 0, s.mast_in_simulation != 0)
            if length == FAILED:
                return False
            if length == 0:
                break
            s.moves += 1
            if s.trace_length > s.trace_size or s.moves >= s.max_moves:
                s.failure = LONG_GAME
                return False
            trace_walk(s, base, length)
            copy_bytes(state, state_at(s, base + length), s.state_bytes)
            s.buffer_top, s.candidate_top = buffer_top, candidate_top
    read_scores(s, state)
    return True
