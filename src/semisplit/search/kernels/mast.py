"""MAST: choosing (semi)moves by what they have scored anywhere.

Samples are kept of single steps (the split variant), of chains of steps (see `Chain`), or of both
(mix). Decay is the growth of the weight of new samples: only the ratio of weights matters.
"""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.candidates import candidate, edge_steps
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import (
    Chain,
    End,
    integers,
    levels,
    reals,
    samples,
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
    find_submove,
    is_complete,
)
from semisplit.search.settings import Policy

_PREFIX, _SEMIMOVE = Chain.PREFIX.value, Chain.SEMIMOVE.value
_END_SEMIMOVE, _END_MOVE = End.SEMIMOVE.value, End.MOVE.value
_EPSILON_GREEDY, _GIBBS = Policy.EPSILON_GREEDY.value, Policy.GIBBS.value
_MAX_SCALE = 1e100


@kernel
def _of_submove(s: Any, player: int, submove: int) -> Any:
    """The samples of a submove."""
    return samples(s.submove_samples)[submove * s.players + player - 1]


@kernel
def _of_step(s: Any, player: int, step: int) -> Any:
    """The samples of a single step."""
    return samples(s.split_samples)[(player - 1) * s.words + step]


@kernel
def mast_value(s: Any, player: int, submove: int, steps: int, length: int) -> float:
    """The average score of a (semi)move of a player in a context; 1 if it has never been tried."""
    if s.mast_chain:
        start = submove if s.mast_chain == _PREFIX else 0
        # The empty submove has no samples, nor has one that is not known.
        known = _of_submove(s, player, max(0, find_all(s, start, steps, length)))
        if not s.mast_split or known.weight >= s.mast_threshold * s.scale:
            return known.score
    words = integers(steps)
    total = 0.0
    for i in range(length):
        known = _single(s, player, words[i])
        if known.weight == 0.0:
            return 1.0
        total += known.score
    return total / length


@kernel
def _single(s: Any, player: int, step: int) -> Any:
    """The samples of a single step, wherever they are kept; those of nothing if there are none."""
    if s.split_samples:
        return _of_step(s, player, step)
    return _of_submove(s, player, max(0, find_submove(s, SINGLE, step)))


@kernel
def choose_candidate(s: Any, level: int, player: int, guided: bool) -> int:
    """CHOOSESEMIMOVEWITHMAST: one of the candidates of a level; all are alike if not guided."""
    here = levels(s)[level]
    if not guided or _draws_uniformly(s):
        return below(s, here.count)
    if here.flat and s.split_samples and not s.mast_chain:
        best = _split_values(s, level, player)
    else:
        values, best = reals(s.values), 0.0
        for i in range(here.count):
            steps, length = candidate(s, level, i)
            values[i] = mast_value(s, player, here.submove, steps, length)
            best = max(best, values[i])
    return _pick(s, here.count, best)


@kernel
def _split_values(s: Any, level: int, player: int) -> float:
    """Find the values of single steps, and the best one: the innermost loop."""
    first, count = levels(s)[level].first, levels(s)[level].count
    steps, values, known = integers(s.candidates), reals(s.values), samples(s.split_samples)
    base, best = (player - 1) * s.words, 0.0
    for i in range(count):
        value = known[base + steps[first + i]].score
        values[i] = value
        best = value if value > best else best
    return best


@kernel
def choose_untried(s: Any, first: int, count: int, player: int, submove: int) -> int:
    """One of some edges that have not been tried, counted from the first of them."""
    if not s.mast_in_expansion or _draws_uniformly(s):
        return below(s, count)
    values, best = reals(s.values), 0.0
    for i in range(count):
        steps, length = edge_steps(s, first + i)
        values[i] = mast_value(s, player, submove, steps, length)
        best = max(best, values[i])
    return _pick(s, count, best)


@kernel
def _draws_uniformly(s: Any) -> bool:
    return s.mast_policy == _EPSILON_GREEDY and real(s) < s.mast_epsilon


@kernel
def _pick(s: Any, count: int, best: float) -> int:
    """Draw a number by the policy and the values, of which one is the best."""
    if s.mast_policy == _EPSILON_GREEDY:
        return draw_tied(s, count, best)
    values = reals(s.values)
    total = 0.0
    for i in range(count):
        if s.mast_policy == _GIBBS:
            # At most 1, and 1 for the best, however low the temperature is.
            values[i] = exponential((values[i] - best) / s.mast_temperature)
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
                if is_complete(s.mast_chain, end):
                    _add(s, player, extended, scores[player - 1])
                if not is_dot or s.mast_chain == _SEMIMOVE:
                    submove = extended
            if end == _END_MOVE or (s.mast_chain == _SEMIMOVE and end == _END_SEMIMOVE):
                submove = 0


@kernel
def _add_single(s: Any, player: int, step: int, score: float) -> None:
    if s.split_samples:
        add_sample(_of_step(s, player, step), score, s.scale)
    else:
        _add(s, player, add_submove(s, SINGLE, step), score)


@kernel
def _add(s: Any, player: int, submove: int, score: float) -> None:
    if submove != UNKNOWN:
        add_sample(_of_submove(s, player, submove), score, s.scale)


@kernel
def decay_mast(s: Any) -> None:
    """Let all samples lose weight."""
    if s.mast_decay == 0.0:
        forget_samples(s.split_samples, s.players * s.words if s.split_samples else 0)
        forget_samples(s.submove_samples, s.players * s.submove_count)
        return
    s.scale /= s.mast_decay
    if s.scale > _MAX_SCALE:
        scale_samples(s.split_samples, s.players * s.words if s.split_samples else 0, 1.0 / s.scale)
        scale_samples(s.submove_samples, s.players * s.submove_count, 1.0 / s.scale)
        s.scale = 1.0
