"""When a search stops: the reasons to, one by one, apart from what is searched.

A run goes on slice by slice. Before each slice all stoppers are asked whether one of them is due;
then they may shorten the slice, so that the run ends where they want it to. A run makes at least
one simulation, unless there is nothing left to find.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from semisplit.search.budget import Budget

ENDLESS = 2**62
SLICE = 0.01
"""Seconds that a slice takes, unless an iteration takes longer."""
Pause: TypeAlias = Callable[[], None]
"""Is called during a search, every few milliseconds."""


@dataclass
class Run:
    """What a search has done since it began to run."""

    begin: float = field(default_factory=lambda: time.perf_counter())
    simulations: int = 0
    states: int = 0
    """Nodal states that were visited."""
    abandoned: int = 0
    """Iterations that were given up."""
    is_solved: bool = False
    """Whether a line is known that cannot be better."""
    has_long_moves: bool = False
    """Whether a move had more semimoves than are allowed."""
    note: str = ""

    @property
    def has_tried(self) -> bool:
        """Whether there was an iteration."""
        return self.simulations > 0 or self.abandoned > 0

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.perf_counter() - self.begin


@dataclass
class Slice:
    """How far a search may go before stoppers are asked again."""

    end: float
    """By `time.perf_counter`."""
    simulations: int = ENDLESS
    states: int = ENDLESS
    deadline: float = math.inf
    """When a simulation is given up that does not come to its end."""


class Stopper:
    """A reason to end a run."""

    def is_due(self, run: Run) -> bool:
        """Whether the run is over."""
        raise NotImplementedError

    def shorten(self, part: Slice, run: Run) -> None:
        """Let the next slice end not later than this is due, if that can be foreseen."""


class StopRequest(Stopper):
    """A wish that the search stops: of another thread, or of a function called in its pauses."""

    def __init__(self) -> None:
        self._is_made = False

    def make(self) -> None:
        """Ask for the end of the run that is under way."""
        self._is_made = True

    def forget(self) -> None:
        """Another run begins."""
        self._is_made = False

    def is_due(self, run: Run) -> bool:
        """Whether a stop has been asked for."""
        return self._is_made and run.has_tried


class Solution(Stopper):
    """A line is known that cannot be better."""

    def is_due(self, run: Run) -> bool:
        """Whether it is known."""
        return run.is_solved


@dataclass(frozen=True)
class Deadline(Stopper):
    """The time is over."""

    end: float
    """By `time.perf_counter`."""

    def is_due(self, run: Run) -> bool:
        """Whether the time has come."""
        return run.has_tried and time.perf_counter() >= self.end

    def shorten(self, part: Slice, run: Run) -> None:
        """Let kernels come back in time."""
        part.end = min(part.end, self.end)
        part.deadline = self.end + SLICE


@dataclass(frozen=True)
class SimulationLimit(Stopper):
    """So many simulations have been made."""

    most: int

    def is_due(self, run: Run) -> bool:
        """Whether they have been made."""
        return run.simulations >= self.most

    def shorten(self, part: Slice, run: Run) -> None:
        """Make no more than are left."""
        part.simulations = self.most - run.simulations


@dataclass(frozen=True)
class StateLimit(Stopper):
    """So many nodal states have been visited."""

    most: int

    def is_due(self, run: Run) -> bool:
        """Whether they have been visited."""
        return run.states >= self.most

    def shorten(self, part: Slice, run: Run) -> None:
        """End with the simulation that visits the last of them."""
        part.states = self.most - run.states


def stopper_of(budget: Budget, run: Run) -> Stopper:
    """What ends a run when its budget is spent."""
    if budget.simulations is not None:
        return SimulationLimit(max(1, budget.simulations))
    if budget.states is not None:
        return StateLimit(max(1, budget.states))
    return Deadline(run.begin + budget.clock)


def slices(stoppers: Iterable[Stopper], run: Run, pause: Pause | None) -> Iterator[Slice]:
    """The slices of a run, until a stopper is due.

    Args:
        stoppers: The reasons to stop.
        run: The search keeps it up to date.
        pause: Is called between two slices.
    """
    chain = list(stoppers)
    while True:
        if run.has_tried and pause is not None:
            pause()
        if any(stopper.is_due(run) for stopper in chain):
            return
        part = Slice(time.perf_counter() + SLICE)
        for stopper in chain:
            stopper.shorten(part, run)
        yield part


def iterations(stoppers: Iterable[Stopper], run: Run, pause: Pause | None) -> Iterator[None]:
    """The iterations of a run, one by one, for a search that does not count them in kernels."""
    for part in slices(stoppers, run, pause):
        simulations, states = run.simulations + part.simulations, run.states + part.states
        yield
        while (
            run.simulations < simulations and run.states < states and time.perf_counter() < part.end
        ):
            yield
