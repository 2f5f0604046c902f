"""The trees of a search and its workers, each in a thread of its own."""

from __future__ import annotations

from functools import partial
from random import Random

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.run import run
from semisplit.search.features.policies.feature import PoliciesFeature
from semisplit.search.parallel.batch import help_out
from semisplit.search.parallel.settings import Method, Parallel
from semisplit.search.parallel.threads import Task, Threads
from semisplit.search.result import PolicyStatistics


class WorkerPool:
    """Works for a slice of time, after which no iteration is under way in any tree."""

    def __init__(self, common: Common, parallel: Parallel, seed: int, memory: int):
        """Make trees and workers.

        Args:
            common: The game and the settings.
            parallel: How many there are of them.
            seed: Of all random numbers.
            memory: What all trees may take together, in bytes.
        """
        self._common = common
        self._method = parallel.method
        self.trees = [TreeMemory(common, memory // parallel.trees) for _ in range(parallel.trees)]
        seeds = [seed, *(Random(f"{seed} {i}").getrandbits(64) for i in range(1, parallel.threads))]
        self.workers = [WorkerMemory(common, own) for own in seeds]
        self._threads = Threads(parallel.threads)
        self.error: Exception | None = None
        """What was raised in one of the threads."""

    @property
    def states(self) -> int:
        """The nodal states that all have visited."""
        return sum(worker.record.counts.states for worker in self.workers)

    @property
    def abandoned(self) -> int:
        """The iterations that all have given up."""
        return sum(worker.record.counts.abandoned for worker in self.workers)

    def tree_of(self, number: int) -> TreeMemory:
        """The tree on which a worker works."""
        return self.trees[number % len(self.trees)]

    def allow(self, work: int, deadline: int) -> None:
        """Let simulations be given up after so many failures, or when the clock shows a time."""
        for worker in self.workers:
            worker.allow(work, deadline)

    def forget_times(self) -> None:
        """Begin to measure how long simulations take."""
        for worker in self.workers:
            worker.record.clock.ticks = worker.record.clock.simulation_ticks = 0

    @property
    def tree_share(self) -> float:
        """The part of the time that was not spent in simulations."""
        simulations = sum(worker.record.clock.simulation_ticks for worker in self.workers)
        return 1.0 - simulations / max(1, sum(worker.record.clock.ticks for worker in self.workers))

    @property
    def policies(self) -> tuple[PolicyStatistics, ...]:
        """What has come of the policies of simulations, of all workers together."""
        memories = self._common.feature(PoliciesFeature).memories
        return memories[0].statistics(memories) if memories else ()

    def work(self, simulations: int, states: int, end: int) -> int:
        """Search until so many simulations or states have been added, or the clock shows the end.

        They are shared out, so there may be less of them when all have come back. At least one
        simulation is made, if none has to be given up. Returns how many were made.
        """
        tasks = self._tasks(simulations, states, end)
        outcomes = self._threads.do(tasks) if len(tasks) > 1 else [tasks[0]()]
        made = 0
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                self.error = outcome
            else:
                made += outcome
        for number, worker in enumerate(self.workers):
            tree, own = self.tree_of(number).record, worker.record.counts
            tree.node_count += own.nodes
            tree.simulations += own.simulations
            own.nodes = own.simulations = 0
        for feature in self._common.features:
            for number, worker in enumerate(self.workers):
                feature.settle(self.tree_of(number), worker)
        return made

    def _tasks(self, simulations: int, states: int, end: int) -> list[Task]:
        places = [worker.at(self.tree_of(number)) for number, worker in enumerate(self.workers)]
        if self._method == Method.LEAF:
            tree = self.trees[0].record
            tree.job.over, tree.job.sharers = 0, len(places)
            limit = places[0].worker.counts.states + states
            first: Task = partial(run, places[0], simulations, limit, end)
            return [first, *(partial(_help, place) for place in places[1:])]
        count = len(places)
        return [
            partial(
                run,
                place,
                simulations // count + (number < simulations % count),
                place.worker.counts.states + -(-states // count),
                end,
            )
            for number, place in enumerate(places)
        ]


def _help(place: Workspace) -> int:
    help_out(place)
    return 0
