"""RAVE: edges also learn from iterations that play their (semi)move later.

An element is what RAVE takes for the same (semi)move: single steps (the split variant) or chains of
steps (see `Chain`). What a player has played in the current iteration is stamped with its number.
"""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.candidates import edge_steps
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import (
    Chain,
    End,
    edges,
    integers,
    long_integers,
    nodes,
    path,
    reals,
    samples,
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


@kernel
def element_of(s: Any, edge: int, submove: int) -> int:
    """What RAVE knows an edge as, in the context of its node."""
    steps, length = edge_steps(s, edge)
    return add_all(s, submove if s.rave_chain == _PREFIX else 0, steps, length)


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
    here, known, elements = path(s), samples(s.amaf), integers(s.elements)
    scores = reals(s.scores)
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
        node = nodes(s)[here[i].node]
        for edge in range(node.first, node.first + node.count):
            record = edge * s.rave_records
            if s.rave_split and _played_all(s, player, edge):
                add_sample(known[record], score, 1.0)
            if s.rave_chain and _has_submove(s, player, elements[edge]):
                record += s.rave_records - 1
                add_sample(known[record], score, 1.0)


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
def amaf_of(s: Any, edge: int, player: int, visits: int) -> float:
    """RAVE's estimate for an edge of the current node, where a player moves."""
    known = samples(s.amaf)
    record = edge * s.rave_records
    if s.rave_records == 2 and known[record + 1].weight >= s.rave_threshold:
        record += 1
    if s.rave_reference > 0 and visits <= s.rave_reference < s.root_visits:
        record = _referred(s, edge, player)
    # An edge whose element found no room in the table has no samples.
    if known[record].weight == 0.0:
        return edges(s)[edge].total / edges(s)[edge].visits
    return known[record].score


@kernel
def _referred(s: Any, edge: int, player: int) -> int:
    """GRAVE: the same (semi)move at the nearest ancestor that has been visited often enough."""
    here, known = path(s), samples(s.amaf)
    for above in range(s.path_length - 1, -1, -1):
        visits = edges(s)[here[above - 1].edge].visits if above > 0 else s.root_visits
        if visits > s.rave_reference and here[above].player == player:
            node = nodes(s)[here[above].node]
            for other in range(node.first, node.first + node.count):
                if known[other].weight > 0.0 and _same_element(s, edge, other):
                    return other
    return edge


@kernel
def _same_element(s: Any, edge: int, other: int) -> bool:
    if s.rave_chain:
        elements = integers(s.elements)
        return elements[edge] != UNKNOWN and elements[edge] == elements[other]
    steps, length = edge_steps(s, edge)
    other_steps, other_length = edge_steps(s, other)
    words, others = integers(steps), integers(other_steps)
    same = length == other_length
    for i in range(min(length, other_length)):
        same = same and words[i] == others[i]
    return same
