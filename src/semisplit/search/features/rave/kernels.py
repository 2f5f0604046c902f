"""RAVE: edges also learn from iterations that play their (semi)move later.

An element is what RAVE takes for the same (semi)move: single steps (the split variant) or submoves
(see `KnownSubmoves`). What a player has played in the current iteration is stamped with its number.
"""

from __future__ import annotations

import math

from semisplit.compiler.runtime.abi import End
from semisplit.search.engine.candidates import edge_steps
from semisplit.search.engine.layout import ROOT, Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.share import node_lock
from semisplit.search.engine.toolkit.atomic import lock, unlock
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.lanes import lowest_bit
from semisplit.search.engine.toolkit.record import Array, f4, part_of
from semisplit.search.features.submoves.kernels import (
    SINGLE,
    UNKNOWN,
    add_submove,
    find_submove,
    is_complete,
)
from semisplit.search.features.submoves.records import KnownSubmoves
from semisplit.search.features.submoves.samples import add_sample
from semisplit.search.parallel.records import Sharing

_PREFIXES, _MOVES, _SEMIMOVES = (known.value for known in list(KnownSubmoves)[1:])
_END_SEMIMOVE, _END_MOVE = End.SEMIMOVE.value, End.MOVE.value
_GROUP = NodeKind.GROUP.value
_FREE = Sharing.FREE.value
_WORD = 64


@kernel
def _stamp_submove(s: Workspace, player: int, submove: int) -> None:
    if submove != UNKNOWN:
        s.worker.rave.submove_stamps[submove * s.rules.players + player - 1] = (
            s.worker.counts.iterations
        )


@kernel
def _stamp_single(s: Workspace, player: int, step: int) -> None:
    if s.settings.dense:
        s.worker.rave.step_stamps[(player - 1) * s.rules.codes + step] = s.worker.counts.iterations
    else:
        _stamp_submove(s, player, add_submove(s, SINGLE, step))


@kernel
def _has_submove(s: Workspace, player: int, submove: int) -> bool:
    return (
        submove != UNKNOWN
        and s.worker.rave.submove_stamps[submove * s.rules.players + player - 1]
        == s.worker.counts.iterations
    )


@kernel
def _has_single(s: Workspace, player: int, step: int) -> bool:
    if s.settings.dense:
        return (
            s.worker.rave.step_stamps[(player - 1) * s.rules.codes + step]
            == s.worker.counts.iterations
        )
    return _has_submove(s, player, find_submove(s, SINGLE, step))


@kernel
def _stamp(s: Workspace, begin: int, end: int, submove: int) -> None:
    """Remember what was played in a part of the trace that begins in a context."""
    steps = s.worker.trace
    if s.settings.rave.split:
        for i in range(begin, end):
            _stamp_single(s, steps[i].player, steps[i].step)
    known = s.settings.rave.submoves
    if known:
        if known == _SEMIMOVES:
            submove = 0
        for i in range(begin, end):
            player, step, ends = steps[i].player, steps[i].step, steps[i].end
            is_silent = step < s.rules.silent
            if not is_silent or known != _MOVES:
                extended = add_submove(s, submove, step)
                if is_complete(known, ends):
                    _stamp_submove(s, player, extended)
                if not is_silent or known == _SEMIMOVES:
                    submove = extended
            if ends == _END_MOVE or (known == _SEMIMOVES and ends == _END_SEMIMOVE):
                submove = 0


@kernel
def _played_all(s: Workspace, player: int, edge: int) -> bool:
    """Whether a player has played all steps of an edge."""
    steps, length = edge_steps(s, edge)
    played = True
    for i in range(length):
        played = played and _has_single(s, player, steps[i])
    return played


@kernel
def update_rave(s: Workspace) -> None:
    """Give all edges on the way whose (semi)moves were played from there on their share."""
    settings, worker, here, scores = s.settings, s.worker, s.worker.path, s.worker.scores
    if settings.rave.kinds == 0 or worker.path_length == 0:
        return
    # What was played after the tree may be in the middle of a move, which the tree began.
    last = here[worker.path_length - 1]
    submove = last.submove
    if settings.contexts and worker.tree_length < worker.trace_length:
        submove = _context_after(s, submove, last.trace, worker.tree_length)
    _stamp(s, worker.tree_length, worker.trace_length, submove)
    end = worker.tree_length
    for i in range(worker.path_length - 1, -1, -1):
        player, score = here[i].player, scores[here[i].player - 1]
        _stamp(s, here[i].trace, end, here[i].submove)
        end = here[i].trace
        if s.tree.edges[here[i].edge].kind == _GROUP:
            continue
        node = s.tree.edges[here[i].node]
        # Others may be about to move edges that have not been tried.
        is_guarded = settings.parallel.sharing == _FREE and node.tried < node.count
        if is_guarded:
            lock(node_lock(s, here[i].node))
        for first in range(node.first, node.first + node.count, _WORD):
            count = min(_WORD, node.first + node.count - first)
            if settings.rave.split:
                _add_to(s, first, _played_steps(s, player, first, count), 0, score)
            if settings.rave.submoves:
                bits = _played_submoves(s, player, first, count)
                if first <= here[i].edge < first + count:
                    # It may have found no room in the table of submoves.
                    bits |= 1 << (here[i].edge - first)
                _add_to(s, first, bits, settings.rave.kinds - 1, score)
        if is_guarded:
            unlock(node_lock(s, here[i].node))


@kernel
def _played_steps(s: Workspace, player: int, first: int, count: int) -> int:
    """Those of some edges, as bits, of which a player has played all steps."""
    bits = 0
    for i in range(count):
        # No jumps, which could not be foreseen.
        bits |= _played_all(s, player, first + i) << i
    return bits


@kernel
def _played_submoves(s: Workspace, player: int, first: int, count: int) -> int:
    """Those of some edges, as bits, whose submove a player has played."""
    elements, stamps, now = (
        s.tree.rave.elements,
        s.worker.rave.submove_stamps,
        s.worker.counts.iterations,
    )
    bits = 0
    for i in range(count):
        bits |= (stamps[elements[first + i] * s.rules.players + player - 1] == now) << i
    return bits


@kernel
def _add_to(s: Workspace, first: int, bits: int, record: int, score: float) -> None:
    """Add a score to one of the records of some edges."""
    while bits != 0:
        number = (first + lowest_bit(bits)) * s.settings.rave.kinds + record
        add_sample(
            s.tree.rave.samples, s.tree.rave.means, number, score, 1.0, s.settings.parallel.sharing
        )
        bits &= bits - 1


@kernel
def _context_after(s: Workspace, submove: int, begin: int, end: int) -> int:
    """The context after a part of the trace."""
    steps = s.worker.trace
    for i in range(begin, end):
        if steps[i].end == _END_MOVE:
            submove = 0
        elif steps[i].step >= s.rules.silent:
            submove = add_submove(s, submove, steps[i].step)
    return submove


@kernel
def rave_weight(s: Workspace, node: int) -> float:
    """How much RAVE's estimates count at a node; 0 if it is not used."""
    if s.settings.rave.kinds == 0:
        return 0.0
    equivalence = s.settings.rave.equivalence
    return math.sqrt(equivalence / (3.0 * s.tree.edges[node].visits + equivalence))


@kernel
def find_estimates(s: Workspace, first: int, count: int, player: int, visits: int) -> Array[f4]:
    """RAVE's estimates for edges of the current node, at which a player moves.

    The edges have been visited, so they have samples.
    """
    settings, estimates, guesses = s.settings, s.tree.rave.means, s.worker.rave.estimates
    reference = settings.rave.reference
    is_referred = reference > 0 and visits <= reference < s.tree.edges[ROOT].visits
    if settings.rave.kinds == 1 and not is_referred:
        return part_of(estimates, first)
    for i in range(count):
        record = (first + i) * settings.rave.kinds
        if is_referred:
            record = _referred(s, first + i, player)
        elif s.tree.rave.samples[record + 1].weight >= settings.rave.threshold:
            record += 1
        guesses[i] = estimates[record]
    return guesses


@kernel
def _referred(s: Workspace, edge: int, player: int) -> int:
    """GRAVE: the same (semi)move at the nearest ancestor that has been visited often enough."""
    here, known = s.worker.path, s.tree.rave.samples
    for above in range(s.worker.path_length - 1, -1, -1):
        node = s.tree.edges[here[above].node]
        if node.visits > s.settings.rave.reference and here[above].player == player:
            for other in range(node.first, node.first + node.count):
                if known[other].weight > 0.0 and _same_element(s, edge, other):
                    return other
    return edge


@kernel
def _same_element(s: Workspace, edge: int, other: int) -> bool:
    if s.settings.rave.submoves:
        elements = s.tree.rave.elements
        return elements[edge] != 0 and elements[edge] == elements[other]
    steps, length = edge_steps(s, edge)
    other_steps, other_length = edge_steps(s, other)
    same = length == other_length
    for i in range(min(length, other_length)):
        same = same and steps[i] == other_steps[i]
    return same
