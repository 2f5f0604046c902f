"""A game as a worker searches it: in a thread of its own, which others tell what to do."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from random import Random
from typing import TypeVar

from semisplit.core.errors import InputError, SemisplitError
from semisplit.game import Move, State
from semisplit.search import Budget
from semisplit.search.cluster.messages import Place, Plan, Report, Start
from semisplit.search.parallel.exchange import subtract_table
from semisplit.search.search import Search

_FOR_EVER = Budget(seconds=1e9)
_FORGOTTEN = 600.0
"""Seconds after which a game is given up of which nothing is heard."""
_log = logging.getLogger(__name__)
T = TypeVar("T")


class Session:
    """Searches one game for a master.

    Methods are called from any thread. What they want to know is looked up by the thread that
    searches, between two slices of its search.
    """

    def __init__(self, start: Start, worker: int):
        """Begin to compile the game, in the thread.

        Args:
            start: What to search.
            worker: The number of the worker, from 0.
        """
        self._start = start
        self._worker = worker
        self._requests: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._until = 0.0
        """When to rest, by `time.monotonic`."""
        self._place: Place | None = None
        """The position that is searched."""
        self._wanted: Place | None = None
        """The one that is to be searched, if it is another."""
        self._told: Report | None = None
        """What was told about it at the first time."""
        self.is_over = False
        self.ready: Future[None] = Future()
        """Whether the game can be searched."""
        threading.Thread(target=self._live, daemon=True).start()

    # From other threads

    def search(self, place: Place, seconds: float) -> None:
        """Search a position for some time."""
        self._requests.put(partial(self._want, place, time.monotonic() + seconds))

    def first(self, place: Place, plan: Plan) -> Report:
        """Search a position, and tell after some time what is known about it."""
        self.search(place, plan.second + plan.margin)
        time.sleep(plan.first)
        return self._ask(partial(self._tell_first, place))

    def second(self, place: Place, others: Report, seconds: float) -> Report:
        """Take what all know about a position; tell again what is known after some time."""
        self._requests.put(partial(self._hear, place, others))
        time.sleep(seconds)
        return self._ask(partial(self._tell_second, place))

    def end(self) -> None:
        """Forget the game."""
        self._requests.put(self._end)

    def _ask(self, question: Callable[[], T]) -> T:
        answer: Future[T] = Future()

        def request() -> None:
            try:
                answer.set_result(question())
            except Exception as error:
                answer.set_exception(error)

        self._requests.put(request)
        return answer.result()

    # In the thread that searches

    def _live(self) -> None:
        start = self._start
        try:
            seed = Random(f"{start.seed} worker {self._worker}").getrandbits(64)
            self.searcher = Search(start.game, start.settings, seed=seed)
        except Exception as error:
            self.is_over = True
            self.ready.set_exception(error)
            return
        self.ready.set_result(None)
        while not self.is_over:
            try:
                self._work()
            except SemisplitError as error:
                _log.warning("worker %s: %s", self._worker, error)
                self._until = 0.0

    def _work(self) -> None:
        """Do the next thing: go to another position, search, or wait until somebody wants it."""
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            self._go(wanted)
        elif time.monotonic() < self._until and not self.searcher.state.is_terminal:
            self.searcher.run(_FOR_EVER, details=False, pause=self._pause)
            if not self._has_news:
                self._until = 0.0  # Nothing better can be found.
        else:
            try:
                self._requests.get(timeout=_FORGOTTEN)()
            except Empty:
                self.is_over = True

    def _pause(self) -> None:
        """Is called every few milliseconds during a search."""
        while self._wanted is None and not self._requests.empty():
            self._requests.get()()
        if self._has_news:
            self.searcher.stop()
        else:
            self.searcher.exchange.refresh()

    @property
    def _has_news(self) -> bool:
        """Whether there is something else to do than to search on."""
        return self._wanted is not None or self.is_over or time.monotonic() >= self._until

    def _want(self, place: Place, until: float) -> None:
        self._until = until
        if place != self._place:
            self._wanted = place

    def _go(self, place: Place) -> None:
        """Make the moves that lead to a position, and narrow the search there."""
        before, search = self._place, self.searcher
        self._place = self._told = None
        if before is None or place.origin != before.origin or not _begins(place, before):
            search.set_state(State(search.game, place.origin))
            made = 0
        else:
            made = len(before.moves)
        for steps in place.moves[made:]:
            search.play(Move(steps, search.game.write_move))
        self._place = place
        part = self._start.cluster.part(self._worker)
        if part is not None and not search.state.is_terminal:
            search.narrow(self._start.player or search.state.player, part)

    def _tell_first(self, place: Place) -> Report:
        self._check(place)
        self.searcher.widen()
        self._told = self._report()
        return self._told

    def _hear(self, place: Place, others: Report) -> None:
        if place != self._place or self._told is None:
            return
        # What comes down may have one's own part in it, which is in the tree already.
        is_part = self._worker in others.workers
        others_table = subtract_table(others.table, self._told.table) if is_part else others.table
        self.searcher.exchange.receive(others_table)

    def _tell_second(self, place: Place) -> Report:
        self._check(place)
        self._until = 0.0
        if self._start.cluster.votes:
            # It votes by what it has found out itself, like at the first time.
            self.searcher.exchange.retract()
        return self._report()

    def _check(self, place: Place) -> None:
        if place != self._place:
            raise InputError("another position is searched")

    def _report(self) -> Report:
        search, workers = self.searcher, frozenset({self._worker})
        if search.state.is_terminal:
            return Report({}, workers)
        result = search.snapshot()
        return Report(
            search.exchange.own(),
            workers,
            simulations=result.simulations,
            states=result.states,
            line=tuple(move.steps for move in result.line),
            line_score=result.score if result.line else 0.0,
            votes=search.vote() if self._start.cluster.votes else Counter(),
        )

    def _end(self) -> None:
        self.is_over = True


def _begins(place: Place, before: Place) -> bool:
    """Whether the moves of a position begin with those of an earlier one."""
    return place.moves[: len(before.moves)] == before.moves
