"""MAST: choosing (semi)moves by what they have scored anywhere.

Samples are kept of single steps (the split variant), of submoves (see `KnownSubmoves`), or of
both (mix). Decay is the growth of the weight of new samples: only the ratio of weights matters.
"""

from __future__ import annotations

from semisplit.compiler.runtime.abi import End
from semisplit.search.engine.candidates import candidate, edge_steps
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.lanes import (
    LANES,
    everywhere,
    first_lane,
    larger,
    largest,
    load_lanes,
    store_lanes,
)
from semisplit.search.engine.toolkit.portable import exponential
from semisplit.search.engine.toolkit.random import below, draw_tied, real
from semisplit.search.engine.toolkit.record import Array, address_of, i4, part_of
from semisplit.search.features.mast.settings import Policy
from semisplit.search.features.submoves.kernels import (
    SINGLE,
    UNKNOWN,
    add_submove,
    find_all,
    find_in,
    find_submove,
    is_complete,
)
from semisplit.search.features.submoves.records import KnownSubmoves
from semisplit.search.features.submoves.samples import add_sample, forget_samples, scale_samples

_PREFIXES, _MOVES, _SEMIMOVES = (known.value for known in list(KnownSubmoves)[1:])
_END_SEMIMOVE, _END_MOVE = End.SEMIMOVE.value, End.MOVE.value
_EPSILON_GREEDY, _GIBBS = Policy.EPSILON_GREEDY.value, Policy.GIBBS.value
_MAX_SCALE = 1e100


@kernel
def _of_submove(s: Workspace, player: int, submove: int) -> int:
    """The number of the samples of a submove; one that is not known has none, like the empty."""
    return max(0, submove) * s.rules.players + player - 1


@kernel
def _of_step(s: Workspace, player: int, step: int) -> int:
    """The number of the samples of a single step."""
    return (player - 1) * s.rules.codes + step


@kernel
def mast_value(s: Workspace, player: int, submove: int, steps: Array[i4], length: int) -> float:
    """The average score of a (semi)move of a player in a context; 1 if it has never been tried."""
    if s.settings.mast.submoves:
        start = submove if s.settings.mast.submoves == _PREFIXES else 0
        number = _of_submove(s, player, find_all(s, start, steps, length))
        if _trusts(s, number):
            return s.tree.mast.submove_means[number]
    return _split_value(s, player, steps, length)


@kernel
def _trusts(s: Workspace, number: int) -> bool:
    """Whether samples of a submove count, and not those of its steps."""
    return not s.settings.mast.split or (
        s.tree.mast.submove_samples[number].weight >= s.settings.mast.threshold * s.tree.mast.scale
    )


@kernel
def _split_value(s: Workspace, player: int, steps: Array[i4], length: int) -> float:
    """The mean of the average scores of single steps; 1 if one of them has never been made."""
    dense = s.settings.dense
    samples, scores = s.tree.mast.submove_samples, s.tree.mast.submove_means
    if dense:
        samples, scores = s.tree.mast.step_samples, s.tree.mast.step_means
    total = 0.0
    for i in range(length):
        if dense:
            number = _of_step(s, player, steps[i])
        else:
            number = _of_submove(s, player, find_submove(s, SINGLE, steps[i]))
        if samples[number].weight == 0.0:
            return 1.0
        total += scores[number]
    return total / length


@kernel
def choose_by_mast(s: Workspace, level: int, player: int, guided: bool) -> int:
    """CHOOSESEMIMOVEWITHMAST: one of the candidates of a level; all are alike if not guided."""
    here = s.worker.levels[level]
    if not guided or player == s.rules.chance or _draws_uniformly(s):
        return below(s, here.count)
    settings, values = s.settings, s.worker.values
    if here.flat and settings.dense and not settings.mast.submoves:
        steps, scores = s.worker.lists.candidates, s.tree.mast.step_means
        base = _of_step(s, player, 0)
        for i in range(here.count):
            values[i] = scores[base + steps[here.first + i]]
    elif not here.flat and settings.mast.submoves and not settings.mast.split:
        _find_submove_values(s, level, player)
    else:
        for i in range(here.count):
            steps, length = candidate(s, level, i)
            values[i] = mast_value(s, player, here.submove, steps, length)
    return _pick(s, here.count)


@kernel
def _find_submove_values(s: Workspace, level: int, player: int) -> None:
    """Find the values of candidates of several steps: the innermost loop of whole moves."""
    here = s.worker.levels[level]
    first, count = here.first, here.count
    start = here.submove if s.settings.mast.submoves == _PREFIXES else 0
    places, buffer = s.worker.lists.candidates, part_of(s.worker.lists.buffer, here.buffer)
    values, scores, players = s.worker.values, s.tree.mast.submove_means, s.rules.players
    table, mask, singles = s.tree.submoves.table, s.tree.submoves.mask, s.tree.submoves.singles
    for i in range(count):
        move = part_of(buffer, places[first + i])
        submove = start
        for j in range(1, 1 + move[0]):
            submove = find_in(table, mask, singles, submove, move[j])
        values[i] = scores[max(0, submove) * players + player - 1]


@kernel
def choose_untried_by_mast(s: Workspace, first: int, count: int, player: int, submove: int) -> int:
    """One of some edges that have not been tried, counted from the first of them."""
    settings, values = s.settings, s.worker.values
    if not settings.mast.in_expansion or player == s.rules.chance or _draws_uniformly(s):
        return below(s, count)
    known = settings.mast.submoves
    if known and known == settings.rave.submoves and not settings.mast.split:
        elements, scores = s.tree.rave.elements, s.tree.mast.submove_means
        for i in range(count):
            values[i] = scores[_of_submove(s, player, elements[first + i])]
    elif settings.dense and not known and s.rules.list_tree == s.rules.list_actions:
        # What has not been tried is a single step, as it was listed.
        scores, own, base = s.tree.mast.step_means, s.tree.edges, _of_step(s, player, 0)
        for i in range(count):
            values[i] = scores[base + own[first + i].steps]
    else:
        for i in range(count):
            steps, length = edge_steps(s, first + i)
            values[i] = mast_value(s, player, submove, steps, length)
    return _pick(s, count)


@kernel
def _draws_uniformly(s: Workspace) -> bool:
    return s.settings.mast.policy == _EPSILON_GREEDY and real(s) < s.settings.mast.epsilon


@kernel
def _pick(s: Workspace, count: int) -> int:
    """Draw a number by the policy and the values."""
    nothing, values = everywhere(-1.0), s.worker.values
    store_lanes(address_of(values, count), nothing)
    highest = nothing
    for i in range(0, count, LANES):
        highest = larger(highest, load_lanes(address_of(values, i)))
    best = largest(highest)
    if s.settings.mast.policy == _EPSILON_GREEDY:
        return draw_tied(s, count, best)
    total, highest_value = 0.0, first_lane(best)
    for i in range(count):
        if s.settings.mast.policy == _GIBBS:
            # At most 1, and 1 for the best, however low the temperature is.
            values[i] = exponential((values[i] - highest_value) / s.settings.mast.temperature)
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
def update_mast(s: Workspace) -> None:
    """Add the scores of an iteration to the samples of its moves, and forget if it is time."""
    mast = s.settings.mast
    if mast.split or mast.submoves:
        _add_iteration(s)
        if mast.interval and s.tree.simulations % mast.interval == 0:
            decay_mast(s)


@kernel
def _add_iteration(s: Workspace) -> None:
    tree, settings = s.tree, s.settings
    steps, scores = s.worker.trace, s.worker.scores
    length = s.worker.tree_length if settings.mast.tree_only else s.worker.trace_length
    if settings.mast.split and settings.dense:
        samples, averages, weight = tree.mast.step_samples, tree.mast.step_means, tree.mast.scale
        codes, sharing = s.rules.codes, settings.parallel.sharing
        for i in range(length):
            player = steps[i].player
            number = (player - 1) * codes + steps[i].step
            add_sample(samples, averages, number, scores[player - 1], weight, sharing)
    elif settings.mast.split:
        for i in range(length):
            player = steps[i].player
            _add(s, player, add_submove(s, SINGLE, steps[i].step), scores[player - 1])
    known = settings.mast.submoves
    if known:
        submove = 0
        for i in range(length):
            player, step, end = steps[i].player, steps[i].step, steps[i].end
            is_silent = step < s.rules.silent
            if not is_silent or known != _MOVES:
                extended = add_submove(s, submove, step)
                if is_complete(known, end):
                    _add(s, player, extended, scores[player - 1])
                if not is_silent or known == _SEMIMOVES:
                    submove = extended
            if end == _END_MOVE or (known == _SEMIMOVES and end == _END_SEMIMOVE):
                submove = 0


@kernel
def _add(s: Workspace, player: int, submove: int, score: float) -> None:
    if submove != UNKNOWN:
        number = _of_submove(s, player, submove)
        samples, averages = s.tree.mast.submove_samples, s.tree.mast.submove_means
        add_sample(samples, averages, number, score, s.tree.mast.scale, s.settings.parallel.sharing)


@kernel
def decay_mast(s: Workspace) -> None:
    """Let all samples lose weight."""
    tree, players = s.tree, s.rules.players
    steps = players * s.rules.codes if s.settings.mast.split and s.settings.dense else 0
    submoves = players * tree.submoves.count
    if s.settings.mast.decay_factor == 0.0:
        forget_samples(tree.mast.step_samples, tree.mast.step_means, steps)
        forget_samples(tree.mast.submove_samples, tree.mast.submove_means, submoves)
        return
    tree.mast.scale /= s.settings.mast.decay_factor
    if tree.mast.scale > _MAX_SCALE:
        scale_samples(tree.mast.step_samples, steps, 1.0 / tree.mast.scale)
        scale_samples(tree.mast.submove_samples, submoves, 1.0 / tree.mast.scale)
        tree.mast.scale = 1.0
