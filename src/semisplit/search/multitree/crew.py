"""Several searches in several trees at the same time, each with trees of its own.

They begin with different random numbers, and so find different lines: the first one that solves a
puzzle ends all of them. What moves at the root are worth is what all of them have found together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from semisplit.game import Game, Move, State
from semisplit.search.budget import Budget
from semisplit.search.multitree.forest import ForestSearch, Known
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.parallel.threads import Threads
from semisplit.search.stopping import Pause, Run

_SEEDS = 1 << 40
"""Between the seeds of two searches."""


class CrewSearch(ForestSearch):
    """One of several searches, which leads the others."""

    def __init__(
        self,
        game: Game,
        masks: tuple[int, ...],
        settings: MultiTreeSettings,
        *,
        seed: int,
        memory: int,
        note: str,
    ):
        """Prepare a search from the initial state, as a single one is prepared."""
        share, crew = memory // settings.threads, range(1, settings.threads)
        super().__init__(game, masks, settings, seed=seed, memory=share, note=note)
        self._others = [
            ForestSearch(game, masks, settings, seed=seed + i * _SEEDS, memory=share, note=note)
            for i in crew
        ]
        self._threads = Threads(settings.threads)
        self._is_stopped = False

    def set_state(self, state: State) -> None:
        """Search from a state, with new trees."""
        super().set_state(state)
        for other in self._others:
            other.set_state(state)

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move, and keep what is known about what follows."""
        super().play(move)
        for other in self._others:
            other.play(move)

    def stop(self) -> None:
        """End the run that is under way, in about ten milliseconds; returns at once."""
        self._is_stopped = True
        super().stop()

    def forget_stops(self) -> None:
        """A run begins, which nobody has asked to stop yet."""
        self._is_stopped = False
        super().forget_stops()
        for other in self._others:
            other.forget_stops()

    def iterate(self, budget: Budget, run: Run, pause: Pause | None) -> None:
        """Iterate in all threads until their shares of a budget are spent, or one has solved it."""
        if run.is_solved:
            return
        crew: Sequence[ForestSearch] = [self, *self._others]
        runs = [run, *(Run() for _ in self._others)]
        is_over = False

        def watch(one: ForestSearch) -> None:
            if one is self and pause is not None:
                pause()
            if is_over or self._is_stopped:
                one.stop()

        def search(one: ForestSearch, its_run: Run, share: Budget) -> int:
            nonlocal is_over
            try:
                ForestSearch.iterate(one, share, its_run, partial(watch, one))
                is_over = is_over or its_run.is_solved
            except BaseException:
                is_over = True
                raise
            return 0

        tasks: list[Callable[[], int]] = [
            partial(search, one, its_run, share)
            for one, its_run, share in zip(crew, runs, _shares(budget, len(crew)))
        ]
        for outcome in self._threads.do(tasks):
            if isinstance(outcome, Exception):
                raise outcome
        for its_run in runs[1:]:
            run.simulations += its_run.simulations
            run.states += its_run.states
            run.abandoned += its_run.abandoned

    def read_line(self) -> None:
        """Take over a line that is better than what was known, whoever has found it."""
        super().read_line()
        for other in self._others:
            other.read_line()
            self.adopt(other)

    def root_moves(self) -> list[Known]:
        """What is known about each legal move, in all trees."""
        found = super().root_moves()
        for other in self._others:
            found = [
                Known(
                    mine.codes,
                    mine.visits + its.visits,
                    [a + b for a, b in zip(mine.scores, its.scores)],
                )
                for mine, its in zip(found, other.root_moves())
            ]
        return found


def _shares(budget: Budget, number: int) -> list[Budget]:
    """What each of some searches may take at the same time; the first gets what is left over."""
    if budget.seconds is not None:
        return [budget] * number

    def divide(total: int | None) -> list[int | None]:
        if total is None:
            return [None] * number
        return [total - total // number * (number - 1), *[total // number] * (number - 1)]

    both = zip(divide(budget.simulations), divide(budget.states))
    return [Budget(simulations=simulations, states=states) for simulations, states in both]
