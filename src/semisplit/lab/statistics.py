"""What the results of matches say about the strength of players.

Two players are compared by their `Record`: score intervals, a verdict, the difference in Elo, and a
sequential test that says when a match can stop. Several players are rated by `elo_ratings`.
Everything is seen from the first player, and defined for every record, also without games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, NamedTuple

Verdict = Literal["better", "similar", "worse"]
Matrix = list[list[float]]

ELO_PER_NAT = 400 / math.log(10)
"""Elo counts in tenfold odds, divided in 400; the formulas here in e-fold odds."""
PAPERS_QUANTILE = 1.96
MIN_GAMES = 4
"""For a verdict."""
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
PRIOR_DRAWS = 1.0
BISECTIONS = 40
"""Halve the range of a multiplier, which is of the size of 1, until it does not matter."""
LARGEST_STEP = 1.0
"""Newton's method climbs surely if no logarithm of odds changes by more in one step."""
LAST_STEP = 1e-7
"""The error left behind is the square of the last step."""


class Interval(NamedTuple):
    """Where a score or an Elo difference probably lies, ends included."""

    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half of the width: what is written after "±"."""
        return (self.high - self.low) / 2


UNKNOWN_SCORE = Interval(0.0, 1.0)


@dataclass(frozen=True)
class Record:
    """How many games a player won, drew and lost against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        _check_counts(self.wins, self.draws, self.losses)

    def __add__(self, other: Record) -> Record:
        return Record(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The mean result of a game, a draw being half a win.

        One half without games: the centre of what is possible, as all intervals say then.
        """
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def variance(self) -> float:
        """The variance of the results 1, 1/2 and 0 in these games; 0 without games."""
        if not self.games:
            return 0.0
        # In whole numbers, so that equal results have a variance of exactly 0.
        squares = self.games * (4 * self.wins + self.draws)
        return (squares - (2 * self.wins + self.draws) ** 2) / (4 * self.games**2)

    @property
    def swapped(self) -> Record:
        """The same games as the other player sees them."""
        return Record(self.losses, self.draws, self.wins)

    @property
    def outcomes(self) -> tuple[tuple[float, int], ...]:
        """Each possible result of a game and how often it was seen."""
        return (0.0, self.losses), (0.5, self.draws), (1.0, self.wins)


@dataclass(frozen=True)
class Pairs:
    """Pairs of games with swapped sides, counted by the points of the player: 0, 1/2, 1, 3/2, 2.

    If one side has an advantage, the games of a pair tend to cancel out; a sequential test that
    knows the pairs then needs fewer games than one that knows only the record.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        _check_counts(*self.counts)

    @property
    def swapped(self) -> Pairs:
        """The same games as the other player sees them."""
        none, half, one, more, two = self.counts
        return Pairs((two, more, one, half, none))

    @property
    def outcomes(self) -> tuple[tuple[float, int], ...]:
        """Each possible score in a pair, as the mean of its games, and how often it was seen."""
        return tuple(zip(PAIR_SCORES, self.counts))


def _check_counts(*counts: int) -> None:
    if min(counts) < 0:
        raise ValueError(f"numbers of games cannot be negative: {counts}")


# Two players


def papers_interval(record: Record) -> Interval:
    """The 95 % interval of the score, as the scripts of the papers compute it.

    It is symmetric about the score, so it may leave [0, 1], and has no width if all results are
    equal. With less than two games, where the formula fails, it is all of [0, 1].
    """
    if record.games < 2:
        return UNKNOWN_SCORE
    margin = PAPERS_QUANTILE * math.sqrt(record.variance / (record.games - 1))
    return Interval(record.score - margin, record.score + margin)


def wilson_interval(record: Record, confidence: float = 0.95) -> Interval:
    """Wilson's interval of the score: never outside of [0, 1], sensible with few games.

    A draw counts as half a win and half a loss. Wins and losses alone are the most variable results
    with a given mean, so with draws the interval is wider than it had to be: conservative. Without
    games it is all of [0, 1].
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is between 0 and 1, not {confidence}")
    if not record.games:
        return UNKNOWN_SCORE
    score, games = record.score, record.games
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrink = 1 + z * z / games
    centre = (score + z * z / (2 * games)) / shrink
    margin = z * math.sqrt(score * (1 - score) / games + (z / (2 * games)) ** 2) / shrink
    # Rounding must not put the ends on the wrong side of the score or of the possible.
    return Interval(max(0.0, min(score, centre - margin)), min(1.0, max(score, centre + margin)))


def verdict(record: Record) -> Verdict:
    """Whether the player is better or worse, with 95 % confidence, after a match of fixed length.

    It is, if the whole papers' interval is above or below 50 %. Less than four games are always
    "similar": the papers' interval is too sure of them, and Wilson's contains 50 % even if all were
    won. Four wins alone are "better" by both intervals; draws alone are "similar".
    """
    low, high = papers_interval(record)
    if record.games < MIN_GAMES or low <= 0.5 <= high:
        return "similar"
    return "better" if low > 0.5 else "worse"


def expected_score(elo: float) -> float:
    """The score the logistic model expects of a player stronger by so many Elo points."""
    return _logistic(elo / ELO_PER_NAT)


def elo(score: float) -> float:
    """How many Elo points stronger a player with this score is; infinite for 0 and 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score is from 0 to 1, not {score}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_NAT * math.log(score / (1 - score))


def elo_interval(record: Record, confidence: float = 0.95) -> Interval:
    """The interval of the Elo difference: the ends of Wilson's interval, as Elo.

    An end is infinite if nothing bounds it: the upper one after wins alone, the lower one after
    losses alone, both without games.
    """
    low, high = wilson_interval(record, confidence)
    return Interval(elo(low), elo(high))


def _logistic(logit: float) -> float:
    # The exponential of a positive number may be too large; that of a negative one never is.
    small = math.exp(-abs(logit))
    return (1.0 if logit >= 0 else small) / (1 + small)


# Several players


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
    strengths = _most_likely(points, games)
    errors = _centred_errors(_inverse(_information(strengths, games)))
    mean = sum(strengths) / len(players)
    ratings = {
        player: Rating(ELO_PER_NAT * (strength - mean), ELO_PER_NAT * error)
        for player, strength, error in zip(players, strengths, errors)
    }
    return dict(sorted(ratings.items(), key=lambda item: -item[1].elo))


def _tables(
    players: Sequence[str], results: Mapping[tuple[str, str], Record]
) -> tuple[list[float], Matrix]:
    """The points of each player and the number of games of each two."""
    index = {player: number for number, player in enumerate(players)}
    points = [0.0] * len(players)
    games = [[0.0] * len(players) for _ in players]
    for (first, second), record in results.items():
        if first != second:
            i, j = index[first], index[second]
            points[i] += record.games * record.score
            points[j] += record.games * record.swapped.score
            games[i][j] += record.games
            games[j][i] += record.games
    return points, games


def _most_likely(points: list[float], games: Matrix) -> list[float]:
    """The most likely strengths, as logarithms of odds, by Newton's method."""
    strengths = [0.0] * len(points)
    spread = math.inf
    while spread > LAST_STEP:
        gradient = _gradient(strengths, points, games)
        inverse = _inverse(_information(strengths, games))
        step = [sum(value * slope for value, slope in zip(row, gradient)) for row in inverse]
        # The prior's opponent stays at 0.
        spread = max(0.0, *step) - min(0.0, *step)
        scale = LARGEST_STEP / max(LARGEST_STEP, spread)
        strengths = [strength + scale * change for strength, change in zip(strengths, step)]
    return strengths


def _gradient(strengths: list[float], points: list[float], games: Matrix) -> list[float]:
    """By how much each player scored more than expected, with the prior."""
    return [
        scored
        - sum(n * _logistic(own - other) for n, other in zip(row, strengths) if n)
        + PRIOR_DRAWS * (0.5 - _logistic(own))
        for own, scored, row in zip(strengths, points, games)
    ]


def _information(strengths: list[float], games: Matrix) -> Matrix:
    """The Fisher information about the strengths in the games and the prior."""
    matrix = [
        [-n * _logistic(own - other) * _logistic(other - own) for n, other in zip(row, strengths)]
        for own, row in zip(strengths, games)
    ]
    for i, own in enumerate(strengths):
        matrix[i][i] = PRIOR_DRAWS * _logistic(own) * _logistic(-own) - sum(matrix[i])
    return matrix


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a positive definite matrix, which needs no pivoting."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        top = rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for i, row in enumerate(rows):
            if i != pivot and (factor := row[pivot]):
                rows[i] = [value - factor * above for value, above in zip(row, top)]
    return [row[size:] for row in rows]


def _centred_errors(covariance: Matrix) -> list[float]:
    """The standard errors of values minus their mean."""
    size = len(covariance)
    with_mean = [sum(row) / size for row in covariance]
    of_mean = sum(with_mean) / size
    variances = (row[i] - 2 * with_mean[i] + of_mean for i, row in enumerate(covariance))
    return [math.sqrt(variance) for variance in variances]


# When to stop


@dataclass(frozen=True)
class Sprt:
    """A sequential test of whether a player is stronger by `elo1` or only by `elo0`.

    It may be asked after every game. The likelihoods compared are the largest under each hypothesis
    (generalised sequential probability ratio test), so nothing needs to be known about draws.

    Attributes:
        elo0: The difference under the null hypothesis.
        elo1: The difference under the alternative, larger than `elo0`.
        alpha: How often to accept, at most, if the difference is `elo0` or less.
        beta: How often to reject, at most, if the difference is `elo1` or more.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < expected_score(self.elo0) < expected_score(self.elo1) < 1:
            raise ValueError(f"expected finite elo0 < elo1, not {self.elo0} and {self.elo1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"expected positive alpha + beta < 1, not {self.alpha}, {self.beta}")

    @property
    def bounds(self) -> Interval:
        """Below and above which logarithm of the likelihood ratio the test rejects and accepts."""
        return Interval(
            math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        )

    def log_likelihood_ratio(self, results: Record | Pairs) -> float:
        """How much more likely `elo1` makes the results than `elo0`, as a logarithm."""
        return _log_likelihood(results, self.elo1) - _log_likelihood(results, self.elo0)

    def decision(self, results: Record | Pairs) -> Literal["accept", "reject"] | None:
        """Accept `elo1`, reject it, or None: more games are needed."""
        ratio = self.log_likelihood_ratio(results)
        low, high = self.bounds
        if ratio >= high:
            return "accept"
        return "reject" if ratio <= low else None


def _log_likelihood(results: Record | Pairs, elo: float) -> float:
    """The largest log-likelihood of results among the distributions with the score of `elo`.

    But for a constant: it is compared with the frequencies of the results themselves. The best
    distribution divides the frequency of a result x by 1 + t (x - score), with the t that makes the
    mean right; what is then missing to 1 falls to a result never seen, 0 or 1, and t is at an end.
    """
    score = expected_score(elo)
    seen = [(value - score, count) for value, count in results.outcomes if count]
    low, high = -1 / (1 - score), 1 / score
    for _ in range(BISECTIONS):
        t = (low + high) / 2
        if sum(count * distance / (1 + t * distance) for distance, count in seen) > 0:
            low = t
        else:
            high = t
    return -sum(count * math.log1p(t * distance) for distance, count in seen)


def decided(
    results: Record | Pairs, elo: float = 10.0, alpha: float = 0.05, beta: float = 0.05
) -> Verdict | None:
    """Whether a match that is looked at after every game can stop, and with what verdict.

    Two sequential tests take part: is the player better by `elo`, and is it worse by `elo`, each
    against no difference. The answer is "better" or "worse" if that test accepts, and "similar" if
    both reject. Each test may accept wrongly with half of alpha, so one of two equal players is
    called better with a probability of at most about alpha; players `elo` or more apart are called
    similar with at most about beta. That holds although a test is asked again after it rejected:
    a likelihood ratio seldom passes a bound on the wrong side even if it is watched forever. With a
    difference between 0 and `elo`, "similar" and the right one of the others are both fine.

    Args:
        results: The results so far.
        elo: The smallest difference that matters. Half of it takes four times as many games.
        alpha: How often to see a difference where there is none.
        beta: How often to miss a difference of `elo`.
    """
    test = Sprt(0.0, elo, alpha / 2, beta)
    is_better, is_worse = test.decision(results), test.decision(results.swapped)
    if is_better == "accept":
        return "better"
    if is_worse == "accept":
        return "worse"
    return "similar" if is_better == is_worse == "reject" else None
