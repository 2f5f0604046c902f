"""MAST: choosing (semi)moves by what they have scored anywhere.

Samples are kept of single steps (the split variant), of chains of steps (see `Chain`), or of both
(mix). Decay is the growth of the weight of new samples: only the ratio of weights matters.
"""

from __future__ import annotations

from typing import Any

from semisplit.runtime.abi import End
from semisplit.search.kernels.candidates import candidate, edge_steps
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.lanes import (
    LANES,
    everywhere,
    first_lane,
    larger,
    largest,
    load_lanes,
    store_lanes,
)
from semisplit.search.kernels.memory import (
    Chain,
    edges,
    integers,
    levels,
    reals,
    samples,
    short_reals,
    submoves,
    trace,
)
from semisplit.search.kernels.portable import exponential
from semisplit.search.kernels.random import below, draw_tied, real
from semisplit.search.kernels.samples import add_sample, forget_samples, scale_samples
from semisplit.search.kernels.submoves import (
    SINGLE,
    UNKNOWN,
    add_submove,
    find_all,
    find_in,
    find_submove,
    is_complete,
)
from semisplit.search.settings import Policy

_PREFIX, _SEMIMOVE = Chain.PREFIX.value, Chain.SEMIMOVE.value
_END_SEMIMOVE, _END_MOVE = End.SEMIMOVE.value, End.MOVE.value
_EPSILON_GREEDY, _GIBBS = Policy.EPSILON_GREEDY.value, Policy.GIBBS.value
_MAX_SCALE = 1e100


@kernel
def _of_submove(s: Any, player: int, submove: int) -> int:
    """The number of the samples of a submove; one that is not known has none, like the empty."""
    return max(0, submove) * s.players + player - 1


@kernel
def _of_step(s: Any, player: int, step: int) -> int:
    """The number of the samples of a single step."""
    return (player - 1) * s.words + step


@kernel
def mast_value(s: Any, player: int, submove: int, steps: int, length: int) -> float:
    """The average score of a (semi)move of a player in a context; 1 if it has never been tried."""
    if s.mast_chain:
        start = submove if s.mast_chain == _PREFIX else 0
        number = _of_submove(s, player, find_all(s, start, steps, length))
        if _trusts(s, number):
            return short_reals(s.submove_scores)[number]
    return _split_value(s, player, steps, length)


@kernel
def _trusts(s: Any, number: int) -> bool:
    """Whether samples of a submove count, and not those of its steps."""
    return not s.mast_split or (
        samples(s.submove_samples)[number].weight >= s.mast_threshold * s.scale
    )


@kernel
def _split_value(s: Any, player: int, steps: int, length: int) -> float:
    """The mean of the average scores of single steps; 1 if one of them has never been made."""
    words = integers(steps)
    known, scores = s.submove_samples, s.submove_scores
    if s.split_samples:
        known, scores = s.split_samples, s.split_scores
    total = 0.0
    for i in range(length):
        if s.split_samples:
            number = _of_step(s, player, words[i])
        else:
            number = _of_submove(s, player, find_submove(s, SINGLE, words[i]))
        if samples(known)[number].weight == 0.0:
            return 1.0
        total += short_reals(scores)[number]
    return total / length


@kernel
def choose_candidate(s: Any, level: int, player: int, guided: bool) -> int:
    """CHOOSESEMIMOVEWITHMAST: one of the candidates of a level; all are alike if not guided."""
    here = levels(s)[level]
    if not guided or _draws_uniformly(s):
        return below(s, here.count)
    values = short_reals(s.values)
    if here.flat and s.split_samples and not s.mast_chain:
        steps, scores = integers(s.candidates), short_reals(s.split_scores)
        base = _of_step(s, player, 0)
        for i in range(here.count):
            values[i] = scores[base + steps[here.first + i]]
    elif not here.flat and s.mast_chain and not s.mast_split:
        _find_chain_values(s, level, player)
    else:
        for i in range(here.count):
            steps, length = candidate(s, level, i)
            values[i] = mast_value(s, player, here.submove, steps, length)
    return _pick(s, here.count)


@kernel
def _find_chain_values(s: Any, level: int, player: int) -> None:
    """Find the values of candidates of several steps: the innermost loop of whole moves."""
    here = levels(s)[level]
    first, count = here.first, here.count
    start = here.submove if s.mast_chain == _PREFIX else 0
    places, buffer = integers(s.candidates), s.buffer + 4 * here.buffer
    values, scores, players = short_reals(s.values), short_reals(s.submove_scores), s.players
    table, mask, singles = submoves(s), s.submove_mask, s.single_submoves
    for i in range(count):
        move = integers(buffer + 4 * places[first + i])
        submove = start
        for j in range(1, 1 + move[0]):
            submove = find_in(table, mask, singles, submove, move[j])
        values[i] = scores[max(0, submove) * players + player - 1]


@kernel
def choose_untried(s: Any, first: int, count: int, player: int, submove: int) -> int:
    """One of some edges that have not been tried, counted from the first of them."""
    if not s.mast_in_expansion or _draws_uniformly(s):
        return below(s, count)
    values = short_reals(s.values)
    if s.rave_chain and s.mast_chain == s.rave_chain and not s.mast_split:
        elements, scores = integers(s.elements), short_reals(s.submove_scores)
        for i in range(count):
            values[i] = scores[_of_submove(s, player, elements[first + i])]
    elif s.split_samples and not s.mast_chain and s.list_tree == s.list_actions:
        # What has not been tried is a single step, as it was listed.
        scores, own, base = short_reals(s.split_scores), edges(s), _of_step(s, player, 0)
        for i in range(count):
            values[i] = scores[base + own[first + i].steps]
    else:
        for i in range(count):
            steps, length = edge_steps(s, first + i)
            values[i] = mast_value(s, player, submove, steps, length)
    return _pick(s, count)


@kernel
def _draws_uniformly(s: Any) -> bool:
    return s.mast_policy == _EPSILON_GREEDY and real(s) < s.mast_epsilon


@kernel
def _pick(s: Any, count: int) -> int:
    """Draw a number by the policy and the values."""
    nothing = everywhere(-1.0)
    store_lanes(s.values + 4 * count, nothing)
    highest = nothing
    for i in range(0, count, LANES):
        highest = larger(highest, load_lanes(s.values + 4 * i))
    best = largest(highest)
    if s.mast_policy == _EPSILON_GREEDY:
        return draw_tied(s, count, best)
    values = short_reals(s.values)
    total, highest_value = 0.0, first_lane(best)
    for i in range(count):
        if s.mast_policy == _GIBBS:
            # At most 1, and 1 for the best, however low the temperature is.
            values[i] = exponential((values[i] - highest_value) / s.mast_temperature)
        total += values[i]
    if total == 0.0:
        return below(s, count)
    left = real(s) * total
    for i in range(count):
        left -= values[i]
        if left < 0.0:
            return i
    return count - 1  # rounding left a trifle


@kernel
def update_mast(s: Any) -> None:
    """Add the scores of an iteration to the samples of its moves."""
    steps, scores = trace(s), reals(s.scores)
    length = s.tree_length if s.mast_tree_only else s.trace_length
    if s.mast_split and s.split_samples:
        known, averages, words, weight = s.split_samples, s.split_scores, s.words, s.scale
        for i in range(length):
            player = steps[i].player
            number = (player - 1) * words + steps[i].step
            add_sample(known, averages, number, scores[player - 1], weight)
    elif s.mast_split:
        for i in range(length):
            player = steps[i].player
            _add(s, player, add_submove(s, SINGLE, steps[i].step), scores[player - 1])
    if s.mast_chain:
        submove = 0
        for i in range(length):
            player, step, end = steps[i].player, steps[i].step, steps[i].end
            is_dot = step < s.first_modifier
            if s.mast_chain == _PREFIX or not is_dot or s.mast_chain == _SEMIMOVE:
                extended = add_submove(s, submove, step)
                if is_complete(s.mast_chain, end):
                    _add(s, player, extended, scores[player - 1])
                if not is_dot or s.mast_chain == _SEMIMOVE:
                    submove = extended
            if end == _END_MOVE or (s.mast_chain == _SEMIMOVE and end == _END_SEMIMOVE):
                submove = 0


@kernel
def _add(s: Any, player: int, submove: int, score: float) -> None:
    if submove != UNKNOWN:
        number = _of_submove(s, player, submove)
        add_sample(s.submove_samples, s.submove_scores, number, score, s.scale)


@kernel
def decay_mast(s: Any) -> None:
    """Let all samples lose weight."""
    if s.mast_decay == 0.0:
        steps = s.players * s.words if s.split_samples else 0
        forget_samples(s.split_samples, s.split_scores, steps)
        forget_samples(s.submove_samples, s.submove_scores, s.players * s.submove_count)
        return
    s.scale /= s.mast_decay
    if s.scale > _MAX_SCALE:
        scale_samples(s.split_samples, s.players * s.words if s.split_samples else 0, 1.0 / s.scale)
        scale_samples(s.submove_samples, s.players * s.submove_count, 1.0 / s.scale)
        s.scale = 1.0
