"""What a program is doing at the moment, in words, and how much time and memory it may take.

Code that may take long says what it is doing. A program can set limits, and then stretches of work
that have to come to an end do so: the main thread is interrupted by `LimitReached`. It cannot be
while it is in compiled code; then the process ends a moment later. A library sets no limits.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

_LOOK = 0.05
"""Seconds between two looks at the time and the memory that were used."""
_GRACE = 0.5
"""Seconds in which the main thread has to notice that it is interrupted."""
_SIGNAL = signal.SIGUSR1
_stages: list[Stage] = []
_limits: Limits | None = None
_watched: _Watched | None = None


class LimitReached(BaseException):
    """Work was given up. No error that a part of the program could do something about."""


@dataclass(eq=False)
class Stage:
    """Something that is being done."""

    words: str
    """Like "compiling chess"."""


@dataclass(frozen=True)
class Limits:
    """What a stretch of work may take, and how the user is told about it."""

    seconds: float
    """Time of the processor."""
    bytes: int
    show: Callable[[str], None]
    """Shows what is being done, on and on; nothing is done any more if the text is empty."""
    end: Callable[[LimitReached], NoReturn]
    """Tells that work was given up, and ends the process at once."""
    advice: Callable[[str], str]
    """How to raise the limit of "seconds" or "bytes"."""


def set_limits(limits: Limits) -> None:
    """Let work be limited from now on; to be called by the main thread."""
    global _limits
    _limits = limits
    signal.signal(_SIGNAL, _interrupt)


@contextmanager
def doing(words: str) -> Iterator[Stage]:
    """Say what is being done; the words may be changed on the way."""
    stage = Stage(words)
    _stages.append(stage)
    try:
        yield stage
    finally:
        _stages.remove(stage)
        if (watched := _watched) is not None:
            watched.show("")


@contextmanager
def limited(more_seconds: float = 0) -> Iterator[None]:
    """Let a stretch of work come to an end, if limits are set; inside another it is part of it.

    Args:
        more_seconds: What somebody has asked for that takes so long, in addition to the limit.
    """
    global _watched
    if _limits is None or _watched is not None:
        yield
        return
    _watched = _Watched(_limits, _limits.seconds + more_seconds)
    try:
        yield
    finally:
        _watched.end()
        _watched = None


def _interrupt(*_: object) -> None:
    if _watched is not None and _watched.reached is not None:
        # To look for garbage in all that memory now would take seconds.
        gc.freeze()
        raise _watched.reached


class _Watched:
    """A stretch of work, and the thread that watches it."""

    def __init__(self, limits: Limits, seconds: float):
        self.reached: LimitReached | None = None
        self._limits = limits
        self._seconds = seconds
        self._is_over = threading.Event()
        self._shown = threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """The work is over."""
        self._is_over.set()
        self._thread.join()

    def show(self, words: str) -> None:
        """Show what is being done."""
        with self._shown:
            self._limits.show(words)

    def _watch(self) -> None:
        # Of the processor: what others compute meanwhile, or how long somebody reads the output in
        # a pager, says nothing about the work.
        begin = time.process_time()
        while not self._is_over.wait(_LOOK):
            spent = time.process_time() - begin
            if spent > self._seconds:
                self._give_up(f"takes more than {self._seconds:g} s of processor time", "seconds")
            elif resident_bytes() > self._limits.bytes:
                size = f"{self._limits.bytes / 2**30:g} GB"
                self._give_up(f"takes more than {size} of memory", "bytes")
            elif spent > 1 and _stages:
                self.show(f"{_stages[-1].words}, {spent:.0f} s")
        self.show("")

    def _give_up(self, what: str, limit: str) -> None:
        words = _stages[-1].words if _stages else "the command"
        self.reached = LimitReached(f"{words} {what}; {self._limits.advice(limit)}")
        signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)
        if not self._is_over.wait(_GRACE):
            self.show("")
            self._limits.end(self.reached)


def resident_bytes() -> int:
    """The memory that this process uses."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        # Elsewhere, there is the most it has ever used, in bytes.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
