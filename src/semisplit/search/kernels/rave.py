"""RAVE: edges also learn from iterations that play their (semi)move later.

An element is what RAVE takes for the same (semi)move: single steps (the split variant) or chains of
steps (see `Chain`). What a player has played in the current iteration is stamped with its number.
"""

from __future__ import annotations

from typing import Any

from semisplit.runtime.abi import End
from semisplit.search.kernels.candidates import edge_steps
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.lanes import lowest_bit
from semisplit.search.kernels.memory import (
    ROOT,
    Chain,
    edges,
    integers,
    long_integers,
    path,
    reals,
    samples,
    short_reals,
    trace,
)
from semisplit.search.kernels.samples import add_sample
from semisplit.search.kernels.submoves import (
    SINGLE,
    UNKNOWN,
    add_all,
    add_submove,
    find_submove,
    is_complete,
)

_PREFIX, _MOVE, _SEMIMOVE = Chain.PREFIX.value, Chain.MOVE.value, Chain.SEMIMOVE.value
_END_SEMIMOVE, _END_MOVE = End.SEMIMOVE.value, End.MOVE.value
_WORD = 64


@kernel
def element_of(s: Any, edge: int, submove: int) -> int:
    """What RAVE knows an edge as, in the context of its node; the empty submove if it does not."""
    steps, length = edge_steps(s, edge)
    return max(0, add_all(s, submove if s.rave_chain == _PREFIX else 0, steps, length))


@kernel
def _stamp_submove(s: Any, player: int, submove: int) -> None:
    if submove != UNKNOWN:
        long_integers(s.submove_stamps)[submove * s.players + player - 1] = s.iterations


@kernel
def _stamp_single(s: Any, player: int, step: int) -> None:
    if s.split_stamps:
        long_integers(s.split_stamps)[(player - 1) * s.words + step] = s.iterations
    else:
        _stamp_submove(s, player, add_submove(s, SINGLE, step))


@kernel
def _has_submove(s: Any, player: int, submove: int) -> bool:
    return (
        submove != UNKNOWN
        and long_integers(s.submove_stamps)[submove * s.players + player - 1] == s.iterations
    )


@kernel
def _has_single(s: Any, player: int, step: int) -> bool:
    if s.split_stamps:
        return long_integers(s.split_stamps)[(player - 1) * s.words + step] == s.iterations
    return _has_submove(s, player, find_submove(s, SINGLE, step))


@kernel
def _stamp(s: Any, begin: int, end: int, submove: int) -> None:
    """Remember what was played in a part of the trace that begins in a context."""
    steps = trace(s)
    if s.rave_split:
        for i in range(begin, end):
            _stamp_single(s, steps[i].player, steps[i].step)
    if s.rave_chain:
        if s.rave_chain == _SEMIMOVE:
            submove = 0
        for i in range(begin, end):
            player, step, ends = steps[i].player, steps[i].step, steps[i].end
            is_dot = step < s.first_modifier
            if not is_dot or s.rave_chain != _MOVE:
                extended = add_submove(s, submove, step)
                if is_complete(s.rave_chain, ends):
                    _stamp_submove(s, player, extended)
                if not is_dot or s.rave_chain == _SEMIMOVE:
                    submove = extended
            if ends == _END_MOVE or (s.rave_chain == _SEMIMOVE and ends == _END_SEMIMOVE):
                submove = 0


@kernel
def _played_all(s: Any, player: int, edge: int) -> bool:
    """Whether a player has played all steps of an edge."""
    steps, length = edge_steps(s, edge)
    words = integers(steps)
    played = True
    for i in range(length):
        played = played and _has_single(s, player, words[i])
    return played


@kernel
def update_rave(s: Any) -> None:
    """Give all edges on the way whose (semi)moves were played from there on their share."""
    here, scores = path(s), reals(s.scores)
    if s.path_length == 0:
        return
    # What was played behind the tree may be in the middle of a move, which the tree began.
    last = here[s.path_length - 1]
    submove = last.submove
    if s.contexts and s.tree_length < s.trace_length:
        submove = _context_behind(s, submove, last.trace, s.tree_length)
    _stamp(s, s.tree_length, s.trace_length, submove)
    end = s.tree_length
    for i in range(s.path_length - 1, -1, -1):
        player, score = here[i].player, scores[here[i].player - 1]
        _stamp(s, here[i].trace, end, here[i].submove)
        end = here[i].trace
        node = edges(s)[here[i].node]
        for first in range(node.first, node.first + node.count, _WORD):
            count = min(_WORD, node.first + node.count - first)
            if s.rave_split:
                _add_to(s, first, _played_steps(s, player, first, count), 0, score)
            if s.rave_chain:
                bits = _played_chains(s, player, first, count)
                if first <= here[i].edge < first + count:
                    # It may have found no room in the table of submoves.
                    bits |= 1 << (here[i].edge - first)
                _add_to(s, first, bits, s.rave_records - 1, score)


@kernel
def _played_steps(s: Any, player: int, first: int, count: int) -> int:
    """Those of some edges, as bits, of which a player has played all steps."""
    bits = 0
    for i in range(count):
        # No jumps, which could not be foreseen.
        bits |= _played_all(s, player, first + i) << i
    return bits


@kernel
def _played_chains(s: Any, player: int, first: int, count: int) -> int:
    """Those of some edges, as bits, whose submove a player has played."""
    elements, stamps, now = integers(s.elements), long_integers(s.submove_stamps), s.iterations
    bits = 0
    for i in range(count):
        bits |= (stamps[elements[first + i] * s.players + player - 1] == now) << i
    return bits


@kernel
def _add_to(s: Any, first: int, bits: int, record: int, score: float) -> None:
    """Add a score to one of the records of some edges."""
    while bits != 0:
        number = (first + lowest_bit(bits)) * s.rave_records + record
        add_sample(s.amaf, s.estimates, number, score, 1.0)
        bits &= bits - 1


@kernel
def _context_behind(s: Any, submove: int, begin: int, end: int) -> int:
    """The context behind a part of the trace."""
    steps = trace(s)
    for i in range(begin, end):
        if steps[i].end == _END_MOVE:
            submove = 0
        elif steps[i].step >= s.first_modifier:
            submove = add_submove(s, submove, steps[i].step)
    return submove


@kernel
def find_estimates(s: Any, first: int, count: int, player: int, visits: int) -> int:
    """Where RAVE's estimates for edges of the current node are, at which a player moves.

    The edges have been visited, so they have samples.
    """
    is_referred = s.rave_reference > 0 and visits <= s.rave_reference < edges(s)[ROOT].visits
    if s.rave_records == 1 and not is_referred:
        return s.estimates + 4 * first
    known, estimates, guesses = samples(s.amaf), short_reals(s.estimates), short_reals(s.guesses)
    for i in range(count):
        record = (first + i) * s.rave_records
        if is_referred:
            record = _referred(s, first + i, player)
        elif known[record + 1].weight >= s.rave_threshold:
            record += 1
        guesses[i] = estimates[record]
    return s.guesses


@kernel
def _referred(s: Any, edge: int, player: int) -> int:
    """GRAVE: the same (semi)move at the nearest ancestor that has been visited often enough."""
    here, known = path(s), samples(s.amaf)
    for above in range(s.path_length - 1, -1, -1):
        node = edges(s)[here[above].node]
        if node.visits > s.rave_reference and here[above].player == player:
            for other in range(node.first, node.first + node.count):
                if known[other].weight > 0.0 and _same_element(s, edge, other):
                    return other
    return edge


@kernel
def _same_element(s: Any, edge: int, other: int) -> bool:
    if s.rave_chain:
        elements = integers(s.elements)
        return elements[edge] != 0 and elements[edge] == elements[other]
    steps, length = edge_steps(s, edge)
    other_steps, other_length = edge_steps(s, other)
    words, others = integers(steps), integers(other_steps)
    same = length == other_length
    for i in range(min(length, other_length)):
        same = same and words[i] == others[i]
    return same
