"""Short games of candidates against each other, to find the best in the time that there is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from semisplit.agents.auto.prior import Array, Strengths
from semisplit.core.errors import PlayLimit
from semisplit.game import State
from semisplit.search import Budget

if TYPE_CHECKING:
    from semisplit.search.search import Search

_FEW, _MANY = 4, 60
"""Games of a round: with fewer there is none, and with more their moves could have more time."""
_WORTH = 0.5
"""What a short game tells, as a part of what a game at the real budget does."""


class TrialBudget:
    """What may be spent on short games: seconds, or states, so that the same comes out always."""

    def __init__(self, total: float, least: float, most: float, begin: float | None):
        """Fill a purse.

        Args:
            total: What may be spent.
            least: What a move needs, or the game tells little.
            most: What a move will have when it counts.
            begin: Since when seconds are spent; None if it is states.
        """
        self._total = total
        self._least = min(least, most)
        self._most = most
        self._begin = begin
        self._states = 0

    def pay(self, states: int) -> None:
        """Note that a search went through some states."""
        self._states += states

    @property
    def left(self) -> float:
        """What is left; less than nothing if more was spent."""
        spent = self._states if self._begin is None else time.perf_counter() - self._begin
        return self._total - spent

    def rounds(self, candidates: int, depth: float) -> tuple[int, Budget | None]:
        """How many rounds candidates play, and what each move may take; None if that is too little.

        Args:
            candidates: How many there are.
            depth: About how many moves a game has.
        """
        rounds = candidates.bit_length() - 1
        share = self.left / (rounds * max(1.0, depth))
        if share < _FEW * self._least:
            return rounds, None
        move = min(max(share / _MANY, self._least), self._most)
        in_states = self._begin is None
        return rounds, Budget(states=max(1, int(move))) if in_states else Budget(seconds=move)


def successive_halving(
    searches: Sequence[Search], prior: Strengths, trial_budget: TrialBudget, depth: float
) -> tuple[Strengths, Array]:
    """Let candidates play each other, the better half of them again, and so on.

    Args:
        searches: The first candidates; others are not tried.
        prior: What is known about all of them.
        trial_budget: What may be spent; each round an equal part of it.
        depth: About how many moves a game has.

    Returns:
        What is known then, and the points of each candidate (row) against each other (column).
    """
    strengths, points = prior, np.zeros((len(prior.means), len(prior.means)))
    alive = list(range(len(searches)))
    while len(alive) > 1:
        rounds, budget = trial_budget.rounds(len(alive), depth)
        if budget is None:
            break
        until = trial_budget.left * (rounds - 1) / rounds
        for first, second in _pairs(alive):
            score = _play(searches[first], searches[second], budget, trial_budget, until)
            if score is None:
                break
            points[first, second] += score
            points[second, first] += 1 - score
        strengths = prior.after(_WORTH * points)
        alive.sort(key=strengths.means.tolist().__getitem__, reverse=True)
        del alive[len(alive) // 2 :]
    return strengths, points


def _pairs(alive: list[int]) -> Iterator[tuple[int, int]]:
    """All pairs, again and again, who begins first and then the other way round."""
    while True:
        for first, second in combinations(alive, 2):
            yield first, second
            yield second, first


def _play(
    first: Search, second: Search, budget: Budget, trial_budget: TrialBudget, until: float
) -> float | None:
    """What the first one gets, from 0 to 1; None if the game had to be broken off.

    They take turns in sitting down, where there are more than two players.
    """
    game = first.game
    start = game.initial_state()
    for search in (first, second):
        search.set_state(start)
    seats = [(first, second)[number % 2] for number in range(len(game.players))]
    state: State = start
    while not state.is_terminal:
        if trial_budget.left <= until:
            return None
        try:
            result = seats[state.player - 1].run(budget, details=False)
        except PlayLimit:
            return None
        trial_budget.pay(result.states)
        for search in (first, second):
            search.play(result.move)
        state = seats[0].state
    bounds = game.rules.players.values()
    scores = [score / max(1, top) for score, top in zip(state.scores, bounds)]
    ours, theirs = fmean(scores[::2]), fmean(scores[1::2])
    return 0.5 if ours == theirs else float(ours > theirs)
