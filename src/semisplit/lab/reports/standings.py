"""What the outcomes of several matches say together: averages, counts, cross tables, ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from semisplit.lab.matches.outcome import Duel, MeanScore, Outcome, Puzzle, duels
from semisplit.lab.reports.document import Table
from semisplit.lab.store.circumstances import describe
from semisplit.stats.evidence import SIMILAR_ELO, at_any_length, elo_interval, score_interval
from semisplit.stats.ratings import Rating, elo_ratings
from semisplit.stats.records import Interval, Pairs, Record

AVERAGE_NOTE = (
    "Every kind of game counts the same in an average. Its interval is that of a single match with"
    " the pairs of all of them, as many of each kind as there are of the shortest; it is a little"
    " too wide if the kinds are very different."
)


class Pairing(NamedTuple):
    """Two agents, whatever they play."""

    a: str
    b: str
    budget: str

    def __str__(self) -> str:
        return f"{self.a} against {self.b}"


def by_pairing(outcomes: Iterable[Duel]) -> dict[Pairing, list[Duel]]:
    """The outcomes of each pairing, in order."""
    grouped: dict[Pairing, list[Duel]] = {}
    for one in outcomes:
        a, b = one.match.key.agents
        grouped.setdefault(Pairing(a, b, one.match.budget), []).append(one)
    return grouped


def average(outcomes: Sequence[Duel]) -> MeanScore:
    """The mean score of A over the kinds of games it was played at.

    Pairs of all kinds together vary more than as many of each do, so the interval is safe.
    """
    score = sum(one.record.score for one in outcomes) / len(outcomes)
    least = min(one.pairs.total for one in outcomes)
    pooled = sum((one.pairs.shrunk(least) for one in outcomes), Pairs())
    return MeanScore(score, score_interval(pooled, outcomes[0].doubt))


def match_table(outcomes: Sequence[Duel], title: str) -> Table:
    """One row for each match."""
    header = (
        *("game", "A", "B", "played", "distinct", "won", "drawn", "lost"),
        *("score of A in %", "Elo of A minus B", "A is"),
    )
    return Table(title, header, tuple(_match_row(one) for one in outcomes))


def _match_row(one: Duel) -> tuple[str, ...]:
    key, record = one.match.key, one.record
    played = (record.games, "" if one.distinct is None else one.distinct)
    counts = map(str, (*played, record.wins, record.draws, record.losses))
    difference = write_elo(elo_interval(one.interval))
    return (key.game, *key.agents, *counts, one.standing, difference, one.full_verdict)


def write_elo(interval: Interval) -> str:
    """An interval of Elo."""
    return f"{interval.low:+.0f} to {interval.high:+.0f}"


def average_table(outcomes: Sequence[Duel], title: str) -> Table:
    """One row for each pairing: its grand average, and at how many games A is better or not."""
    rows = []
    for pairing, group in by_pairing(outcomes).items():
        verdicts = [one.verdict for one in group]
        counts = [verdicts.count(word) for word in ("better", "similar", "worse")]
        verdict_counts = ", ".join(map(str, (*counts, len(group) - sum(counts))))
        rows.append((pairing.a, pairing.b, str(len(group)), str(average(group)), verdict_counts))
    header = ("A", "B", "kinds of games", "score of A in %", "better, similar, worse, open")
    return Table(title, header, tuple(rows), AVERAGE_NOTE)


def cross_table(outcomes: Sequence[Duel], title: str) -> Table:
    """What each agent got against each other one, on average over the kinds of games."""
    scores: dict[tuple[str, str], str] = {}
    for pairing, group in by_pairing(outcomes).items():
        mean = average(group)
        scores[pairing.a, pairing.b] = str(mean)
        scores[pairing.b, pairing.a] = str(mean.swapped)
    agents = list(dict.fromkeys(name for pair in scores for name in pair))
    rows = ((row, *(scores.get((row, column), "") for column in agents)) for row in agents)
    note = "What the agent of the row got against that of the column, in %: the averages above."
    return Table(title, ("", *agents), tuple(rows), note)


def ratings(outcomes: Iterable[Duel]) -> dict[str, Rating]:
    """The Elo of all agents, over all games they were played at."""
    results: dict[tuple[str, str], Record] = {}
    for one in outcomes:
        a, b = one.match.key.agents
        results[a, b] = results.get((a, b), Record()) + one.record
    return elo_ratings(results)


def rating_table(outcomes: Sequence[Duel], title: str) -> Table:
    """The agents from the strongest to the weakest."""
    rows = (
        (name, f"{rating.elo:+.0f}", write_elo(rating.interval))
        for name, rating in ratings(outcomes).items()
    )
    note = (
        "0 is the mean of these agents; most likely ratings by the model of Bradley and Terry, of"
        " all games played, each counting the same. The intervals are those of large numbers of"
        " independent games."
    )
    return Table(title, ("agent", "Elo", "95 % interval"), tuple(rows), note)


def score_table(outcomes: Sequence[Outcome], title: str) -> Table:
    """What the agents of each match got on average, the best one first."""
    rows = []
    for one in outcomes:
        key, games = one.match.key, str(one.games)
        rows += [(key.game, one.match.names, games, *cells) for cells in score_rows(one)]
    return Table(title, ("game", "match", "played", "agent", "average score in %"), tuple(rows))


def score_rows(ended: Outcome) -> list[tuple[str, str]]:
    """The agents of a match and their average scores, the best one first."""
    both = sorted(zip(ended.match.agents, ended.averages), key=lambda one: -one[1].score)
    return [(agent.name, str(average)) for agent, average in both]


def seat_table(outcomes: Sequence[Outcome], title: str) -> Table:
    """What the agents of each match got on each seat."""
    rows = []
    for one in outcomes:
        for agent, scores in zip(one.match.agents, one.by_seat):
            cells = seat_cells(one, scores)
            rows.append((one.match.key.game, one.match.names, agent.name, ", ".join(cells)))
    return Table(title, ("game", "match", "agent", "average score in % as"), tuple(rows))


def seat_cells(ended: Outcome, scores: Iterable[float | None]) -> list[str]:
    """The average scores of an agent, with the player as which it got them."""
    seats = zip(ended.match.game.seats, scores)
    return [f"{player} {100 * score:.1f}" for player, score in seats if score is not None]


def puzzle_table(outcomes: Sequence[Puzzle], title: str) -> Table:
    """How often each puzzle was solved, and what that took."""
    rows = []
    for one in outcomes:
        efforts = one.efforts or ("", "")
        counts = str(one.games), str(sum(one.solved)), str(one.share)
        rows.append((one.match.key.game, one.match.names, *counts, *map(str, efforts)))
    header = ("game", "agent", "played", "solved", "solved in %", "simulations", "seconds")
    note = (
        "Solved is a game with the highest score. Simulations and seconds are means of those that"
        " were solved, from the first move to the last, with the intervals of Student."
    )
    return Table(title, header, tuple(rows), note)


def failure_table(outcomes: Sequence[Outcome]) -> list[Table]:
    """The games that were not played to their end, if there are any."""
    rows = [(str(one.match), failure) for one in outcomes for failure in one.failures]
    if not rows:
        return []
    note = "Who fails loses the game; one without an end is a draw, or lost if there is one player."
    return [Table("Failures", ("match", "what happened"), tuple(rows), note)]


def about(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What was played where, what of it does not count, and what the numbers mean."""
    games = sum(one.games for one in outcomes)
    contested = duels(outcomes)
    played = f"{games} games were played, in {len(outcomes)} matches."
    seen = describe(one for ended in outcomes for one in ended.circumstances)
    warnings = [one.warning for one in outcomes if one.warning]
    warnings += [f"{one.match}: {agent}." for one in outcomes for agent in one.given_up]
    sequential = any(one.doubt is at_any_length for one in outcomes)
    return (
        played + (f" Circumstances: {seen}." if seen else ""),
        *warnings,
        *([_SCORES] if contested else []),
        *([_AVERAGES] if any(one.match.seats != 2 for one in outcomes) else []),
        *([_SEQUENTIAL] if sequential else []),
        *([_VERDICTS] if contested else []),
        *([_HOLM.format(len(contested))] if len(contested) > 1 else []),
    )


_SCORES = (
    "Played are single games, distinct are those with different moves. A score counts draws as"
    " half. The interval after it contains the true score in at least 95 % of all matches; it is"
    " made from pairs of games with swapped sides, and that of Elo from it."
)
_AVERAGES = (
    "Average scores are parts of the highest score that the rules award, over all games and seats."
    " Their intervals are made from rounds of games, in which every agent sits on every seat once."
    " Where two agents share more than two seats, who has the higher average in a game wins it."
)
_SEQUENTIAL = (
    "Matches ended when they were decided. Intervals and verdicts allow for that; scores by"
    " themselves are a little too extreme."
)
_VERDICTS = (
    "Better and worse: the interval is all above or below 50 %. Similar: the two are closer than"
    f" {SIMILAR_ELO:.0f} Elo. Undecided: none of these is known. Too few games: nothing could be"
    " known, whoever had won them."
)
_HOLM = (
    "Verdicts are about {} matches at once, and corrected for that by Holm's method: all of them"
    ' together are right in at least 95 % of all reports. "Alone" is what a match would say by'
    " itself. Intervals are not corrected: one in twenty may be wrong."
)
