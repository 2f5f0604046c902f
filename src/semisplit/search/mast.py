"""MAST: choosing (semi)moves by what they have scored anywhere.

Samples are kept of single steps (the split variant), of chains of steps (see `Chain`), or of both
(mix). Decay is the growth of the weight of new samples: only the ratio of weights matters.
"""

from __future__ import annotations

from typing import Any

from semisplit.search.candidates import candidate, edge_steps
from semisplit.search.kernel import kernel
from semisplit.search.memory import (
    Chain,
    End,
    integers,
    levels,
    reals,
    samples,
    trace,
)
from semisplit.search.portable import exponential
from semisplit.search.random import below, real
from semisplit.search.settings import Policy
from semisplit.search.submoves import SINGLE, UNKNOWN, add_submove, find_all, find_submove

_PREFIX, _MOVE, _SEMIMOVE = Chain.PREFIX.value, Chain.MOVE.value, Chain.SEMIMOVE.value
_END_SEMIMOVE, _END_MOVE = End.SEMIMOVE.value, End.MOVE.value
_EPSILON_GREEDY, _GIBBS = Policy.EPSILON_GREEDY.value, Policy.GIBBS.value
_MAX_SCALE = 1e100
_UNSEEN = 1.0
"""What has never been tried is as good as can be."""


@kernel
def mast_value(s: Any, player: int, submove: int, steps: int, length: int) -> float:
    """The average score of a (semi)move of a player in a context."""
    if s.mast_chain:
        start = submove if s.mast_chain == _PREFIX else 0
        number = find_all(s, start, steps, length)
        if number != UNKNOWN:
            known = samples(s.submove_samples)[number * s.players + player - 1]
            needed = s.mast_threshold * s.scale if s.mast_split else 0.0
            if known.weight > 0.0 and known.weight >= needed:
                return known.score / known.weight
        if not s.mast_split:
            return _UNSEEN
    words = integers(steps)
    total = 0.0
    for i in range(length):
        weight, score = _split(s, player, words[i])
        if weight == 0.0:
            return _UNSEEN
        total += score / weight
    return total / length


@kernel
def _split(s: Any, player: int, step: int) -> tuple[float, float]:
    """Weight and sum of the samples of a single step."""
    if s.split_samples:
        known = samples(s.split_samples)[(player - 1) * s.words + step]
        return known.weight, known.score
    number = find_submove(s, SINGLE, step)
    if number == UNKNOWN:
        return 0.0, 0.0
    known = samples(s.submove_samples)[number * s.players + player - 1]
    return known.weight, known.score


@kernel
def choose_candidate(s: Any, level: int, player: int, guided: bool) -> int:
    """CHOOSESEMIMOVEWITHMAST: one of the candidates of a level; all are alike if not guided."""
    here = levels(s)[level]
    if not guided or _draws_uniformly(s):
        return below(s, here.count)
    values = reals(s.values)
    if s.mast_chain:
        for i in range(here.count):
            steps, length = candidate(s, level, i)
            values[i] = mast_value(s, player, here.submove, steps, length)
    else:
        _split_values(s, level, player)
    return _pick(s, here.count)


@kernel
def _split_values(s: Any, level: int, player: int) -> None:
    """The values of candidates that are single steps, as nearly all are: the innermost loop."""
    here, values = levels(s)[level], reals(s.values)
    offsets, buffer = integers(s.candidates), integers(s.buffer)
    known = samples(s.split_samples)
    first = (player - 1) * s.words
    for i in range(here.count):
        place = offsets[here.first + i]
        if buffer[place] == 1 and s.split_samples:
            entry = known[first + buffer[place + 1]]
            values[i] = entry.score / entry.weight if entry.weight > 0.0 else _UNSEEN
        else:
            steps, length = candidate(s, level, i)
            values[i] = mast_value(s, player, here.submove, steps, length)


@kernel
def choose_untried(s: Any, first: int, count: int, player: int, submove: int) -> int:
    """One of some edges that have not been tried, counted from the first of them."""
    if not s.mast_in_expansion or _draws_uniformly(s):
        return below(s, count)
    values = reals(s.values)
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
    if s.mast_policy == _EPSILON_GREEDY:
        return _best(s, count)
    values = reals(s.values)
    total = 0.0
    for i in range(count):
        if s.mast_policy == _GIBBS:
            # At most 1, so that nothing overflows at low temperatures.
            values[i] = exponential((values[i] - 1.0) / s.mast_temperature)
        total += values[i]
    if total == 0.0:
        return below(s, count)
    left = real(s) * total
    for i in range(count):
        left -= values[i]
        if left < 0.0:
            return i
    return _best(s, count)  # rounding left a trifle


@kernel
def _best(s: Any, count: int) -> int:
    """The number with the largest value; ties are broken at random."""
    values, ties = reals(s.values), integers(s.ties)
    best, tied = -1.0, 0
    for i in range(count):
        value = values[i]
        if value > best:
            best, tied = value, 0
        if value == best:
            ties[tied] = i
            tied += 1
    return ties[below(s, tied)]


@kernel
def update_mast(s: Any) -> None:
    """Add the scores of an iteration to the samples of its moves."""
    steps, scores = trace(s), reals(s.scores)
    length = s.tree_length if s.mast_tree_only else s.trace_length
    if s.mast_split:
        for i in range(length):
            _add_single(s, steps[i].player, steps[i].step, scores[steps[i].player - 1])
    if s.mast_chain:
        submove = 0
        for i in range(length):
            player, step, end = steps[i].player, steps[i].step, steps[i].end
            is_dot = step < s.first_modifier
            if s.mast_chain == _PREFIX or not is_dot or s.mast_chain == _SEMIMOVE:
                extended = add_submove(s, submove, step)
                if _is_complete(s.mast_chain, end):
                    _add_sample(s, player, extended, scores[player - 1])
                if not is_dot or s.mast_chain == _SEMIMOVE:
                    submove = extended
            if end == _END_MOVE or (s.mast_chain == _SEMIMOVE and end == _END_SEMIMOVE):
                submove = 0


@kernel
def _is_complete(chain: int, end: int) -> bool:
    """Whether a chain of a kind is complete at a step."""
    if chain == _MOVE:
        return end == _END_MOVE
    return chain == _PREFIX or end != 0


@kernel
def _add_single(s: Any, player: int, step: int, score: float) -> None:
    if s.split_samples:
        known = samples(s.split_samples)[(player - 1) * s.words + step]
        known.score += score * s.scale
        known.weight += s.scale
    else:
        _add_sample(s, player, add_submove(s, SINGLE, step), score)


@kernel
def _add_sample(s: Any, player: int, submove: int, score: float) -> None:
    if submove != UNKNOWN:
        known = samples(s.submove_samples)[submove * s.players + player - 1]
        known.score += score * s.scale
        known.weight += s.scale


@kernel
def decay_mast(s: Any) -> None:
    """Let all samples lose weight."""
    if s.mast_decay > 0.0:
        s.scale /= s.mast_decay
    if s.mast_decay == 0.0 or s.scale > _MAX_SCALE:
        factor = 1.0 / s.scale if s.mast_decay > 0.0 else 0.0
        if s.split_samples:
            _multiply(s.split_samples, s.players * s.words, factor)
        _multiply(s.submove_samples, s.players * s.submove_count, factor)
        s.scale = 1.0


@kernel
def _multiply(address: int, count: int, factor: float) -> None:
    known = samples(address)
    for i in range(count):
        known[i].score *= factor
        known[i].weight *= factor
