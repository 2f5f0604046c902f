"""Reports of an agent that thinks, which must not keep it from thinking."""

from __future__ import annotations

import time
from collections.abc import Callable

from semisplit.agents.agent import Look, Thought

_INTERVAL = 0.25
"""Seconds between two reports, if they are quick."""
_SHARE = 0.05
"""The part of the time that reports may take."""
_UNKNOWN_COST = 0.05


class Reporter:
    """Shows what an agent thinks some times a second, or less often where that takes long."""

    def __init__(self, show: Callable[[Thought], None], best: int = 0):
        """Prepare for reports.

        Args:
            show: Is given what the agent thinks.
            best: Of so many of the best moves.
        """
        self._show = show
        self._best = best
        self._next = 0.0
        self._cost = _UNKNOWN_COST

    def watch(self, look: Look, end: float | None = None) -> None:
        """Report if it is time to.

        Args:
            look: Returns what the agent thinks so far.
            end: When the agent has to come to its end, by `time.perf_counter`.
        """
        begin = time.perf_counter()
        if begin < self._next or (end is not None and begin + 2 * self._cost > end):
            return
        self._show(look(self._best))
        now = time.perf_counter()
        self._cost = now - begin
        self._next = now + max(_INTERVAL, self._cost / _SHARE)
