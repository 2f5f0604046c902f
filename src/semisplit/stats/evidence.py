"""What may be concluded from the pairs of a match: intervals and verdicts that are right.

All of it follows from a *doubt*: given results, a bound on the probability that they, or better
ones, come up although the true score is no higher than some value. An interval has the scores that
are not doubtful from either side, a verdict says which scores are not in it, so the two cannot
contradict each other. There are two doubts: `at_fixed_length` if the number of games was chosen
beforehand, `at_any_length` if one looks at the results and stops when they suffice.

Pairs are taken to be independent and alike. Nothing is assumed about draws, about the advantage of
a side, or about how the games of a pair depend on each other. docs/matches.md has error rates.
Intervals are also made for the average scores of rounds, with other results than those of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal

import numpy as np

from semisplit.stats.ratings import elo, expected_score
from semisplit.stats.records import Interval, Pairs, Results

Verdict = Literal["better", "worse", "similar", "undecided", "too few games"]
Doubt = Callable[[Results, float], float]

LEVEL = 0.05
"""How often a verdict may be wrong, and an interval."""
SIMILAR_ELO = 50.0
"""Players closer than this are similar. The papers' matches cannot tell them apart, either."""
_SIMILAR_SCORE = expected_score(SIMILAR_ELO)

_STEP = 0.01
_GRID = np.exp(np.arange(-22.0, 23.0, _STEP))
"""Where to evaluate the integral: its ends and its step make errors of less than 1e-4."""
_SURE = 30.0
"""Standard deviations beyond which nothing is in doubt."""
_BETS = np.array([[0.9], [0.5], [0.25], [0.12], [0.06], [0.03], [0.015]])
_LOG_SHARES = np.log([0.2, 0.2, 0.2, 0.2, 0.1, 0.05, 0.05])
"""What is bet of each share of the capital. Large bets win clear matches, small ones close ones."""
_BISECTIONS = 25


def at_fixed_length(results: Results, score: float) -> float:
    """The doubt in a true score above `score`, after a number of games chosen beforehand.

    Without draws, and if both games of every pair end alike, this is the exact binomial test, whose
    interval is that of Clopper and Pearson. Learned-Miller and Thomas (2019) carry it over to all
    distributions on [0, 1]: add the worst possible result to the sample, weight the results at
    random, all weights being equally likely, and see how often the mean is below `score`. That this
    errs no more often than it says is proven for the former, and a conjecture for the others, which
    `benchmarks/sprt.py` tries to break.

    The weights are distributed like gamma variables divided by their sum, so that is the
    probability of a sum of gamma variables, each times its distance from `score`, to be negative:
    an integral over its characteristic function (Gil-Pelaez).
    """
    weights = np.array(results.counts, dtype=float)
    weights[0] += 1
    distances = np.array(results.scores) - score
    matter = (weights > 0) & (distances != 0)
    weights, distances = weights[matter], distances[matter]
    if np.all(distances < 0):
        return 1.0
    deviation = math.sqrt(weights @ distances**2)
    mean = weights @ distances
    if np.all(distances > 0) or abs(mean) > _SURE * deviation:
        return float(mean < 0)
    arguments = np.outer(distances, _GRID / deviation)
    phase = weights @ np.arctan(arguments)
    damping = weights @ np.log1p(arguments**2) / 2
    integral = _STEP / math.pi * np.sum(np.sin(phase) * np.exp(-damping))
    return float(np.clip(0.5 - integral, 0, 1))


def at_any_length(results: Results, score: float) -> float:
    """The doubt in a true score above `score`, however long one has been waiting for it to vanish.

    Somebody bets on every pair that it is above `score`: a part of the capital, lost if both games
    are, with a fair gain if the true score is `score`. The capital then is a likelihood ratio, and
    its mean stays 1, so it ever grows 40-fold with a probability of at most 1/40 (Ville). As nobody
    knows how much should be bet, the capital is divided: a mixture sequential probability ratio
    test (Robbins) on the five results of a pair.
    """
    if score <= 0:
        return 1.0
    factors = 1 + _BETS * (np.array(results.scores) / score - 1)
    capital = np.logaddexp.reduce(_LOG_SHARES + np.log(factors) @ np.array(results.counts))
    return math.exp(min(0.0, -capital))


# Tables, drawings and averages ask for it again.
@cache
def score_interval(
    results: Results, doubt: Doubt = at_fixed_length, confidence: float = 1 - LEVEL
) -> Interval:
    """Where the true score lies, but for at most 5 % of all matches; [0, 1] without games."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is between 0 and 1, not {confidence}")
    tail = (1 - confidence) / 2
    return Interval(_lowest(results, doubt, tail), 1 - _lowest(results.swapped, doubt, tail))


def _lowest(results: Results, doubt: Doubt, tail: float) -> float:
    low, high = 0.0, results.score
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if doubt(results, middle) <= tail:
            low = middle
        else:
            high = middle
    return low


def elo_interval(scores: Interval) -> Interval:
    """An interval of scores as differences in Elo; infinite where nothing bounds them."""
    return Interval(elo(scores.low), elo(scores.high))


def verdict(pairs: Pairs, doubt: Doubt = at_fixed_length, level: float = LEVEL) -> Verdict:
    """What is known about the agent, but for an error with a probability of at most `level`.

    It is better or worse, or the two are closer than 50 Elo; if both are known, the former is said.
    Otherwise it is undecided; if nothing would be known even if all games had been won, there are
    too few of them.
    """
    tail = level / 2
    if doubt(pairs, 0.5) <= tail:
        return "better"
    if doubt(pairs.swapped, 0.5) <= tail:
        return "worse"
    if _doubt_in_similarity(pairs, doubt) <= tail:
        return "similar"
    all_won = Pairs((0, 0, 0, 0, pairs.total))
    return "undecided" if doubt(all_won, 0.5) <= tail else "too few games"


def p_value(pairs: Pairs, doubt: Doubt = at_fixed_length) -> float:
    """The smallest level at which there is a verdict."""
    doubts = doubt(pairs, 0.5), doubt(pairs.swapped, 0.5), _doubt_in_similarity(pairs, doubt)
    return min(1.0, 2 * min(doubts))


def _doubt_in_similarity(pairs: Pairs, doubt: Doubt) -> float:
    worse, better = doubt(pairs, 1 - _SIMILAR_SCORE), doubt(pairs.swapped, 1 - _SIMILAR_SCORE)
    return max(worse, better)


def holm_levels(p_values: Sequence[float], level: float = LEVEL) -> list[float]:
    """At which level to judge each of several matches, so that probably no verdict is wrong.

    That is Holm's method: the clearest of m matches is judged at level / m, the next one at
    level / (m - 1) and so on, up to the first that is not clear enough, as are those after it.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    levels = [0.0] * len(p_values)
    allowed, is_clear = level, True
    for rank, place in enumerate(order):
        if is_clear:
            allowed = level / (len(p_values) - rank)
            is_clear = p_values[place] <= allowed
        levels[place] = allowed
    return levels
