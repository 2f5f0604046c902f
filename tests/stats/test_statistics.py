"""What results say: by hand, against scipy, as laws, and by going through all results there are."""

import math
from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from semisplit.stats.evidence import (
    SIMILAR_ELO,
    Doubt,
    at_any_length,
    at_fixed_length,
    elo_interval,
    holm_levels,
    p_value,
    score_interval,
    verdict,
)
from semisplit.stats.ratings import expected_score
from semisplit.stats.records import (
    PAIR_SCORES,
    Interval,
    Pairs,
    Record,
    papers_interval,
    papers_verdict,
)

COUNTS = st.integers(0, 1000)
RECORDS = st.builds(Record, COUNTS, COUNTS, COUNTS)
FEW = st.integers(0, 40)
PAIRS = st.builds(Pairs, st.tuples(*[FEW] * 5))
DOUBTS = st.sampled_from([at_fixed_length, at_any_length])
SCORES = st.floats(0.01, 0.99)
BOTH = pytest.mark.parametrize("doubt", [at_fixed_length, at_any_length])


def alike(won: float, lost: float) -> Pairs:
    """Pairs of which both games ended alike, without draws."""
    return Pairs((lost, 0, 0, 0, won))


def pairs_from(counts: Iterable[float]) -> Pairs:
    lost, less, even, more, won = counts
    return Pairs((lost, less, even, more, won))


# Records


def test_record() -> None:
    record = Record(3, 2, 1)
    assert record.games == 6
    assert record.score == pytest.approx(4 / 6)
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


@given(RECORDS)
def test_score_and_variance_are_those_of_the_single_results(record: Record) -> None:
    assume(record.games)
    results = [1.0] * record.wins + [0.5] * record.draws + [0.0] * record.losses
    assert record.score == pytest.approx(np.mean(results))
    assert record.variance == pytest.approx(np.var(results), abs=1e-12)


@pytest.mark.parametrize("games", [1, 2, 3, 7, 49, 1000, 999_999])
def test_equal_results_have_no_variance_at_all(games: int) -> None:
    for record in (Record(games), Record(0, games), Record(0, 0, games)):
        assert record.variance == 0


def test_pairs() -> None:
    pairs = Pairs.of([1, 1, 1, 0.5, 0, 1, 0.5, 0.5, 0, 0.5, 0, 0])
    assert pairs == Pairs((1, 1, 2, 1, 1))
    assert (pairs.total, pairs.score) == (6, 0.5)
    assert pairs + Pairs.of([1, 0.5]) == Pairs((1, 1, 2, 2, 1))
    assert Pairs.of([1, 0.5]).swapped == Pairs.of([0, 0.5])
    assert (Pairs().total, Pairs().score) == (0, 0.5)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1))
def test_pairs_have_the_score_of_the_games(results: list[float]) -> None:
    """Also if a last game has no partner, which is half a pair then."""
    pairs = Pairs.of(results)
    assert pairs.total == len(results) / 2
    assert pairs.score == pytest.approx(np.mean(results))


# The papers' interval


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
        (Record(2), (1, 1)),
        (Record(0, 7), (0.5, 0.5)),
        (Record(1, 0, 1), (0.5 - 0.98, 0.5 + 0.98)),
    ],
)
def test_papers_interval_at_the_ends(record: Record, interval: tuple[float, float]) -> None:
    assert papers_interval(record) == pytest.approx(interval)


@given(RECORDS)
def test_papers_interval_is_that_of_the_sample_mean(record: Record) -> None:
    """Dividing the population's variance by n - 1 is the usual standard error."""
    assume(record.games > 1)
    results = [1.0] * record.wins + [0.5] * record.draws + [0.0] * record.losses
    error = np.std(results, ddof=1) / math.sqrt(record.games)
    assert papers_interval(record).margin == pytest.approx(1.96 * error, abs=1e-9)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record(), "similar"),
        (Record(3), "similar"),
        (Record(4), "better"),
        (Record(0, 0, 4), "worse"),
        (Record(0, 1000), "similar"),
        (Record(549, 0, 451), "better"),
        (Record(530, 0, 470), "similar"),
    ],
)
def test_papers_verdicts(record: Record, expected: str) -> None:
    assert papers_verdict(record) == expected


# Doubts


@given(FEW, FEW, SCORES)
@example(0, 0, 0.5)
@example(1, 0, 0.5)
@settings(deadline=None)
def test_without_mixed_pairs_it_is_the_binomial_test(won: int, lost: int, score: float) -> None:
    known = binomtest(won, won + lost, score, "greater").pvalue if won + lost else 1
    assert at_fixed_length(alike(won, lost), score) == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize("pairs", [1, 6, 50, 1000, 100_000, 500_000])
def test_wins_alone_by_hand(pairs: int) -> None:
    """A score s gives them a probability of s^n."""
    low, high = score_interval(alike(pairs, 0))
    assert low**pairs == pytest.approx(0.025, rel=0.02)
    assert high == 1


@pytest.mark.parametrize("pairs", [1, 3, 50, 1000])
def test_draws_alone_by_hand(pairs: int) -> None:
    """The worst pair has a part of the weight that is above 1 - u with a probability of u^n."""
    low, high = score_interval(Pairs((0, 0, pairs, 0, 0)))
    assert low == pytest.approx(0.5 * 0.025 ** (1 / pairs), abs=1e-6)
    assert high == pytest.approx(1 - low)


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        ((3, 1, 4, 1, 5), 0.4),
        ((0, 2, 0, 1, 0), 0.3),
        ((10, 3, 20, 5, 12), 0.45),
        ((0.5, 2, 2, 2, 2), 0.2),
        ((0, 0, 30, 10, 0.5), 0.5),
    ],
)
def test_weighting_at_random(
    counts: tuple[float, float, float, float, float], score: float
) -> None:
    draws = 200_000
    rng = np.random.default_rng(3)
    shapes = np.array(counts) + np.eye(5)[0]
    weights = rng.standard_gamma(np.broadcast_to(shapes, (draws, 5)))
    found = np.mean(weights @ (np.array(PAIR_SCORES) - score) <= 0)
    known = at_fixed_length(Pairs(counts), score)
    assert found == pytest.approx(known, abs=5 * math.sqrt(known * (1 - known) / draws) + 1e-5)


def test_the_bets_by_hand() -> None:
    # After one pair that was won, at an even score: 1 plus a half of what was bet on average.
    bets = (0.9, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015)
    shares = (0.2, 0.2, 0.2, 0.2, 0.1, 0.05, 0.05)
    capital = sum(share * (1 + bet) for share, bet in zip(shares, bets))
    assert at_any_length(alike(1, 0), 0.5) == pytest.approx(1 / capital)
    capital = sum(share * (1 + bet) ** 3 * (1 - bet) for share, bet in zip(shares, bets))
    assert at_any_length(alike(3, 1), 0.5) == pytest.approx(1 / capital)
    assert at_any_length(Pairs((0, 0, 9, 0, 0)), 0.5) == pytest.approx(1)


@given(PAIRS, DOUBTS, SCORES, SCORES)
@settings(deadline=None)
def test_higher_scores_are_doubted_more(
    pairs: Pairs, doubt: Doubt, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    assert doubt(pairs, low) + 1e-9 >= 0
    assert doubt(pairs, low) <= doubt(pairs, high) + 1e-9
    assert doubt(pairs, high) <= 1 + 1e-9


@given(PAIRS, DOUBTS, SCORES)
@settings(deadline=None)
def test_better_results_are_doubted_less(pairs: Pairs, doubt: Doubt, score: float) -> None:
    for place in range(4):
        if pairs.counts[place]:
            counts = list(pairs.counts)
            counts[place] -= 1
            counts[place + 1] += 1
            assert doubt(pairs_from(counts), score) <= doubt(pairs, score) + 1e-9


# Intervals


@given(FEW, FEW)
@settings(deadline=None)
def test_without_mixed_pairs_it_is_clopper_and_pearsons_interval(won: int, lost: int) -> None:
    assume(won + lost)
    known = binomtest(won, won + lost).proportion_ci(0.95, method="exact")
    found = score_interval(alike(won, lost))
    assert found == pytest.approx((known.low, known.high), abs=1e-6)


@given(PAIRS, DOUBTS)
@settings(deadline=None)
def test_intervals_contain_the_score_and_are_symmetric(pairs: Pairs, doubt: Doubt) -> None:
    low, high = score_interval(pairs, doubt)
    assert 0 <= low <= pairs.score <= high <= 1
    other = score_interval(pairs.swapped, doubt)
    assert other == pytest.approx((1 - high, 1 - low), abs=1e-6)


@given(PAIRS, DOUBTS)
@settings(deadline=None)
def test_intervals_grow_with_confidence_and_shrink_with_games(pairs: Pairs, doubt: Doubt) -> None:
    assume(pairs.total)
    margin = score_interval(pairs, doubt).margin
    assert score_interval(pairs, doubt, 0.9).margin < margin
    assert score_interval(pairs + pairs + pairs, doubt).margin < margin


@given(PAIRS)
@settings(deadline=None)
def test_who_may_look_at_any_time_knows_less(pairs: Pairs) -> None:
    fixed, other = score_interval(pairs), score_interval(pairs, at_any_length)
    assert other.low <= fixed.low + 1e-6
    assert other.high >= fixed.high - 1e-6


@pytest.mark.parametrize("confidence", [-0.1, 0.0, 1.0, 95.0, math.nan])
def test_confidence_is_checked(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        score_interval(Pairs(), confidence=confidence)


def test_elo_interval() -> None:
    assert elo_interval(Interval(0.25, 10 / 11)) == pytest.approx((-400 * math.log10(3), 400))
    assert elo_interval(Interval(0, 1)) == (-math.inf, math.inf)


# Verdicts


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (Pairs(), "too few games"),
        (Pairs.of([1] * 10), "too few games"),
        (Pairs.of([1] * 11), "better"),
        (Pairs.of([0] * 11), "worse"),
        (Pairs.of([1, 0] * 6), "undecided"),
        (Pairs.of([1, 0.5] * 10 + [0.5, 0] * 10), "undecided"),
        (Pairs((0, 0, 50, 0, 0)), "similar"),
        (Pairs((250, 0, 500, 0, 250)), "similar"),
        (Pairs((0, 0, 920, 0, 80)), "better"),
        # 30 won, 160 drawn, 10 lost
        (Pairs((0, 8, 66, 24, 2)), "better"),
    ],
)
def test_verdicts(pairs: Pairs, expected: str) -> None:
    assert verdict(pairs) == expected


@given(PAIRS, DOUBTS, st.sampled_from([0.05, 0.05 / 12]))
@settings(deadline=None)
def test_verdicts_never_contradict_intervals(pairs: Pairs, doubt: Doubt, level: float) -> None:
    found = verdict(pairs, doubt, level)
    low, high = elo_interval(score_interval(pairs, doubt, 1 - level))
    near = 1e-3
    assert (found == "better") == (low > 0) or abs(low) < near
    assert (found == "worse") == (high < 0) or abs(high) < near
    if found == "similar":
        assert max(-low, high) <= SIMILAR_ELO + near
    if found in ("undecided", "too few games"):
        assert max(-low, high) >= SIMILAR_ELO - near
    other = {"better": "worse", "worse": "better"}
    assert verdict(pairs.swapped, doubt, level) == other.get(found, found)


@given(PAIRS, DOUBTS)
@settings(deadline=None)
def test_p_values_tell_at_which_levels_there_are_verdicts(pairs: Pairs, doubt: Doubt) -> None:
    p = p_value(pairs, doubt)
    assert 0 <= p <= 1
    if 1e-6 < p < 0.9:
        assert verdict(pairs, doubt, p / 1.01) in ("undecided", "too few games")
        assert verdict(pairs, doubt, p * 1.01) in ("better", "worse", "similar")


@pytest.mark.parametrize(
    ("p_values", "levels"),
    [
        ([], []),
        ([0.5], [0.05]),
        ([0.001, 0.04, 0.02, 0.5], [0.0125, 0.05 / 3, 0.05 / 3, 0.05 / 3]),
        ([0.04, 0.01, 0.02], [0.05, 0.05 / 3, 0.025]),
        ([0.02, 0.02, 0.02], [0.05 / 3] * 3),
    ],
)
def test_holms_levels(p_values: list[float], levels: list[float]) -> None:
    assert holm_levels(p_values) == pytest.approx(levels)


# How often they are right, from all results there are

GAMES = {
    "even": [(0.5, 0.0), (0.5, 0.0)],
    "draws": [(0.2, 0.6), (0.2, 0.6)],
    "better": [(0.85, 0.0), (0.85, 0.0)],
    "nearly always": [(0.97, 0.02), (0.97, 0.02)],
    "one side wins": [(0.9, 0.05), (0.1, 0.05)],
    "one side, and better": [(1.0, 0.0), (0.4, 0.1)],
}
"""The chances of a win and a draw in the first and in the second game of a pair."""
REPEATED = (0.0, 0.5, 1.0)
"""How often the second game is the first once more."""
WAYS = [
    (name, repeated)
    for name, repeated in product(GAMES, REPEATED)
    if not repeated or GAMES[name][0] == GAMES[name][1]
]


def chances(name: str, repeated: float) -> tuple[list[float], np.ndarray]:
    """Those of 0, 1/2 and 1 in a single game, and those of all results of a pair."""
    first, second = ([1 - win - draw, draw, win] for win, draw in GAMES[name])
    both = (1 - repeated) * np.outer(first, second) + repeated * np.diag(first)
    pair = [both[::-1].diagonal(offset).sum() for offset in range(-2, 3)]
    return first, np.array(pair)


def all_results(games: int, name: str, repeated: float) -> Iterator[tuple[Pairs, float]]:
    """All results of a match, and their probabilities."""
    single, pair = chances(name, repeated)
    whole = games // 2
    for counts in product(range(whole + 1), repeat=4):
        if (rest := whole - sum(counts)) >= 0:
            pairs = pairs_from((*counts, rest))
            ways = math.factorial(whole) / math.prod(map(math.factorial, (*counts, rest)))
            chance = ways * float(np.prod(pair ** np.array(pairs.counts)))
            if chance < 1e-9:
                continue
            if games % 2:
                for result, part in zip((0, 0.5, 1), single):
                    yield pairs + Pairs.of([result]), chance * part
            else:
                yield pairs, chance


def test_all_results_are_all() -> None:
    for way in WAYS:
        results = list(all_results(5, *way))
        assert sum(chance for _, chance in results) == pytest.approx(1, abs=1e-5)
        single, pair = chances(*way)
        mean = 0.8 * (pair @ PAIR_SCORES) + 0.2 * (single @ np.array([0, 0.5, 1]))
        assert sum(chance * pairs.score for pairs, chance in results) == pytest.approx(mean)


@pytest.mark.parametrize("games", [2, 4, 6, 12])
@pytest.mark.parametrize("way", WAYS)
def test_intervals_are_right_often_enough(way: tuple[str, float], games: int) -> None:
    """95 % is a bound from below for every true score, and each end errs in at most 2.5 %."""
    score = float(chances(*way)[1] @ PAIR_SCORES)
    too_high = too_low = 0.0
    for pairs, chance in all_results(games, *way):
        too_high += chance * (at_fixed_length(pairs, score) <= 0.025)
        too_low += chance * (at_fixed_length(pairs.swapped, 1 - score) <= 0.025)
    assert too_high <= 0.025
    assert too_low <= 0.025


@pytest.mark.parametrize("repeated", REPEATED)
@pytest.mark.parametrize("games", [1, 5, 11])
def test_a_last_game_without_a_partner(games: int, repeated: float) -> None:
    for name in ("even", "draws", "better"):
        score = float(chances(name, repeated)[1] @ PAIR_SCORES)
        wrong = sum(
            chance
            for pairs, chance in all_results(games, name, repeated)
            if min(at_fixed_length(pairs, score), at_fixed_length(pairs.swapped, 1 - score))
            <= 0.025
        )
        assert wrong <= 0.05


def test_the_interval_is_no_wider_than_it_has_to_be() -> None:
    """With many games it is 1.96 standard errors, of pairs, and one pair more."""
    pairs = Pairs((250, 0, 500, 0, 250))
    assert score_interval(pairs).margin == pytest.approx(
        1.96 * math.sqrt(0.125 / 1000) + 0.5 / 1000, rel=0.01
    )


@pytest.mark.parametrize(
    ("pair", "longest"),
    [
        ((0.5, 0, 0, 0, 0.5), 300),
        ((0, 0.5, 0, 0.5, 0), 300),
        ((0.2, 0, 0, 0, 0.8), 200),
        ((0.97, 0, 0, 0, 0.03), 200),
        ((0.2, 0, 0.4, 0, 0.4), 40),
        ((0.05, 0, 0.2, 0.5, 0.25), 20),
    ],
)
def test_looking_after_every_pair(pair: tuple[float, ...], longest: int) -> None:
    """How often an end of the interval is ever wrong, from all courses a match can take."""
    score = float(np.dot(pair, PAIR_SCORES))
    rates = []
    for chances, true in ((pair, score), (pair[::-1], 1 - score)):
        undoubted = {Pairs(): 1.0}
        wrong = 0.0
        for _ in range(longest):
            following: dict[Pairs, float] = {}
            for before, chance in undoubted.items():
                for place in np.flatnonzero(chances):
                    after = before + Pairs(tuple(np.eye(5)[place].tolist()))
                    following[after] = following.get(after, 0) + chance * chances[place]
            doubts = {pairs: at_any_length(pairs, true) for pairs in following}
            wrong += sum(following[pairs] for pairs in doubts if doubts[pairs] <= 0.025)
            undoubted = {
                pairs: following[pairs]
                for pairs in doubts
                if doubts[pairs] > 0.025 and following[pairs] > 1e-9
            }
        rates.append(wrong)
    assert 0.0005 < max(rates) <= 0.025


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (alike(7, 0), "too few games"),
        (alike(8, 0), "better"),
        (alike(0, 8), "worse"),
        (alike(12, 12), "undecided"),
        (Pairs((20, 0, 40, 0, 20)), "undecided"),
        (Pairs((100, 0, 200, 0, 100)), "similar"),
        (Pairs((0, 0, 60, 0, 0)), "similar"),
    ],
)
def test_decisions_at_any_length(results: Pairs, expected: str) -> None:
    assert verdict(results, at_any_length) == expected


def test_similar_means_closer_than_the_docs_say() -> None:
    assert 100 * expected_score(SIMILAR_ELO) == pytest.approx(57.1, abs=0.05)
