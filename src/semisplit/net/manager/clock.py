"""What a player does in order not to be late."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_AT_FIRST, _LEAST = 0.1, 0.02
"""Seconds at the beginning, and always, if nothing is said: not everything can be measured."""
_CARE = 3.0
"""How much longer the margin is than the longest delay of late."""
_DOUBT, _MEMORY = 0.95, 0.99
"""What remains after a move of the margin at the beginning, and of a delay."""


class Margin:
    """How long before a deadline to stop thinking, learnt from how late answers have been.

    Between the end of thinking and the moment when the answer is on its way, other processes may
    come in between; how long depends on the machine, and on what else it does.
    """

    def __init__(self, least: float | None = None):
        """Begin with a margin that never falls below some seconds, if they are given."""
        self._buffer = self._at_first = _AT_FIRST if least is None else least
        self._least = _LEAST if least is None else least
        self._delay = 0.0

    def seconds(self, limit: float) -> float:
        """The margin for a move with a time limit; half of it is left for thinking, if possible."""
        learnt = max(self._least, self._at_first, _CARE * self._delay)
        return min(learnt, max(self._buffer, limit / 2))

    def learn(self, delay: float) -> None:
        """An answer was sent so many seconds later than planned."""
        self._at_first *= _DOUBT
        self._delay = max(delay, _MEMORY * self._delay)


class _Shared:
    """A state of the process that lasts as long as anybody needs it."""

    def __init__(self, begin: Callable[[], Callable[[], None] | None]):
        """Prepare.

        Args:
            begin: Brings the state about; returns what ends it, if there is anything to end.
        """
        self._begin = begin
        self._end: Callable[[], None] | None = None
        self._users = 0
        self._lock = threading.Lock()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if self._users == 0:
                self._end = self._begin()
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0 and self._end is not None:
                    self._end()


def _disable() -> Callable[[], None] | None:
    was_enabled = gc.isenabled()
    gc.disable()
    return gc.enable if was_enabled else None


def _freeze() -> Callable[[], None] | None:
    if gc.get_freeze_count():
        return None
    gc.collect()
    gc.freeze()
    return gc.unfreeze


without_collections = _Shared(_disable)
"""A context in which no garbage is collected."""
short_collections = _Shared(_freeze)
"""A context in which garbage is looked for only among what is made in it.

All the rest, compilers included, are half a million objects, and looking at them takes a tenth of a
second.
"""
