"""Depth-first proof-number search (df-pn) with the 1 + epsilon trick.

Who decides in a position wants its first number, the *own* one, to become 0, and the other, the
*adverse* one, stay above 0: for the attacker these are the proof and the disproof number, for the
defender the disproof and the proof number. The own number of a position is the least of its
children's. The adverse number is not the sum of the children's, as in proof-number search, but
the largest: where ways meet, a sum counts the same work many times. With `breadth` it is one more
for each other child that is still open (weak proof numbers).
"""

from __future__ import annotations

from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.proof.kernels.expand import expand, list_into, state_of
from semisplit.search.proof.kernels.memory import (
    ALWAYS,
    DEAD,
    DONE,
    ENDLESS,
    FAILED,
    GOING_ON,
    INFINITE,
    NEVER,
    NODAL,
    ChildRecord,
    FrameRecord,
    Workspace,
)
from semisplit.search.proof.kernels.table import look_up, set_key, store

_PATH = (1 << 12) - 1
"""Bits of keys by which it is seen quickly that a position is not on the path."""


@kernel
def begin(s: Workspace, player: int) -> None:
    """Begin with the state of the root, in which a player decides."""
    worker, frame = s.worker, s.worker.frames[0]
    root = worker.children[0]
    root.player = player
    set_key(s, root, state_of(s, -1))
    _enter(s, root, frame, 0, INFINITE, INFINITE)
    worker.level = 0


@kernel
def prove(s: Workspace, nodes: int) -> int:
    """Search until so many positions have been made in all; returns how that ended."""
    worker = s.worker
    while worker.nodes < nodes:
        frame = worker.frames[worker.level]
        if frame.count < 0:
            source = worker.frames[worker.level - 1].child if worker.level > 0 else -1
            expand(s, frame, state_of(s, source))
            if worker.failure != 0:
                return FAILED
        if not _choose(s, frame):
            continue
        if worker.level == 0:
            return DONE
        _leave(s, frame)
    return GOING_ON


@kernel
def list_root(s: Workspace) -> int:
    """List the moves of the root once more; how many of them have children."""
    list_into(s, s.game.list, state_of(s, -1), 0, s.game.most_children)
    return s.worker.frames[0].count


@kernel
def _enter(
    s: Workspace,
    child: ChildRecord,
    frame: FrameRecord,
    first: int,
    proof_limit: int,
    disproof_limit: int,
) -> None:
    """Go to a child."""
    frame.key, frame.check = child.key, child.check
    frame.attacks = child.player == s.goal.attacker
    frame.first, frame.count = first, -1
    frame.proof_limit, frame.disproof_limit = proof_limit, disproof_limit
    frame.begin = s.worker.nodes
    s.worker.on_path[child.key & _PATH] += 1


@kernel
def _leave(s: Workspace, frame: FrameRecord) -> None:
    """Go back from a position whose numbers are those of the worker."""
    worker = s.worker
    before = worker.frames[worker.level - 1]
    child = worker.children[before.child]
    child.proof, child.disproof = worker.proof, worker.disproof
    child.distance = worker.distance
    child.flags = child.flags & ~ENDLESS | worker.flags
    child.depends = worker.depends if worker.depends < worker.level else NEVER
    # What depends on the way that led here is not true of the position.
    if child.depends == NEVER:
        store(s, child, worker.nodes - frame.begin)
    worker.on_path[frame.key & _PATH] -= 1
    worker.level -= 1


@kernel
def _choose(s: Workspace, frame: FrameRecord) -> bool:
    """Go on with the most promising child; True if there is nothing to do below the limits.

    Then the worker has the numbers of the position.
    """
    worker, attacks = s.worker, frame.attacks
    own, second, adverse, still_open = INFINITE, INFINITE, 0, 0
    best, closest = frame.first, INFINITE + 1
    for number in range(frame.first, frame.first + frame.count):
        child = worker.children[number]
        mine = child.proof if attacks else child.disproof
        other = child.disproof if attacks else child.proof
        still_open += other > 0
        adverse = max(adverse, other)
        # Among equals, that which is closest to being decided.
        if mine < own or (mine == own and other < closest):
            own, second, best, closest = mine, own, number, other
        elif mine < second:
            second = mine
    others = s.game.breadth * (still_open - 1)
    if own == 0:
        adverse = INFINITE
    elif still_open == 0:
        own = INFINITE
    else:
        adverse = min(adverse + others, INFINITE - 1)
    worker.proof = own if attacks else adverse
    worker.disproof = adverse if attacks else own
    own_limit = frame.proof_limit if attacks else frame.disproof_limit
    adverse_limit = frame.disproof_limit if attacks else frame.proof_limit
    if own == 0 or adverse == 0:
        _sum_up(s, frame, own == 0)
        return True
    if own >= own_limit or adverse >= adverse_limit:
        worker.distance = worker.flags = 0
        worker.depends = NEVER
        return True
    frame.child = best
    own_limit = min(own_limit, max(second + 1, second + (second * s.game.epsilon >> 8)))
    if adverse_limit < INFINITE:
        adverse_limit -= others
    _go_to(s, frame, own_limit, adverse_limit)
    return False


@kernel
def _go_to(s: Workspace, frame: FrameRecord, own_limit: int, adverse_limit: int) -> None:
    """Search the chosen child, unless that is not needed any more or makes no sense."""
    worker, child = s.worker, s.worker.children[frame.child]
    proof, disproof = child.proof, child.disproof
    if look_up(s, child) and (child.proof != proof or child.disproof != disproof):
        return
    level = _level_of(s, child)
    if worker.level + 1 >= s.game.most_levels:
        level = ALWAYS
    if level != NEVER:
        # Who comes back to where he was has not reached anything.
        child.proof, child.disproof, child.distance = INFINITE, 0, 0
        child.depends, child.flags = level, child.flags | ENDLESS
        return
    worker.level += 1
    next_frame, first = worker.frames[worker.level], frame.first + frame.count
    if frame.attacks:
        _enter(s, child, next_frame, first, own_limit, adverse_limit)
    else:
        _enter(s, child, next_frame, first, adverse_limit, own_limit)


@kernel
def _level_of(s: Workspace, child: ChildRecord) -> int:
    """Where on the path a position is; NEVER if it is not there."""
    worker = s.worker
    if worker.on_path[child.key & _PATH] == 0:
        return NEVER
    for level in range(worker.level + 1):
        frame = worker.frames[level]
        if frame.key == child.key and frame.check == child.check:
            return level
    return NEVER


@kernel
def _sum_up(s: Workspace, frame: FrameRecord, is_reached: bool) -> None:
    """What is known of a position that is proven or refuted.

    Who has reached what he wants took the shortest way to it, as far as it is known, the other the
    longest. A disproof depends on the levels at which play came back to a position of the path. It
    is one of all ways if the attacker decides; otherwise one of them is enough.
    """
    worker = s.worker
    disproven = is_reached != (frame.attacks != 0)
    distance, endless, depends = -1, 0, ALWAYS - 1 if is_reached else NEVER
    for number in range(frame.first, frame.first + frame.count):
        child = worker.children[number]
        moves = child.distance + ((child.flags & NODAL) != 0)
        if not is_reached:
            if not child.flags & DEAD:
                distance = max(distance, moves)
            depends = min(depends, child.depends)
            endless |= child.flags & ENDLESS
        elif (child.proof if frame.attacks else child.disproof) == 0:
            # Of several disproofs, those come first that hold everywhere, and come to an end.
            its = child.flags & ENDLESS
            is_better = child.depends > depends or (child.depends == depends and its < endless)
            is_as_good = child.depends == depends and its == endless
            if distance < 0 or is_better or (is_as_good and moves < distance):
                distance, endless, depends = moves, its, child.depends
    worker.distance = max(distance, 0)
    worker.flags = endless if disproven else 0
    worker.depends = depends if disproven else NEVER
