"""Strength in Elo: by hand, by the condition of the maximum, as laws, and by simulated matches."""

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from semisplit.stats.ratings import elo, elo_ratings, expected_score
from semisplit.stats.records import Record

COUNTS = st.integers(0, 1000)
RECORDS = st.builds(Record, COUNTS, COUNTS, COUNTS)
NAT = 400 / math.log(10)


# Elo of two players


@pytest.mark.parametrize(
    ("score", "difference"),
    [
        (0.5, 0),
        (10 / 11, 400),
        (1 / 101, -800),
        (0.75, 400 * math.log10(3)),
        (0.64, 99.95),
        (0, -math.inf),
        (1, math.inf),
    ],
)
def test_elo_of_scores(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.01)


@given(st.floats(-2000, 2000))
def test_elo_is_the_inverse_of_the_expected_score(difference: float) -> None:
    assert elo(expected_score(difference)) == pytest.approx(difference, abs=1e-6)
    assert expected_score(difference) + expected_score(-difference) == pytest.approx(1)


@pytest.mark.parametrize(("difference", "score"), [(math.inf, 1), (-math.inf, 0), (-1e9, 0)])
def test_expected_scores_of_huge_differences(difference: float, score: float) -> None:
    assert expected_score(difference) == score


@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan])
def test_elo_needs_a_score(score: float) -> None:
    with pytest.raises(ValueError, match="score"):
        elo(score)


# Elo of several players

TOURNAMENT = {
    ("a", "b"): Record(60, 10, 30),
    ("b", "c"): Record(20, 5, 15),
    ("c", "a"): Record(10, 30, 40),
    ("d", "a"): Record(1, 0, 19),
    ("b", "d"): Record(30, 0, 0),
}


def log_posterior(strengths: np.ndarray, results: dict[tuple[str, str], Record]) -> float:
    """Written once more, straight from the definition, in Elo."""
    players = sorted({name for pair in results for name in pair})
    of = dict(zip(players, strengths))

    def games(points: float, lost: float, difference: float) -> float:
        return -points * math.log1p(10 ** (-difference / 400)) - lost * math.log1p(
            10 ** (difference / 400)
        )

    total = sum(games(0.5, 0.5, strength) for strength in strengths)
    for (first, second), record in results.items():
        points = record.wins + record.draws / 2
        total += games(points, record.games - points, of[first] - of[second])
    return total


@cache
def most_likely() -> np.ndarray:
    """The ratings of a to d, with the prior's opponent at 0 instead of their mean.

    There the virtual draws give no points: what the games give and take adds up to 0.
    """
    ratings = elo_ratings(TOURNAMENT)
    centred = np.array([ratings[name].elo for name in "abcd"])
    shift: float = brentq(
        lambda shift: sum(expected_score(r + shift) - 0.5 for r in centred), -999, 999
    )
    return centred + shift


def test_ratings_are_the_most_likely_ones() -> None:
    """The logarithm is concave, so its maximum is where everybody scores what is expected."""
    strengths = dict(zip("abcd", most_likely()))
    surplus = {name: 0.5 - expected_score(strength) for name, strength in strengths.items()}
    for (first, second), record in TOURNAMENT.items():
        expected = expected_score(strengths[first] - strengths[second])
        surplus[first] += record.games * (record.score - expected)
        surplus[second] -= record.games * (record.score - expected)
    assert list(surplus.values()) == pytest.approx([0] * 4, abs=1e-6)
    best = log_posterior(most_likely(), TOURNAMENT)
    for step in np.eye(4):
        assert log_posterior(most_likely() + step, TOURNAMENT) < best
        assert log_posterior(most_likely() - step, TOURNAMENT) < best


def test_errors_are_those_of_the_curvature() -> None:
    width = 0.5
    units = np.eye(4) * width
    curvature = np.zeros((4, 4))
    for i, j in np.ndindex(4, 4):
        for sign_i, sign_j in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            moved = most_likely() + sign_i * units[i] + sign_j * units[j]
            curvature[i, j] -= sign_i * sign_j * log_posterior(moved, TOURNAMENT) / 4 / width**2
    centring = np.eye(4) - 0.25
    covariance = centring @ np.linalg.inv(curvature) @ centring
    errors = [rating.error for _, rating in sorted(elo_ratings(TOURNAMENT).items())]
    assert errors == pytest.approx(np.sqrt(covariance.diagonal()), rel=1e-3)


def test_ratings_have_mean_0_and_are_sorted() -> None:
    ratings = elo_ratings(TOURNAMENT)
    assert list(ratings) == ["a", "b", "c", "d"]
    values = [rating.elo for rating in ratings.values()]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert list(elo_ratings({("z", "a"): Record(1, 1, 1)})) == ["a", "z"]


def test_two_players_by_hand() -> None:
    ratings = elo_ratings({("a", "b"): Record(750_000, 0, 250_000)})
    assert ratings["a"].elo - ratings["b"].elo == pytest.approx(400 * math.log10(3), abs=0.01)
    # Half of the error of the difference, 1 / sqrt(n p q) in logarithms of odds.
    error = NAT / math.sqrt(1_000_000 * 0.75 * 0.25) / 2
    assert ratings["a"].error == pytest.approx(error, rel=1e-4)
    low, high = ratings["a"].interval
    assert (low + high) / 2 == pytest.approx(ratings["a"].elo)
    assert high - low == pytest.approx(2 * 1.959964 * error, rel=1e-4)


def test_the_prior_is_one_draw_against_0() -> None:
    difference = elo_ratings({("a", "b"): Record(1)})["a"].elo * 2
    # What the winner got above expectation, the virtual draw takes back.
    gain = 1 - expected_score(difference)
    assert gain == pytest.approx(expected_score(difference / 2) - 0.5, abs=1e-9)


def test_both_orders_of_a_pair_are_added() -> None:
    split = {("a", "b"): Record(5, 2, 1), ("b", "a"): Record(3, 1, 4)}
    assert elo_ratings(split) == elo_ratings({("a", "b"): Record(9, 3, 4)})


def test_games_against_oneself_say_nothing() -> None:
    games = {("a", "b"): Record(5, 2, 1)}
    assert elo_ratings({**games, ("a", "a"): Record(7, 0, 2)}) == elo_ratings(games)
    alone = elo_ratings({("a", "a"): Record(7, 0, 2)})["a"]
    assert (alone.elo, alone.error) == (0, 0)
    assert elo_ratings({}) == {}


@pytest.mark.parametrize("games", [1, 10, 1000, 1_000_000])
def test_winners_of_everything_have_finite_ratings(games: int) -> None:
    chain = {(f"p{i}", f"p{i + 1}"): Record(games) for i in range(8)}
    ratings = elo_ratings(chain)
    assert list(ratings) == [f"p{i}" for i in range(9)]
    assert all(math.isfinite(rating.elo) and rating.error > 0 for rating in ratings.values())
    assert ratings["p4"].elo == pytest.approx(0, abs=1e-4)


MILLION = 1_000_000
RUNAWAY = {
    ("c", "a"): Record(MILLION, 3, 0),
    ("c", "b"): Record(MILLION, 1000, 1),
    ("d", "a"): Record(0, 0, MILLION),
    ("d", "b"): Record(1000, 0, 1),
}
"""Contradictions from which plain steps of Newton's method, not limited in size, run away."""


@given(st.dictionaries(st.tuples(*[st.sampled_from("abcde")] * 2), RECORDS, min_size=1))
@example(RUNAWAY)
@settings(deadline=None)
def test_players_score_what_their_ratings_expect(results: dict[tuple[str, str], Record]) -> None:
    """But for the virtual draw, which gives or takes half a point at most."""
    ratings = elo_ratings(results)
    surplus = dict.fromkeys(ratings, 0.0)
    for (first, second), record in results.items():
        expected = expected_score(ratings[first].elo - ratings[second].elo)
        surplus[first] += record.games * (record.score - expected)
        surplus[second] -= record.games * (record.score - expected)
    assert all(abs(points) <= 0.5 + 1e-6 for points in surplus.values())


def test_more_wins_alone_say_more() -> None:
    ratings = [elo_ratings({("a", "b"): Record(n)})["a"].elo for n in (0, 1, 2, 10, 100)]
    assert ratings == sorted(set(ratings))
    assert ratings[0] == 0


def test_players_without_games_are_average_and_uncertain() -> None:
    ratings = elo_ratings({("a", "b"): Record(40, 0, 40), ("a", "c"): Record()})
    assert [rating.elo for rating in ratings.values()] == pytest.approx([0, 0, 0])
    assert ratings["c"].error > 3 * ratings["a"].error / 2 > 100


def test_groups_that_never_met_share_a_mean_and_have_large_errors() -> None:
    one = {("a", "b"): Record(60, 0, 40)}
    two = {("c", "d"): Record(80, 0, 20)}
    apart, joined = (
        elo_ratings({**one, **two}),
        elo_ratings({**one, **two, ("b", "c"): Record(50, 0, 50)}),
    )
    assert apart["a"].elo == pytest.approx(elo_ratings(one)["a"].elo, abs=1e-6)
    assert apart["c"].elo == pytest.approx(elo_ratings(two)["c"].elo, abs=1e-6)
    for player in "abcd":
        assert apart[player].error > 4 * joined[player].error


def test_coverage_of_ratings() -> None:
    """Every player's interval contains the strength that the games were drawn from."""
    truth = {"a": 150.0, "b": 30.0, "c": -30.0, "d": -150.0}
    rng = np.random.default_rng(7)
    trials, games, hits = 400, 60, 0
    for _ in range(trials):
        results = {}
        for first, second in combinations(truth, 2):
            wins = int(rng.binomial(games, expected_score(truth[first] - truth[second])))
            results[first, second] = Record(wins, 0, games - wins)
        for player, rating in elo_ratings(results).items():
            hits += rating.interval.low <= truth[player] <= rating.interval.high
    # The players of one tournament depend on each other: count tournaments, not players.
    assert hits / (4 * trials) == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / trials))
