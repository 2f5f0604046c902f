"""What the outcomes of several matches say together: averages, counts, cross tables, ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from semisplit.lab.document import Table
from semisplit.lab.match import Outcome, percent
from semisplit.lab.statistics import Rating, Record, elo_ratings, papers_interval, verdict


class Pairing(NamedTuple):
    """Two agents, whatever they play."""

    a: str
    b: str
    budget: str

    def __str__(self) -> str:
        return f"{self.a} against {self.b}"


class Average(NamedTuple):
    """A score as the mean over games, every game counting the same."""

    score: float
    margin: float
    better: int
    similar: int
    worse: int

    def __str__(self) -> str:
        return percent(self.score, self.margin)

    @property
    def counts(self) -> str:
        """In how many games A is better, similar and worse."""
        return f"{self.better}:{self.similar}:{self.worse}"


def by_pairing(outcomes: Iterable[Outcome]) -> dict[Pairing, list[Outcome]]:
    """The outcomes of each pairing, in order."""
    grouped: dict[Pairing, list[Outcome]] = {}
    for one in outcomes:
        match = one.match
        grouped.setdefault(Pairing(match.a.name, match.b.name, match.budget), []).append(one)
    return grouped


def average(outcomes: Sequence[Outcome]) -> Average:
    """The mean score of A over the games it was played at."""
    records = [one.record for one in outcomes]
    margins = (papers_interval(record).margin for record in records)
    verdicts = [verdict(record) for record in records]
    return Average(
        sum(record.score for record in records) / len(records),
        math.sqrt(sum(margin**2 for margin in margins)) / len(records),
        verdicts.count("better"),
        verdicts.count("similar"),
        verdicts.count("worse"),
    )


def match_table(outcomes: Sequence[Outcome], title: str) -> Table:
    """One row for each match."""
    header = ("game", "A", "B", "score of A in %", "won", "drawn", "lost", "A is")
    return Table(title, header, tuple(_match_row(one) for one in outcomes))


def _match_row(one: Outcome) -> tuple[str, ...]:
    match, record = one.match, one.record
    counts = map(str, (record.wins, record.draws, record.losses))
    return (match.key.game, match.a.name, match.b.name, one.score, *counts, verdict(record))


def average_table(outcomes: Sequence[Outcome], title: str) -> Table:
    """One row for each pairing: its grand average, and in how many games A is better or not."""
    rows = []
    for pairing, group in by_pairing(outcomes).items():
        mean = average(group)
        rows.append((pairing.a, pairing.b, str(len(group)), str(mean), mean.counts))
    header = ("A", "B", "games", "score of A in %", "better:similar:worse")
    return Table(title, header, tuple(rows), "Every game counts the same in an average.")


def cross_table(outcomes: Sequence[Outcome], title: str) -> Table:
    """What each agent got against each other one, on average over the games."""
    scores: dict[tuple[str, str], str] = {}
    for pairing, group in by_pairing(outcomes).items():
        mean = average(group)
        scores[pairing.a, pairing.b] = str(mean)
        scores[pairing.b, pairing.a] = percent(1 - mean.score, mean.margin)
    agents = list(dict.fromkeys(name for pair in scores for name in pair))
    rows = ((row, *(scores.get((row, column), "") for column in agents)) for row in agents)
    note = "What the agent of the row got against that of the column, in %."
    return Table(title, ("", *agents), tuple(rows), note)


def ratings(outcomes: Iterable[Outcome]) -> dict[str, Rating]:
    """The Elo of all agents, over all games they were played at."""
    results: dict[tuple[str, str], Record] = {}
    for one in outcomes:
        pair = one.match.a.name, one.match.b.name
        results[pair] = results.get(pair, Record()) + one.record
    return elo_ratings(results)


def rating_table(outcomes: Sequence[Outcome], title: str) -> Table:
    """The agents from the strongest to the weakest."""
    rows = (
        (name, f"{rating.elo:+.0f}", f"{rating.interval.low:+.0f} to {rating.interval.high:+.0f}")
        for name, rating in ratings(outcomes).items()
    )
    note = "0 is the mean of these agents; most likely ratings by the model of Bradley and Terry."
    return Table(title, ("agent", "Elo", "95 % interval"), tuple(rows), note)


def failure_table(outcomes: Sequence[Outcome]) -> list[Table]:
    """The games that were not played to their end, if there are any."""
    rows = [(str(one.match), failure) for one in outcomes for failure in one.failures]
    if not rows:
        return []
    note = "Who fails loses the game; one without an end is a draw."
    return [Table("Failures", ("match", "what happened"), tuple(rows), note)]
