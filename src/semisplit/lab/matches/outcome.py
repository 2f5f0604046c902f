"""How matches ended, and what is known about their games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from semisplit.lab.matches.match import Match, decided_after, finished_in_order
from semisplit.lab.store.database import Store, StoredGame
from semisplit.stats.effort import Effort, mean_effort
from semisplit.stats.evidence import (
    LEVEL,
    Doubt,
    Verdict,
    at_any_length,
    at_fixed_length,
    holm_levels,
    p_value,
    score_interval,
    verdict,
)
from semisplit.stats.records import Interval, Pairs, Record, Rounds


def percent(score: float, interval: Interval) -> str:
    """A score and its interval, in percent."""
    return f"{100 * score:.1f} ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


class MeanScore(NamedTuple):
    """A mean of scores."""

    score: float
    interval: Interval

    def __str__(self) -> str:
        return percent(self.score, self.interval)

    @property
    def swapped(self) -> MeanScore:
        """This score as the other of two agents sees it."""
        return MeanScore(1 - self.score, Interval(1 - self.interval.high, 1 - self.interval.low))


class Spent(NamedTuple):
    """What a game took, all its moves together."""

    simulations: int
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """How a match ended."""

    match: Match
    counted: tuple[StoredGame, ...]
    """The games that count, in their order."""
    doubt: Doubt = at_fixed_length
    distinct: int | None = None
    """How many different games were played, if it has been counted."""
    warning: str = ""
    """About games that do not count."""
    circumstances: tuple[dict[str, str], ...] = ()
    spent: tuple[Spent, ...] = ()
    """What each game took, if it has been counted."""
    abandoned: tuple[int, ...] = ()
    """The iterations that each agent gave up, if it has been counted."""

    @property
    def games(self) -> int:
        """How many games count."""
        return len(self.counted)

    @property
    def failures(self) -> tuple[str, ...]:
        """Why games were not played to their end."""
        return tuple(f"game {one.id}: {one.failure}" for one in self.counted if one.failure)

    @property
    def given_up(self) -> tuple[str, ...]:
        """Which agents gave up iterations."""
        known = zip(self.match.agents, self.abandoned)
        return tuple(
            f"{agent.name} gave up {count:,} iterations" for agent, count in known if count
        )

    @cached_property
    def rounds(self) -> tuple[Rounds, ...]:
        """Those of each agent."""
        return tuple(
            Rounds.of([x for game in self.counted for x in game.scores_of(agent)], self.match.seats)
            for agent in range(len(self.match.agents))
        )

    @cached_property
    def averages(self) -> tuple[MeanScore, ...]:
        """What each agent got on average, as a part of the highest score, with 95 % intervals."""
        return tuple(MeanScore(one.score, score_interval(one, self.doubt)) for one in self.rounds)

    @cached_property
    def by_seat(self) -> tuple[tuple[float | None, ...], ...]:
        """What each agent got on average on each seat; None if it never sat there."""
        return tuple(
            tuple(
                fmean(scores) if (scores := self._scores(agent, seat)) else None
                for seat in range(self.match.seats)
            )
            for agent in range(len(self.match.agents))
        )

    def _scores(self, agent: int, seat: int) -> list[float]:
        return [game.scores[seat] for game in self.counted if game.agents[seat] == agent]

    @property
    def standing(self) -> str:
        """How the match stands, in percent."""
        agents = zip(self.match.agents, self.rounds)
        return ", ".join(f"{agent.name} {100 * one.score:.1f}" for agent, one in agents)


@dataclass(frozen=True)
class Duel(Outcome):
    """How a match between two agents ended: one of them, A, may be better than the other, B."""

    level: float = LEVEL
    """How often the verdict may be wrong; less if there are several matches."""

    @cached_property
    def record(self) -> Record:
        """What A won, drew and lost."""
        results = self._results
        return Record(results.count(1.0), results.count(0.5), results.count(0.0))

    @cached_property
    def pairs(self) -> Pairs:
        """What A got in pairs of games."""
        return Pairs.of(self._results)

    @property
    def _results(self) -> list[float]:
        return [game.result for game in self.counted]

    @property
    def score(self) -> float:
        """What A got: its wins and half of the draws."""
        return self.record.score

    @cached_property
    def interval(self) -> Interval:
        """Where the true score of A is, with 95 % confidence."""
        return score_interval(self.pairs, self.doubt)

    @property
    def standing(self) -> str:
        """What A got, in percent, with its interval."""
        return percent(self.score, self.interval)

    @cached_property
    def verdict(self) -> Verdict:
        """What A is, compared with B."""
        return verdict(self.pairs, self.doubt, self.level)

    @property
    def full_verdict(self) -> str:
        """With what would be said if there were no other matches, should that be something else."""
        alone = verdict(self.pairs, self.doubt)
        return self.verdict if alone == self.verdict else f"{self.verdict} (alone: {alone})"


@dataclass(frozen=True)
class Puzzle(Outcome):
    """How an agent fared at a game of one player: it is solved with the highest score."""

    @cached_property
    def solved(self) -> list[bool]:
        """Whether the puzzle was solved in each game."""
        return [game.scores == (1.0,) for game in self.counted]

    @property
    def share(self) -> MeanScore:
        """How often it was."""
        rounds = Rounds.of([float(one) for one in self.solved], 1)
        return MeanScore(rounds.score, score_interval(rounds, self.doubt))

    @property
    def efforts(self) -> tuple[Effort, Effort] | None:
        """The simulations and the seconds that a solution took, if there are any."""
        took = [spent for spent, solved in zip(self.spent, self.solved) if solved]
        if not took:
            return None
        simulations, seconds = zip(*took)
        return mean_effort(simulations), mean_effort(seconds)

    @property
    def standing(self) -> str:
        """How many were solved."""
        return f"{sum(self.solved)} of {self.games} solved, average {super().standing}"


def outcome(match: Match, games: list[StoredGame], stop_level: float | None = None) -> Outcome:
    """Count the games of a match: up to its end, or to where it was decided."""
    end = decided_after(match, games, stop_level)
    counted = tuple(finished_in_order(games, end or match.games))
    if match.seats == 1:
        return Puzzle(match, counted)
    if not match.is_duel:
        return Outcome(match, counted)
    return Duel(match, counted, at_fixed_length if stop_level is None else at_any_length)


def duels(outcomes: Sequence[Outcome]) -> list[Duel]:
    """The outcomes of matches between two agents."""
    return [one for one in outcomes if isinstance(one, Duel)]


def corrected(outcomes: Sequence[Duel]) -> list[Duel]:
    """Outcomes whose verdicts are all right, but for 5 % of all reports."""
    levels = holm_levels([p_value(one.pairs, one.doubt) for one in outcomes])
    return [replace(one, level=level) for one, level in zip(outcomes, levels)]


def account(ended: Outcome, store: Store) -> Outcome:
    """An outcome with what the store knows about its games besides their results."""
    key = ended.match.key
    rows = store.rows(key)[: ended.games]
    games = [json.loads(row["turns"]) for row in rows]
    lines = {tuple(turn["move"] for turn in turns) for turns in games}
    spent = tuple(
        Spent(*(sum(turn[what] for turn in turns) for what in Spent._fields)) for turns in games
    )
    abandoned = [0] * len(ended.match.agents)
    for game, turns in zip(ended.counted, games):
        for turn in turns:
            abandoned[game.agents[turn["player"] - 1]] += turn.get("abandoned", 0)
    seen = tuple(json.loads(text) for text in dict.fromkeys(row["versions"] for row in rows))
    warning = warn_of_others(ended.match, store)
    return replace(
        ended,
        distinct=len(lines),
        warning=warning,
        circumstances=seen,
        spent=spent,
        abandoned=tuple(abandoned),
    )


def warn_of_others(match: Match, store: Store) -> str:
    """What to know about games of the same names that belong to another match, if there are any."""
    count = store.set_aside(match.key)
    if not count:
        return ""
    games = "1 game does" if count == 1 else f"{count} games do"
    return (
        f"{match}: {games} not count, played with other rules of {match.key.game} or another"
        " configuration of an agent; the store keeps them."
    )
