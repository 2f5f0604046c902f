"""Passing messages on to the nodes below, and gathering what they tell in time.

Both the master and hubs do this. Whoever does not answer in time is not waited for, and is asked
nothing more until it has answered. Who has died, or has never heard of the game, is told all of it
as soon as it is there (again), and takes part from then on. So is who has not answered for long, as
what one of the two has said may have been lost on its way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from semisplit.search.cluster.messages import EMPTY, Place, Plan, Report, Start, add_reports

Call = Callable[..., "Future[Any]"]
"""Calls a method of a node by its name, with arguments; never waits."""
_AGAIN = 0.5
"""Seconds after which a node that has failed is tried again."""
_PATIENCE = 10.0
"""Seconds after which an answer is overdue for good; twice as many each time, as who hangs or is
still getting ready has all that it is asked before it."""


class Task(Enum):
    """What a node has been asked to do. The values are methods of nodes."""

    BEGIN = "begin"
    PONDER = "ponder"
    FIRST = "first"
    SECOND = "second"


@dataclass
class Link:
    """A node below."""

    name: str
    call: Call
    knows_game: bool = False
    task: Task | None = None
    """What it has not answered yet."""
    place: Place | None = None
    """The position that was about."""
    answer: Future[Any] | None = None
    overdue: float = 0.0
    """From when on it is not expected any more."""
    patience: float = _PATIENCE
    report: Report | None = None
    """The latest about the position that is searched now."""
    stage: Task | None = None
    """Which of its tasks that was."""
    trouble: str = ""
    """Why it does not take part."""
    rests_until: float = 0.0


class Relay:
    """The nodes below, for one game."""

    def __init__(
        self,
        links: Sequence[Link],
        session: str,
        start: Start,
        height: int,
        log: Callable[[str], None],
    ):
        """Prepare; nobody is told yet.

        Args:
            links: The nodes below.
            session: The name of the game.
            start: What they are told at the beginning.
            height: Layers below: 1 if these are workers.
            log: Is told who is lost, and who is back.
        """
        self._links = links
        self._session = session
        self._start = start
        self._height = height
        self._log = log
        self._place: Place | None = None
        self._plan = Plan(0.0, 0.0, 0.0)
        self._begun = 0.0
        """When the plan began, by `time.monotonic`."""
        self._stage: Task | None = None
        self._others = EMPTY

    def begin(self) -> None:
        """Tell all that the game begins; returns at once."""
        for link in self._links:
            self._send(link, Task.BEGIN, self._start)

    def ponder(self, place: Place, seconds: float) -> None:
        """Let all search a position for some time; returns at once."""
        self._set_stage(place, None)
        self._take_answers(0.0)
        for link in self._links:
            if link.task is None and link.knows_game:
                self._send(link, Task.PONDER, place, seconds)
            else:
                self._engage(link)

    def first(self, place: Place, plan: Plan, over: Future[Any] | None = None) -> Report:
        """Have a position searched; what is known about it when it is time to tell first."""
        self._set_stage(place, Task.FIRST)
        self._plan, self._begun = plan, time.monotonic()
        return self._gather(plan.first + self._height * plan.margin, over)

    def second(
        self, place: Place, others: Report, seconds: float, over: Future[Any] | None = None
    ) -> Report | None:
        """Pass on what all know; what is known in the end, which is that long from now.

        None if this is not the position of the first time.
        """
        if place != self._place:
            return None
        self._stage, self._others = Task.SECOND, others
        left = seconds + self._height * self._plan.margin
        self._begun, self._plan = time.monotonic(), self._plan._replace(first=0.0, second=seconds)
        return self._gather(left, over)

    def end(self) -> None:
        """Let all forget the game; nobody waits for it."""
        for link in self._links:
            link.call("end", self._session)

    def _set_stage(self, place: Place, stage: Task | None) -> None:
        self._place, self._stage, self._others = place, stage, EMPTY
        for link in self._links:
            link.report = link.stage = None

    def _gather(self, seconds: float, over: Future[Any] | None) -> Report:
        """Ask all, and sum up what they have told when the time is up, or all have."""
        end = time.monotonic() + seconds
        self._take_answers(0.0)
        for link in self._links:
            self._engage(link)
        while any(self._may_tell(link) for link in self._links):
            left = end - time.monotonic()
            if left <= 0 or (over and over.done()):
                break
            self._take_answers(left, over)
            for link in self._links:
                self._engage(link)
        for link in self._links:
            if link.task and link.place != self._place and link.task != Task.BEGIN:
                self._note(link, "does not answer")
        return add_reports(filter(None, map(self._latest, self._links)))

    def _latest(self, link: Link) -> Report | None:
        """What a node has told last about this position."""
        if link.report is None or link.stage == self._stage:
            return link.report
        return replace(link.report, stale=link.report.workers)

    def _may_tell(self, link: Link) -> bool:
        """Whether a node may still tell something at this stage."""
        return link.task is not None and link.stage != self._stage

    def _engage(self, link: Link) -> None:
        """Ask a node that is free what is next."""
        if link.task is not None and time.monotonic() > link.overdue:
            self._give_up(link)
        if link.task is not None or self._place is None or time.monotonic() < link.rests_until:
            return
        gone_by = time.monotonic() - self._begun
        if not link.knows_game:
            self._send(link, Task.BEGIN, self._start)
        elif self._stage is not None and link.stage is None:
            plan = self._plan.later(gone_by)
            self._send(link, Task.FIRST, self._place, plan, seconds=plan.first)
        elif self._stage == Task.SECOND and link.stage == Task.FIRST:
            left = max(0.0, self._plan.second - gone_by)
            self._send(link, Task.SECOND, self._place, self._others, left, seconds=left)

    def _give_up(self, link: Link) -> None:
        """Expect no answer any more, so that the node is asked again, from the beginning."""
        if link.task != Task.BEGIN:
            self._note(link, "does not answer")
        link.answer = link.task = link.place = None
        link.knows_game = False
        link.patience *= 2

    def _send(self, link: Link, task: Task, *arguments: Any, seconds: float = 0.0) -> None:
        """Ask a node something that takes so many seconds."""
        link.task, link.place = task, self._place
        link.overdue = time.monotonic() + seconds + link.patience
        link.answer = link.call(task.value, self._session, *arguments)

    def _take_answers(self, seconds: float, over: Future[Any] | None = None) -> None:
        """Wait for answers, for so long at most, and take all that are there."""
        asked = [link.answer for link in self._links if link.answer]
        if asked:
            others = [over] if over else []
            wait([*asked, *others], timeout=seconds, return_when=FIRST_COMPLETED)
        for link in self._links:
            if link.answer and link.answer.done():
                self._take(link)

    def _take(self, link: Link) -> None:
        """Take the answer of a node."""
        assert link.answer is not None
        answer, task, place = link.answer, link.task, link.place
        link.answer = link.task = link.place = None
        link.patience = _PATIENCE
        if error := answer.exception():
            link.knows_game = False
            link.rests_until = time.monotonic() + _AGAIN
            self._note(link, f"is lost ({type(error).__name__})")
        elif answer.result() is None and task in (Task.FIRST, Task.SECOND, Task.PONDER):
            link.knows_game = False
        elif task == Task.BEGIN:
            link.knows_game = True
        elif task in (Task.FIRST, Task.SECOND):
            self._note(link, "")
            if place == self._place:
                link.report, link.stage = answer.result(), task

    def _note(self, link: Link, trouble: str) -> None:
        """Tell when a node gets into trouble, and when it is out of it."""
        if trouble != link.trouble:
            self._log(f"{link.name} {trouble or 'takes part again'}")
            link.trouble = trouble
