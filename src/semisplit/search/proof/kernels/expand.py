"""Making the positions that moves lead to, with what can be seen at once about each."""

from __future__ import annotations

from semisplit.compiler.runtime.abi import PLAYER
from semisplit.search.engine.layout import BUFFER, ENOUGH, FOUND, PLACES, STATUS, WORK, WRITTEN
from semisplit.search.engine.toolkit.kernel import (
    call_each,
    call_list,
    call_steps,
    copy_bytes,
    kernel,
)
from semisplit.search.engine.toolkit.record import Array, address_of, i8, integers_at, part_of
from semisplit.search.proof.kernels.memory import (
    BUFFER_END,
    DEAD,
    INFINITE,
    LONG_LIST,
    NEVER,
    NODAL,
    ChildRecord,
    FrameRecord,
    Workspace,
)
from semisplit.search.proof.kernels.table import fetch, look_up, set_key

NOWHERE = -1
"""In place of a place in the buffer."""
_MOST_MOBILITY = 1 << 10
"""Moves after which no more are counted."""


@kernel
def state_of(s: Workspace, child: int) -> Array[i8]:
    """The state of a child; that of -1 is the root."""
    return part_of(s.worker.states, (child + 1) * s.game.state_words)


@kernel
def list_into(s: Workspace, function: int, state: Array[i8], place: int, enough: int) -> int:
    """List what can be done in a state, from a place of the buffer on, or NOWHERE; its number."""
    worker, context = s.worker, s.worker.context
    has_room = place != NOWHERE
    context[BUFFER] = address_of(worker.buffer, place) if has_room else 0
    context[BUFFER_END] = address_of(worker.buffer, s.game.buffer_size) if has_room else 0
    context[PLACES] = 0
    context[ENOUGH] = enough
    context[FOUND] = context[WRITTEN] = 0
    context[WORK] = s.game.max_work
    call_list(function, (address_of(state, 0), address_of(context, 0)))
    if context[STATUS] != 0:
        worker.failure = context[STATUS]
    return context[FOUND]


@kernel
def expand(s: Workspace, frame: FrameRecord, state: Array[i8]) -> None:
    """Make the children of a position, up to one that decides it."""
    game, worker = s.game, s.worker
    room = game.most_children - frame.first
    found = list_into(s, game.list, state, 0, room + 1)
    too_long = not game.flat and worker.context[WRITTEN] > 2 * game.buffer_size
    if worker.failure == 0 and (found > room or too_long):
        worker.failure = LONG_LIST
    if worker.failure != 0:
        return
    frame.count = found
    if found == 0:
        # The game is over, though nothing told.
        frame.count = 1
        _finish(s, worker.children[frame.first], state)
    elif game.apply_each != 0:
        _make_all(s, frame, state)
    else:
        _make_each(s, frame, state)


@kernel
def _make_all(s: Workspace, frame: FrameRecord, state: Array[i8]) -> None:
    """Make children many at once."""
    game, worker, context = s.game, s.worker, address_of(s.worker.context, 0)
    made, place = 0, 0
    while made < frame.count:
        count = min(game.lanes, frame.count - made)
        to = address_of(state_of(s, frame.first + made), 0)
        source, moves = address_of(state, 0), address_of(worker.buffer, place)
        call_each(game.apply_each, (source, moves, count, to, context))
        for _ in range(count):
            place += 1 + worker.buffer[place]
        made += count
    if worker.context[STATUS] != 0:
        worker.failure = worker.context[STATUS]
    worker.nodes += made
    for child in range(frame.first, frame.first + made):
        worker.children[child].flags = NODAL
        if _meet(s, frame, child):
            return
    _look_up_all(s, frame)


@kernel
def _make_each(s: Workspace, frame: FrameRecord, state: Array[i8]) -> None:
    """Make children one by one."""
    game, worker, context = s.game, s.worker, address_of(s.worker.context, 0)
    place = 0
    for child in range(frame.first, frame.first + frame.count):
        to, length = address_of(state_of(s, child), 0), 1
        if not game.flat:
            length = worker.buffer[place]
            place += 1
        copy_bytes(to, address_of(state, 0), 8 * game.state_words)
        worker.context[WORK] = game.max_work
        steps = address_of(worker.buffer, place)
        is_nodal = call_steps(game.apply, (to, steps, length, context))
        place += length
        if worker.context[STATUS] != 0:
            worker.failure = worker.context[STATUS]
            return
        worker.nodes += 1
        worker.children[child].flags = NODAL if is_nodal else 0
        if _meet(s, frame, child):
            return
    _look_up_all(s, frame)


@kernel
def _meet(s: Workspace, frame: FrameRecord, number: int) -> bool:
    """See whether the game is over after a move; whether that decides for who chose it."""
    child, state = s.worker.children[number], state_of(s, number)
    child.depends = NEVER
    child.player = integers_at(address_of(state, 0))[PLAYER >> 2]
    child.distance = 0
    if child.player != 0:
        # Nothing is known yet, and nothing will be asked for if another child decides.
        child.proof = child.disproof = 1
        set_key(s, child, state)
        fetch(s, child)
        return False
    _finish(s, child, state)
    return _decides(s, frame, child, number)


@kernel
def _look_up_all(s: Workspace, frame: FrameRecord) -> None:
    """See what is known about all children, up to one that decides.

    By now their entries of the table have come from memory, which takes longer than all the rest.
    """
    for number in range(frame.first, frame.first + frame.count):
        child = s.worker.children[number]
        if child.player != 0:
            if not look_up(s, child):
                _guess(s, frame, child, state_of(s, number))
            if _decides(s, frame, child, number) or s.worker.failure != 0:
                return


@kernel
def _decides(s: Workspace, frame: FrameRecord, child: ChildRecord, number: int) -> bool:
    """Whether who chose a child has reached what he wants; then others do not matter.

    At the root they do, where the shortest way is wanted.
    """
    if (child.proof if frame.attacks else child.disproof) != 0 or s.worker.level == 0:
        return False
    frame.count = number + 1 - frame.first
    return True


@kernel
def _guess(s: Workspace, frame: FrameRecord, child: ChildRecord, state: Array[i8]) -> None:
    """First numbers for a position: who has few moves is close to losing."""
    mobility = 1
    if s.game.list_whole != 0:
        # Where moves are only counted, nothing needs to be written.
        place = s.game.buffer_size >> 1 if s.game.writes_whole else NOWHERE
        mobility = list_into(s, s.game.list_whole, state, place, _MOST_MOBILITY)
        if mobility == 0 and child.flags & NODAL:
            _finish(s, child, state)
            return
        if mobility == 0:
            # What cannot be completed is illegal, which is as good as lost for who would do it.
            child.flags = DEAD
            child.proof = INFINITE if frame.attacks else 0
            child.disproof = 0 if frame.attacks else INFINITE
            return
    attacks = child.player == s.goal.attacker
    child.proof = 1 if attacks else mobility
    child.disproof = mobility if attacks else 1


@kernel
def _finish(s: Workspace, child: ChildRecord, state: Array[i8]) -> None:
    """Judge a position in which the game is over."""
    game, goal, worker = s.game, s.goal, s.worker
    head = integers_at(address_of(state, 0))
    score = head[game.objective]
    both = score + head[game.other_score]
    worker.lowest_sum = min(worker.lowest_sum, both)
    worker.highest_sum = max(worker.highest_sum, both)
    if score >= goal.threshold:
        worker.lowest_reached = min(worker.lowest_reached, score)
    else:
        worker.highest_below = max(worker.highest_below, score)
    is_won = (score >= goal.threshold) == (goal.raises != 0)
    child.proof = 0 if is_won else INFINITE
    child.disproof = INFINITE if is_won else 0
    child.depends = NEVER
    child.distance = 0
