"""The results of matches, counted by games, by pairs of games and by rounds, seen by an agent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

PAPERS_QUANTILE = 1.96
PAPERS_MIN_GAMES = 4
"""With fewer, the papers' interval is empty far too often for a verdict."""
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_DIGITS = 15


class Interval(NamedTuple):
    """Where a score or an Elo difference probably lies, ends included."""

    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half of the width: what is written after "±"."""
        return (self.high - self.low) / 2

    @property
    def in_percent(self) -> Interval:
        """A hundred times as much."""
        return Interval(100 * self.low, 100 * self.high)


@dataclass(frozen=True)
class Record:
    """How many games an agent won, drew and lost against another."""

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
        """These games as the other agent sees them."""
        return Record(self.losses, self.draws, self.wins)


class Results(Protocol):
    """Independent results from 0 to 1, and how often each came up."""

    @property
    def scores(self) -> tuple[float, ...]:
        """From the worst possible one, 0, to the best possible one, 1."""

    @property
    def counts(self) -> tuple[float, ...]:
        """How often each came up."""

    @property
    def score(self) -> float:
        """Their mean; one half if there are none."""

    @property
    def swapped(self) -> Results:
        """These results as the other agent sees them: what each lacks to 1."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of games with swapped sides, counted by the points of an agent: 0, 1/2, 1, 3/2, 2.

    The games of a pair depend on each other: if one side has an advantage, they tend to cancel out.
    Pairs do not. A last game without a partner is half a pair of two such games.
    """

    counts: tuple[float, float, float, float, float] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        _check_counts(*self.counts)

    def __add__(self, other: Pairs) -> Pairs:
        none, half, one, more, two = map(sum, zip(self.counts, other.counts))
        return Pairs((none, half, one, more, two))

    @staticmethod
    def of(results: Sequence[float]) -> Pairs:
        """The pairs of games, given what the agent got in each of them: 0, 1/2 or 1."""
        counts = [0.0] * len(PAIR_SCORES)
        for first, second in zip(results[::2], results[1::2]):
            counts[round(2 * (first + second))] += 1
        if len(results) % 2:
            counts[round(4 * results[-1])] += 0.5
        none, half, one, more, two = counts
        return Pairs((none, half, one, more, two))

    def shrunk(self, total: float) -> Pairs:
        """Return as good results of fewer games."""
        factor = total / self.total if self.total else 0.0
        none, half, one, more, two = (factor * count for count in self.counts)
        return Pairs((none, half, one, more, two))

    @property
    def scores(self) -> tuple[float, ...]:
        """What can come out of a pair, as a part of its two points."""
        return PAIR_SCORES

    @property
    def total(self) -> float:
        """How many pairs there are."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean result of a game, as that of a `Record`."""
        points = sum(score * count for score, count in zip(PAIR_SCORES, self.counts))
        return points / self.total if self.total else 0.5

    @property
    def swapped(self) -> Pairs:
        """These games as the other agent sees them."""
        none, half, one, more, two = self.counts
        return Pairs((two, more, one, half, none))


@dataclass(frozen=True)
class Rounds:
    """Rounds of games in which an agent sat on each seat once, counted by its average score."""

    scores: tuple[float, ...] = (0.0, 1.0)
    counts: tuple[float, ...] = (0.0, 0.0)

    @staticmethod
    def of(scores: Sequence[float], seats: int) -> Rounds:
        """The rounds, given what the agent got on its seats, those of each round together.

        What there is of a last round that is not complete is a part of one.
        """
        weights = {0.0: 0.0, 1.0: 0.0}
        for begin in range(0, len(scores), seats):
            part = scores[begin : begin + seats]
            # Digits that are only errors of rounding make no other score.
            mean = round(math.fsum(part) / len(part), _DIGITS)
            weights[mean] = weights.get(mean, 0.0) + len(part) / seats
        return Rounds(*zip(*sorted(weights.items())))

    @property
    def score(self) -> float:
        """The average score on a seat; one half without games."""
        total = math.fsum(self.counts)
        points = math.fsum(score * count for score, count in zip(self.scores, self.counts))
        return points / total if total else 0.5

    @property
    def swapped(self) -> Rounds:
        """These rounds with what each score lacked to the highest one."""
        scores = tuple(round(1 - score, _DIGITS) for score in reversed(self.scores))
        return Rounds(scores, self.counts[::-1])


def _check_counts(*counts: float) -> None:
    if min(counts) < 0:
        raise ValueError(f"numbers of games cannot be negative: {counts}")


def papers_interval(record: Record) -> Interval:
    """The 95 % interval of the score, as the scripts of the papers compute it.

    Only to be set beside the papers' own: it is symmetric about the score, so it may leave [0, 1],
    and has no width if all results are equal. With less than two games it is all of [0, 1].
    """
    if record.games < 2:
        return Interval(0.0, 1.0)
    margin = PAPERS_QUANTILE * math.sqrt(record.variance / (record.games - 1))
    return Interval(record.score - margin, record.score + margin)


def papers_verdict(record: Record) -> Literal["better", "similar", "worse"]:
    """Which of its three counts a paper would have put a match in."""
    low, high = papers_interval(record)
    if record.games < PAPERS_MIN_GAMES or low <= 0.5 <= high:
        return "similar"
    return "better" if low > 0.5 else "worse"
