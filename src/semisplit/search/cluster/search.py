"""The master: a search whose tree is joined with those of other machines.

>>> from semisplit.search.cluster.settings import take_cluster
>>> take_cluster("orthodox,cluster=limited,workers=8")[1].interval_count
8
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from queue import SimpleQueue
from typing import Any
from uuid import uuid4
from weakref import finalize

from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.search.budget import DEFAULT_MEMORY, Budget
from semisplit.search.cluster.messages import EMPTY, Place, Plan, Report, Start, add_reports
from semisplit.search.cluster.relay import Link, Relay
from semisplit.search.cluster.settings import FIRST, ClusterSettings, check_search
from semisplit.search.final import Votes
from semisplit.search.parallel.exchange import Table
from semisplit.search.result import Result
from semisplit.search.search import Search
from semisplit.search.settings import Settings
from semisplit.search.stopping import Pause

MASTER = -1
"""The number of the master among workers."""
_ENDLESS = 1e6
"""Seconds from which on a budget is no clock: somebody else's turn, or nobody knows how long."""
_LEASE, _RENEWAL = 10.0, 4.0
"""Seconds for which workers search then, and after which they are told to go on."""
_SLACK = 0.015
"""Seconds before the end when all has to be gathered, as a slice of the search takes a while."""
_log = logging.getLogger(__name__)
Job = Callable[[Relay], None]


class ClusterSearch(Search):
    """Searches like any other, and asks workers at 80 % of the clock and at its end.

    Another thread talks with them. Whatever happens to it, this search ends in time.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings,
        cluster: ClusterSettings,
        *,
        player: int | None = None,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
        links: Sequence[Link] | None = None,
    ):
        """Prepare a search from the initial state, here and on workers.

        Args:
            game: The game.
            settings: What to do, here and there.
            cluster: Who takes part.
            player: Whose search it is; None if it is that of whoever is to move.
            seed: For random numbers.
            memory: How many bytes the tree may take here.
            links: The nodes right below, if these are not actors of the cluster of this machine.
        """
        check_search(cluster, settings)
        self.cluster = cluster
        if links is None:
            from semisplit.search.cluster.actors import caller, find_nodes

            links = [Link(name, caller(actor)) for name, actor in find_nodes(cluster)]
        start = Start(game, settings, cluster, player, seed)
        relay = Relay(links, uuid4().hex, start, cluster.layers + 1, _log.info)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        threading.Thread(target=_talk, args=(relay, self._jobs), daemon=True).start()
        finalize(self, self._jobs.put, None)
        self._jobs.put(Relay.begin)
        self.votes: Votes = Counter()
        """Of all machines, on the move that is searched; none if their sum decides."""
        super().__init__(game, settings, seed=seed, memory=memory)

    def set_state(self, state: State) -> None:
        """Search from a state, with new trees."""
        super().set_state(state)
        self._origin = self.state.position
        self._moves: tuple[Steps, ...] = ()

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move; workers hear of it when there is something to search."""
        if isinstance(move, str):
            move = self.state.parse_move(move)
        super().play(move)
        self._moves = (*self._moves, move.steps)

    def run(self, budget: Budget, *, details: bool = True, pause: Pause | None = None) -> Result:
        """Search within a budget and select a move.

        Workers think by the clock. If the budget is no time, this search is on its own.
        """
        self.votes = Counter()
        if budget.seconds is None or self.state.is_terminal:
            return super().run(budget, details=details, pause=pause)
        turn = _Turn(self, Place(self._origin, self._moves), budget.clock)

        def attend() -> None:
            turn.attend()
            if pause is not None:
                pause()

        try:
            result = super().run(budget, details=details, pause=attend)
        finally:
            turn.over.set_result(None)
        self.result = turn.complete(result)
        return self.result

    def _votes(self) -> Votes:
        """What decides on the move instead of scores and visits, if machines have voted."""
        return self.votes

    def post(self, job: Job) -> None:
        """Have something done by the thread that talks with workers."""
        self._jobs.put(job)


def _talk(relay: Relay, jobs: SimpleQueue[Job | None]) -> None:
    """Do one job after the other, until nobody needs the search any more."""
    while _do_next(relay, jobs):
        pass
    relay.end()


def _do_next(relay: Relay, jobs: SimpleQueue[Job | None]) -> bool:
    # Whoever waits for the next job must not hold on to the last one, and so to the search.
    if (job := jobs.get()) is None:
        return False
    try:
        job(relay)
    except Exception as error:
        _log.warning("the cluster cannot be asked: %r", error)
    return True


class _Turn:
    """The search for one move, as the master sees it."""

    def __init__(self, search: ClusterSearch, place: Place, seconds: float):
        self._search, self._place, self._cluster = search, place, search.cluster
        self._begun = time.monotonic()
        self._own: Future[Table] = Future()
        """What the master has found out when workers tell the same."""
        self.over: Future[None] = Future()
        """The search has ended, so there is nothing to be gained any more."""
        self._heard: SimpleQueue[Report] = SimpleQueue()
        self._report = EMPTY
        self._renewal = 0.0
        self._is_endless = seconds >= _ENDLESS
        seconds = max(0.0, seconds)
        margin = self._cluster.margin_within(seconds)
        kept = (self._cluster.layers + 1) * margin + min(_SLACK, margin)
        self._plan = Plan(FIRST * seconds, max(0.0, seconds - kept), margin)
        if not self._is_endless:
            search.post(self._synchronise)

    # In the thread that searches

    def attend(self) -> None:
        """Is called every few milliseconds."""
        now, exchange = time.monotonic() - self._begun, self._search.exchange
        if self._is_endless:
            if now >= self._renewal:
                self._renewal = now + _RENEWAL
                self._search.post(lambda relay: relay.ponder(self._place, _LEASE))
            return
        if now >= self._plan.first and not self._own.done():
            self._own.set_result(exchange.own())
        while not self._heard.empty():
            self._report = self._heard.get()
            if self._cluster.votes:
                exchange.retract()
                self._search.votes = self._report.votes + self._search.vote()
            exchange.receive(self._report.table)
        exchange.refresh()

    def complete(self, result: Result) -> Result:
        """A result, with what workers have done for it."""
        missing = self._cluster.workers - len(self._report.workers)
        if self._report.line_score > (result.score if result.line else 0.0):
            game = self._search.game
            line = tuple(Move(steps, game.write_move(steps)) for steps in self._report.line)
            move, score = self._search.state.move(line[0].steps), self._report.line_score
            result = replace(result, move=move, score=score, line=line, variation=line)
        note = f"{missing} of {self._cluster.workers} workers are missing" if missing else ""
        return replace(
            result,
            simulations=result.simulations + self._report.simulations,
            states=result.states + self._report.states,
            note="; ".join(filter(None, (result.note, "" if self._is_endless else note))),
        )

    # In the thread that talks with workers

    def _synchronise(self, relay: Relay) -> None:
        """Have workers search, and gather twice what they know."""
        first = relay.first(self._place, self._left, self.over)
        self._heard.put(first)
        waited: list[Future[Any]] = [self._own, self.over]
        wait(waited, timeout=self._left.second, return_when=FIRST_COMPLETED)
        known = [first]
        if self._own.done():
            known.append(Report(self._own.result(), frozenset({MASTER})))
        if self.over.done():
            return
        second = relay.second(self._place, add_reports(known), self._left.second, self.over)
        assert second is not None
        self._heard.put(second)
        self._tell(second)

    @property
    def _left(self) -> Plan:
        return self._plan.later(time.monotonic() - self._begun)

    def _tell(self, report: Report) -> None:
        """Say in the log who is missing."""
        missing = sorted(set(range(self._cluster.workers)) - report.workers)
        if missing or report.stale:
            _log.info(
                "move %d: nothing from workers %s, nothing new from workers %s",
                len(self._place.moves) + 1,
                missing,
                sorted(report.stale),
            )
