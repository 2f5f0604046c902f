"""The statistics of matches: by hand, against scipy, as laws, and by simulated matches."""

import math
from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binomtest, norm

from semisplit.lab.statistics import (
    Interval,
    Pairs,
    Record,
    Sprt,
    decided,
    elo,
    elo_interval,
    elo_ratings,
    expected_score,
    papers_interval,
    verdict,
    wilson_interval,
)

COUNTS = st.integers(0, 1000)
RECORDS = st.builds(Record, COUNTS, COUNTS, COUNTS)
PLAYED = RECORDS.filter(lambda record: record.games)
PAIRS = st.builds(Pairs, st.tuples(*[COUNTS] * 5))
CONFIDENCES = st.sampled_from([0.5, 0.9, 0.95, 0.99])
NAT = 400 / math.log(10)


def mirrored(interval: Interval, around: float) -> Interval:
    return Interval(2 * around - interval.high, 2 * around - interval.low)


def standard_error(probability: float, trials: int) -> float:
    return math.sqrt(probability * (1 - probability) / trials)


# Records


def test_record() -> None:
    record = Record(3, 2, 1)
    assert (record.games, record.score) == (6, pytest.approx(4 / 6))
    assert record + Record(1, 1, 1) == Record(4, 3, 2)
    assert sum([record, record], Record()) == Record(6, 4, 2)
    assert record.swapped == Record(1, 2, 3)
    assert (Record().games, Record().score, Record().variance) == (0, 0.5, 0.0)


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, -1, 5), (0, 0, -1)])
def test_no_negative_numbers_of_games(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="negative"):
        Record(*counts)
    with pytest.raises(ValueError, match="negative"):
        Pairs((*counts, 0, 0))


@given(PLAYED)
def test_score_and_variance_are_those_of_the_single_results(record: Record) -> None:
    results = [1.0] * record.wins + [0.5] * record.draws + [0.0] * record.losses
    assert record.score == pytest.approx(np.mean(results))
    assert record.variance == pytest.approx(np.var(results), abs=1e-12)


@pytest.mark.parametrize("games", [1, 2, 3, 7, 49, 1000, 999_999])
def test_equal_results_have_no_variance_at_all(games: int) -> None:
    for record in (Record(games), Record(0, games), Record(0, 0, games)):
        assert record.variance == 0


# Intervals


def test_papers_interval_by_hand() -> None:
    # e = 0.65, v = (55 + 20 / 4) / 100 - 0.65^2 = 0.1775, 1.96 sqrt(v) / sqrt(99) = 0.082992
    interval = papers_interval(Record(55, 20, 25))
    assert interval == pytest.approx((0.65 - 0.082992, 0.65 + 0.082992), abs=1e-6)
    assert interval.margin == pytest.approx(0.082992, abs=1e-6)


@pytest.mark.parametrize(
    ("record", "interval"),
    [
        (Record(), (0, 1)),
        (Record(1), (0, 1)),
        (Record(0, 1), (0, 1)),
        (Record(0, 0, 1), (0, 1)),
        (Record(2), (1, 1)),
        (Record(0, 7), (0.5, 0.5)),
        (Record(0, 0, 7), (0, 0)),
        (Record(1, 0, 1), (0.5 - 0.98, 0.5 + 0.98)),
    ],
)
def test_papers_interval_at_the_ends(record: Record, interval: tuple[float, float]) -> None:
    assert papers_interval(record) == pytest.approx(interval)


@given(PLAYED)
def test_papers_interval_is_that_of_the_sample_mean(record: Record) -> None:
    """Dividing the population's variance by n - 1 is the usual standard error."""
    assume(record.games > 1)
    results = [1.0] * record.wins + [0.5] * record.draws + [0.0] * record.losses
    error = np.std(results, ddof=1) / math.sqrt(record.games)
    assert papers_interval(record).margin == pytest.approx(1.96 * error, abs=1e-9)


@given(COUNTS, COUNTS, CONFIDENCES)
@example(0, 1, 0.95)
@example(1, 0, 0.95)
@settings(deadline=None)
def test_wilson_interval_is_that_of_scipy(wins: int, losses: int, confidence: float) -> None:
    assume(wins + losses)
    known = binomtest(wins, wins + losses).proportion_ci(confidence, method="wilson")
    assert wilson_interval(Record(wins, 0, losses), confidence) == pytest.approx(
        (known.low, known.high), abs=1e-9
    )


def test_wilson_interval_counts_draws_as_half_wins() -> None:
    assert wilson_interval(Record(10, 20, 30)) == wilson_interval(Record(20, 0, 40))


@pytest.mark.parametrize(
    ("record", "interval"),
    [
        (Record(), (0, 1)),
        (Record(1), (1 / (1 + 1.959964**2), 1)),
        (Record(4), (4 / (4 + 1.959964**2), 1)),
        (Record(0, 0, 4), (0, 1.959964**2 / (4 + 1.959964**2))),
        (Record(0, 1), (0.5 - 0.5 / math.sqrt(1 + 1 / 1.959964**2), None)),
    ],
)
def test_wilson_interval_at_the_ends(record: Record, interval: tuple[float, float | None]) -> None:
    low, high = interval
    assert wilson_interval(record) == pytest.approx((low, 1 - low if high is None else high))


@given(RECORDS, CONFIDENCES)
def test_intervals_contain_the_score(record: Record, confidence: float) -> None:
    low, high = wilson_interval(record, confidence)
    assert 0 <= low <= record.score <= high <= 1
    low, high = papers_interval(record)
    assert low <= record.score <= high


@given(RECORDS, CONFIDENCES)
def test_intervals_are_symmetric_under_swapping_sides(record: Record, confidence: float) -> None:
    other = record.swapped
    assert papers_interval(other) == pytest.approx(mirrored(papers_interval(record), 0.5))
    assert wilson_interval(other, confidence) == pytest.approx(
        mirrored(wilson_interval(record, confidence), 0.5)
    )
    assert elo_interval(other, confidence) == pytest.approx(
        mirrored(elo_interval(record, confidence), 0), abs=1e-6
    )


@given(PLAYED, st.integers(2, 10))
def test_intervals_are_narrower_with_more_games(record: Record, factor: int) -> None:
    more = Record(factor * record.wins, factor * record.draws, factor * record.losses)
    assert wilson_interval(more).margin < wilson_interval(record).margin
    if record.games > 1 and record.variance:
        assert papers_interval(more).margin < papers_interval(record).margin


@given(PLAYED)
def test_intervals_are_wider_with_more_confidence(record: Record) -> None:
    assert wilson_interval(record, 0.9).margin < wilson_interval(record, 0.99).margin


@pytest.mark.parametrize("confidence", [-0.1, 0.0, 1.0, 95.0, math.nan])
def test_confidence_is_checked(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        wilson_interval(Record(1, 1, 1), confidence)


TRIALS = 4000


def coverage(
    interval: Callable[[Record], Interval], games: int, wins: float, draws: float
) -> float:
    """How often the interval of simulated matches contains the true score."""
    rng = np.random.default_rng(2024)
    matches = rng.multinomial(games, [wins, draws, 1 - wins - draws], size=TRIALS)
    hits = 0
    for match in matches.tolist():
        low, high = interval(Record(*match))
        hits += low <= wins + draws / 2 <= high
    return hits / TRIALS


DISCRETE = 0.01
"""Scores have gaps, so a coverage cannot be met exactly."""


@pytest.mark.parametrize(("wins", "draws"), [(0.5, 0.0), (0.3, 0.5), (0.7, 0.1)])
def test_coverage_of_the_papers_interval(wins: float, draws: float) -> None:
    tolerance = 3 * standard_error(0.95, TRIALS) + DISCRETE
    assert coverage(papers_interval, 300, wins, draws) == pytest.approx(0.95, abs=tolerance)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("wins", [0.5, 0.8])
def test_coverage_of_wilsons_interval(wins: float, confidence: float) -> None:
    found = coverage(lambda record: wilson_interval(record, confidence), 300, wins, 0.0)
    tolerance = 3 * standard_error(confidence, TRIALS) + 2 * DISCRETE
    assert found == pytest.approx(confidence, abs=tolerance)


def test_wilsons_interval_is_conservative_with_draws() -> None:
    # Half the variance: an interval of 1.96 standard errors is really one of 2.77.
    known = 2 * norm.cdf(1.959964 * math.sqrt(2)) - 1
    found = coverage(wilson_interval, 300, 0.25, 0.5)
    assert found == pytest.approx(known, abs=3 * standard_error(known, TRIALS) + 0.002)


# Verdicts


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record(), "similar"),
        (Record(1), "similar"),
        (Record(0, 0, 1), "similar"),
        (Record(2, 1), "similar"),
        (Record(3), "similar"),
        (Record(4), "better"),
        (Record(3, 1), "better"),
        (Record(0, 1, 3), "worse"),
        (Record(0, 0, 4), "worse"),
        (Record(0, 1000), "similar"),
        (Record(549, 0, 451), "better"),
        (Record(530, 0, 470), "similar"),
        (Record(451, 0, 549), "worse"),
    ],
)
def test_verdicts(record: Record, expected: str) -> None:
    assert verdict(record) == expected


def test_a_verdict_changes_where_the_interval_leaves_one_half() -> None:
    first = next(n for n in range(500, 1000) if papers_interval(Record(n, 0, 1000 - n)).low > 0.5)
    assert verdict(Record(first - 1, 0, 1001 - first)) == "similar"
    assert verdict(Record(first, 0, 1000 - first)) == "better"


@given(RECORDS)
def test_verdicts_are_symmetric_under_swapping_sides(record: Record) -> None:
    other = {"better": "worse", "similar": "similar", "worse": "better"}
    assert verdict(record.swapped) == other[verdict(record)]


def test_a_better_result_never_makes_the_verdict_worse() -> None:
    order = ["worse", "similar", "better"]
    for games in range(1, 25):
        for wins in range(games + 1):
            for draws in range(games + 1 - wins):
                losses = games - wins - draws
                now = order.index(verdict(Record(wins, draws, losses)))
                if draws:
                    assert order.index(verdict(Record(wins + 1, draws - 1, losses))) >= now
                if losses:
                    assert order.index(verdict(Record(wins, draws + 1, losses - 1))) >= now


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


def test_elo_interval() -> None:
    # Wilson's interval of 75 out of 100 is 0.65695 to 0.82455.
    expected = (-400 * math.log10(1 / 0.656955 - 1), -400 * math.log10(1 / 0.824547 - 1))
    assert elo_interval(Record(70, 10, 20)) == pytest.approx(expected, abs=0.01)
    assert elo_interval(Record()) == (-math.inf, math.inf)
    assert elo_interval(Record(10)).high == math.inf
    assert elo_interval(Record(10)).low == pytest.approx(elo(10 / (10 + norm.ppf(0.975) ** 2)))
    assert elo_interval(Record(0, 0, 10)).low == -math.inf


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


def test_ratings_are_the_most_likely_ones() -> None:
    found = minimize(
        lambda strengths: -log_posterior(strengths, TOURNAMENT),
        np.zeros(4),
        method="BFGS",
        options={"gtol": 1e-9, "xrtol": 1e-12},
    ).x
    ratings = elo_ratings(TOURNAMENT)
    assert [ratings[name].elo for name in "abcd"] == pytest.approx(found - found.mean(), abs=0.01)


def test_errors_are_those_of_the_curvature() -> None:
    ratings = elo_ratings(TOURNAMENT)
    centred = np.array([ratings[name].elo for name in "abcd"])
    # The prior's opponent is at 0, which is not the mean: go back to where the maximum is.
    shift = minimize(lambda shift: -log_posterior(centred + shift, TOURNAMENT), 0.0, tol=1e-12).x
    width = 0.5
    units = np.eye(4) * width
    curvature = np.zeros((4, 4))
    for i, j in np.ndindex(4, 4):
        for sign_i, sign_j in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            moved = centred + shift + sign_i * units[i] + sign_j * units[j]
            curvature[i, j] -= sign_i * sign_j * log_posterior(moved, TOURNAMENT) / 4 / width**2
    centring = np.eye(4) - 0.25
    covariance = centring @ np.linalg.inv(curvature) @ centring
    errors = [ratings[name].error for name in "abcd"]
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
    assert hits / (4 * trials) == pytest.approx(0.95, abs=3 * standard_error(0.95, trials))


# Sequential tests


def test_bounds() -> None:
    low, high = Sprt(0, 10).bounds
    assert (low, high) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    low, high = Sprt(0, 10, alpha=0.01, beta=0.2).bounds
    assert (low, high) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


@pytest.mark.parametrize(
    "values",
    [
        (10, 0),
        (5, 5),
        (0, math.inf),
        (math.nan, 5),
        (0, 5, 0, 0.1),
        (0, 5, 0.1, 0),
        (0, 5, 0.5, 0.5),
    ],
)
def test_senseless_tests_are_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sprt(*values)


@given(COUNTS, COUNTS)
def test_without_draws_it_is_walds_test(wins: int, losses: int) -> None:
    p0, p1 = expected_score(-5), expected_score(25)
    ratio = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
    test = Sprt(-5, 25)
    assert test.log_likelihood_ratio(Record(wins, 0, losses)) == pytest.approx(ratio, abs=1e-7)


def test_draws_alone_by_hand() -> None:
    # With a score of p > 1/2, draws have a probability of at most 2 (1 - p).
    ratio = Sprt(0, 10).log_likelihood_ratio(Record(0, 100))
    assert ratio == pytest.approx(100 * math.log(2 * (1 - expected_score(10))), abs=1e-7)


@given(RECORDS)
@example(Record(100, 0, 0))
@example(Record(3, 500, 0))
@settings(deadline=None)
def test_the_ratio_is_that_of_the_best_distributions(record: Record) -> None:
    """Found by trying all probabilities of draws that leave the score what it is."""

    def best(score: float) -> float:
        draws = np.linspace(0, 2 * min(score, 1 - score), 20_001)
        chances = {"wins": score - draws / 2, "draws": draws, "losses": 1 - score - draws / 2}
        total = np.zeros_like(draws)
        for name, chance in chances.items():
            if count := getattr(record, name):
                total += count * np.log(np.maximum(chance, 1e-300))
        return float(total.max())

    found = Sprt(0, 50).log_likelihood_ratio(record)
    expected = best(expected_score(50)) - best(0.5)
    assert found == pytest.approx(expected, abs=1e-3, rel=1e-4)


def test_near_the_normal_approximation_for_small_differences() -> None:
    record = Record(2600, 5000, 2400)
    p0, p1 = expected_score(0), expected_score(5)
    normal = record.games * (p1 - p0) * (2 * record.score - p0 - p1) / (2 * record.variance)
    assert Sprt(0, 5).log_likelihood_ratio(record) == pytest.approx(normal, rel=0.01)


@given(RECORDS | PAIRS)
def test_ratios_are_symmetric_under_swapping_sides(results: Record | Pairs) -> None:
    there = Sprt(-10, 30).log_likelihood_ratio(results)
    back = Sprt(-30, 10).log_likelihood_ratio(results.swapped)
    assert there == pytest.approx(-back, abs=1e-6)


@given(COUNTS, COUNTS, COUNTS)
def test_pairs_with_whole_points_are_like_games(two: int, one: int, none: int) -> None:
    test = Sprt(0, 20)
    assert test.log_likelihood_ratio(Pairs((none, 0, one, 0, two))) == pytest.approx(
        test.log_likelihood_ratio(Record(two, one, none)), abs=1e-9
    )


def test_pairs_with_a_draw_by_hand() -> None:
    # A win and a draw, 3/4, have a probability of at most p / (3/4) with a score p below that (the
    # other pairs are lost), and of at most (1 - p) / (1/4) with one above (they are won).
    p = expected_score(400)
    ratio = Sprt(0, 400).log_likelihood_ratio(Pairs((0, 0, 0, 10, 0)))
    assert ratio == pytest.approx(10 * math.log((1 - p) / 0.25 / (0.5 / 0.75)), abs=1e-7)


def test_pairs_see_through_the_advantage_of_a_side() -> None:
    # The first side wins nearly always: 400 pairs, of which 30 were won and 8 lost.
    pairs, record = Pairs((8, 0, 362, 0, 30)), Record(422, 0, 378)
    assert Sprt(0, 20).decision(record) is None
    assert Sprt(0, 20).decision(pairs) == "accept"


@pytest.mark.parametrize(
    ("record", "decision"),
    [
        (Record(), None),
        (Record(1), None),
        (Record(0, 1), None),
        (Record(0, 0, 1), None),
        (Record(20), None),
        (Record(1000), "accept"),
        (Record(0, 1000), "reject"),
        (Record(0, 0, 1000), "reject"),
    ],
)
def test_decisions(record: Record, decision: str | None) -> None:
    assert Sprt(0, 10).decision(record) == decision


def test_a_decision_is_made_at_the_bounds() -> None:
    test = Sprt(0, 10)
    step = math.log(2 * expected_score(10))
    wins = math.ceil(test.bounds.high / step)
    assert test.decision(Record(wins - 1)) is None
    assert test.decision(Record(wins)) == "accept"


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (Record(), None),
        (Record(1), None),
        (Record(0, 1), None),
        (Pairs(), None),
        (Record(1000), "better"),
        (Record(0, 1000), "similar"),
        (Record(0, 0, 1000), "worse"),
        (Record(20_000, 0, 20_000), "similar"),
        (Record(200, 0, 200), None),
        (Pairs((0, 0, 1000, 0, 0)), "similar"),
        (Pairs((0, 0, 0, 0, 1000)), "better"),
    ],
)
def test_decided(results: Record | Pairs, expected: str | None) -> None:
    assert decided(results) == expected


def test_decided_needs_a_difference() -> None:
    with pytest.raises(ValueError, match="elo0 < elo1"):
        decided(Record(), elo=0)


MATCHES = 1000


def simulated(
    decide: Callable[[Record], str | None], strength: float, draws: float, batch: int
) -> dict[str | None, float]:
    """How often matches that are played until something is decided end how."""
    rng = np.random.default_rng(11)
    wins = expected_score(strength) - draws / 2
    ends: dict[str | None, float] = {}
    for _ in range(MATCHES):
        record = Record()
        while (end := decide(record)) is None:
            record += Record(*rng.multinomial(batch, [wins, draws, 1 - wins - draws]).tolist())
        ends[end] = ends.get(end, 0) + 1 / MATCHES
    return ends


def at_most(rate: float) -> float:
    return rate + 2.5 * standard_error(rate, MATCHES)


SIMULATED = pytest.mark.parametrize(
    ("difference", "draws", "batch"),
    [(200, 0.0, 1), (100, 0.0, 2), (100, 0.5, 2), (50, 0.0, 10), (20, 0.9, 20), (10, 0.97, 20)],
)


@SIMULATED
def test_error_rates_of_the_test(difference: float, draws: float, batch: int) -> None:
    decide = cache(Sprt(0, difference, alpha=0.05, beta=0.1).decision)
    wrong = simulated(decide, 0, draws, batch)["accept"]
    assert 0.005 < wrong < at_most(0.05)
    wrong = simulated(decide, difference, draws, batch)["reject"]
    assert 0.02 < wrong < at_most(0.1)


@SIMULATED
def test_error_rates_of_decided(difference: float, draws: float, batch: int) -> None:
    decide = cache(lambda record: decided(record, difference))
    assert 1 - simulated(decide, 0, draws, batch)["similar"] < at_most(0.05)
    assert 1 - simulated(decide, difference, draws, batch)["better"] < at_most(0.05)
    assert 1 - simulated(decide, -difference, draws, batch)["worse"] < at_most(0.05)


def test_large_differences_are_decided_soon() -> None:
    decide = cache(lambda record: decided(record, 10))
    assert simulated(decide, 600, 0.02, 20) == {"better": pytest.approx(1)}
