"""The simulation phase, and finding a single move on the way to it."""

from __future__ import annotations

from semisplit.compiler.runtime.abi import End, Status
from semisplit.search.engine.candidates import (
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
from semisplit.search.engine.layout import MOVES, NOTES, SCORES, STATUS, Workspace
from semisplit.search.engine.records import TraceRecord
from semisplit.search.engine.toolkit.kernel import call_playouts, copy_bytes, kernel, ticks
from semisplit.search.engine.toolkit.random import draw
from semisplit.search.engine.toolkit.record import Array, address_of, i4, size_of
from semisplit.search.features.hooks import choose_candidate
from semisplit.search.features.submoves.kernels import next_context
from semisplit.search.features.submoves.records import KnownSubmoves

_PREFIXES, _NOTE = KnownSubmoves.PREFIXES.value, size_of(TraceRecord)
_NOTHING, _SEMIMOVE, _MOVE = End.NOTHING.value, End.SEMIMOVE.value, End.MOVE.value
LONG_GAME, _LONG_MOVE = Status.LONG_GAME.value, Status.LONG_MOVE.value
_MUCH_WORK = Status.MUCH_WORK.value
MANY_SEMIMOVES = 102
"""The reason if a move has more semimoves than are allowed; compiled games do not count them."""


@kernel
def find_move(s: Workspace, base: int, function: int, submove: int, guided: bool) -> int:
    """SEMISPLITRANDOMMOVE: complete a move from the state of a level.

    Draws from what a function of the game lists, with backtracking. The way is kept on the levels
    above; returns how many (semi)moves it has, 0 if the state is dead.
    """
    here = s.worker.levels
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
        number = choose_candidate(s, level, player_of(state_at(s, level)), guided)
        here[level].chosen = number
        steps, length = candidate(s, level, number)
        is_nodal = make(s, level, steps, length)
        if is_nodal == FAILED:
            return FAILED
        if is_nodal:
            return level + 1 - base
        here[level + 1].length = here[level].length + length
        is_long = here[level + 1].length >= s.settings.max_length
        if is_long or level + 1 - base >= s.settings.max_semidepth:
            s.worker.failure = _LONG_MOVE if is_long else MANY_SEMIMOVES
            return FAILED
        if s.settings.mast.submoves == _PREFIXES:
            here[level + 1].submove = next_context(s, here[level].submove, steps, length)
        level += 1
        if list_candidates(s, function, level) == FAILED:
            return FAILED


@kernel
def has_trace(s: Workspace, length: int) -> bool:
    """Whether so many steps, and a move found by `find_move`, can be noted down."""
    if s.worker.trace_length + length > s.worker.trace_size:
        s.worker.failure = LONG_GAME
        return False
    return True


@kernel
def write_trace(s: Workspace, steps: Array[i4], length: int, player: int, is_nodal: bool) -> None:
    """Note down a (semi)move; callers see to it that there is room."""
    notes, place = s.worker.trace, s.worker.trace_length
    for i in range(length):
        note = notes[place + i]
        note.step = steps[i]
        note.player = player
        note.end = _NOTHING
    notes[place + length - 1].end = _MOVE if is_nodal else _SEMIMOVE
    s.worker.trace_length = place + length


@kernel
def trace_walk(s: Workspace, base: int, length: int) -> None:
    """Note down the move that `find_move` has found."""
    for level in range(base, base + length):
        player = player_of(state_at(s, level))
        steps, count = candidate(s, level, s.worker.levels[level].chosen)
        write_trace(s, steps, count, player, level == base + length - 1)


@kernel
def simulate(s: Workspace, base: int) -> bool:
    """SEMISPLITSIMULATION: play on from the state of a level to the end; did it come to that?

    Leaves the scores, and the number of moves in `moves`.
    """
    begin = ticks()
    ended = _simulate(s, base)
    s.worker.clock.simulation_ticks += ticks() - begin
    return ended


@kernel
def _simulate(s: Workspace, base: int) -> bool:
    rules, worker = s.rules, s.worker
    worker.moves = 0
    state = state_at(s, base)
    if rules.playouts:
        return _play_out(s, state, state_at(s, base + 1))
    guided = s.settings.mast.in_simulation != 0
    buffer_top, candidate_top = worker.lists.buffer_top, worker.lists.top
    while player_of(state) != 0:
        length = find_move(s, base, rules.list_simulation, 0, guided)
        if length == FAILED:
            return False
        if length == 0:
            break
        worker.moves += 1
        if ticks() >= worker.clock.deadline:
            worker.failure = _MUCH_WORK
            return False
        if worker.trace_length > worker.trace_size or worker.moves >= s.settings.max_moves:
            worker.failure = LONG_GAME
            return False
        trace_walk(s, base, length)
        copy_bytes(state, state_at(s, base + length), rules.state_bytes)
        worker.lists.buffer_top, worker.lists.top = buffer_top, candidate_top
    read_scores(s, state)
    return True


@kernel
def _play_out(s: Workspace, state: int, shadow: int) -> bool:
    """Let the compiled game do all of it."""
    playouts, worker, context = s.rules.playouts, s.worker, s.worker.context
    seed, begin = draw(s), address_of(worker.trace, worker.trace_length)
    worker.seed = seed
    context[SCORES] = address_of(s.tree.mast.step_means, 0)
    for _ in range(s.settings.overhead - 1):
        copy_bytes(shadow, state, s.rules.state_bytes)
        context[NOTES] = begin
        call_playouts(playouts, (shadow, seed, 1, worker.swap_space, address_of(context, 0)))
    context[MOVES] = 0
    context[NOTES] = begin
    call_playouts(playouts, (state, seed, 1, worker.swap_space, address_of(context, 0)))
    worker.moves = context[MOVES]
    worker.trace_length += (context[NOTES] - begin) // _NOTE
    if context[STATUS] != 0:
        worker.failure = context[STATUS]
        return False
    read_scores(s, state)
    return True
