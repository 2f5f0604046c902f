"""Strength in Elo: of a score, and of several players by all their results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from semisplit.stats.records import Interval, Record

Array = npt.NDArray[np.float64]

ELO_PER_NAT = 400 / math.log(10)
"""Elo counts in tenfold odds, divided in 400; the formulas here in e-fold odds."""
PRIOR_DRAWS = 1.0
LARGEST_STEP = 1.0
"""Newton's method climbs surely if no logarithm of odds changes by more in one step."""
LAST_STEP = 1e-7
"""The error left behind is the square of the last step."""


def expected_score(elo: float) -> float:
    """The score the logistic model expects of a player stronger by so many Elo points."""
    return float(_logistic(np.asarray(elo / ELO_PER_NAT)))


def elo(score: float) -> float:
    """How many Elo points stronger a player with this score is; infinite for 0 and 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score is from 0 to 1, not {score}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_NAT * math.log(score / (1 - score))


def _logistic(logit: Array) -> Array:
    # The exponential of a positive number may be too large; that of a negative one never is.
    small = np.exp(-np.abs(logit))
    return np.asarray(np.where(logit >= 0, 1.0, small) / (1 + small))


@dataclass(frozen=True)
class Rating:
    """The strength of a player among others."""

    elo: float
    """Relative to the mean of all rated players."""
    error: float
    """The standard error of `elo`."""

    @property
    def interval(self) -> Interval:
        """Where the strength lies with 95 % confidence."""
        margin = NormalDist().inv_cdf(0.975) * self.error
        return Interval(self.elo - margin, self.elo + margin)


def elo_ratings(results: Mapping[tuple[str, str], Record]) -> dict[str, Rating]:
    """Rate players by the Elo differences that make their results most likely.

    The model is that of Bradley and Terry, with draws as half wins; the errors come from the Fisher
    information. As a prior, everybody gets one virtual draw against an opponent of strength 0. So
    players without a loss or without a win have finite ratings; those of all are a little nearer to
    0 than the most likely ones, the less the more games there are. Groups of players that never met
    are placed about the same mean; their errors are large, as only the virtual draws connect them.

    Args:
        results: The record of the first player of a pair against the second. Both orders of a pair
            are added; games of a player against itself say nothing and change nothing.

    Returns:
        The ratings with mean 0, from the strongest player to the weakest, equal ones by name.
    """
    if not results:
        return {}
    players = sorted({name for pair in results for name in pair})
    points, games = _tables(players, results)
    strengths, information = most_likely(points, games, _virtual_draw)
    centring = np.eye(len(players)) - 1 / len(players)
    covariance = centring @ np.linalg.inv(information) @ centring
    errors = np.sqrt(np.maximum(0, covariance.diagonal()))
    ratings = {
        player: Rating(float(ELO_PER_NAT * strength), float(ELO_PER_NAT * error))
        for player, strength, error in zip(players, centring @ strengths, errors)
    }
    # Digits that are only errors of rounding must not decide.
    return dict(sorted(ratings.items(), key=lambda item: -round(item[1].elo, 6)))


def _tables(
    players: Sequence[str], results: Mapping[tuple[str, str], Record]
) -> tuple[Array, Array]:
    """The points of each player and the number of games of each two."""
    index = {player: number for number, player in enumerate(players)}
    points = np.zeros(len(players))
    games = np.zeros((len(players), len(players)))
    for (first, second), record in results.items():
        if first != second:
            i, j = index[first], index[second]
            points[i] += record.games * record.score
            points[j] += record.games * record.swapped.score
            games[i, j] += record.games
            games[j, i] += record.games
    return points, games


def _virtual_draw(strengths: Array) -> tuple[Array, Array]:
    expected = _logistic(strengths)
    return PRIOR_DRAWS * (0.5 - expected), PRIOR_DRAWS * expected * _logistic(-strengths)


def most_likely(
    points: Array, games: Array, prior: Callable[[Array], tuple[Array, Array]]
) -> tuple[Array, Array]:
    """The most likely strengths by Newton's method, and the Fisher information about them.

    Strengths are logarithms of odds: a player beats another with odds that are the quotient.

    Args:
        points: What each player has scored.
        games: How many games each two have played.
        prior: Gives slope and curvature, turned positive, of the logarithm of the prior
            probability of strengths, for each player.
    """
    strengths = np.zeros_like(points)
    spread = math.inf
    while True:
        differences = strengths[:, None] - strengths
        expected = _logistic(differences)
        between = games * expected * _logistic(-differences)
        slope, curvature = prior(strengths)
        information = np.diag(between.sum(axis=1) + curvature) - between
        if spread <= LAST_STEP:
            return strengths, information
        surplus = points - (games * expected).sum(axis=1) + slope
        step = np.linalg.solve(information, surplus)
        # Strength 0, as the prior has it, stays where it is.
        spread = max(0.0, *step) - min(0.0, *step)
        strengths += LARGEST_STEP / max(LARGEST_STEP, spread) * step
