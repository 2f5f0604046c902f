"""What a program is doing at the moment, in words, and how much time and memory it may take.

Code that may take long says what it is doing. A program can set limits, and then stretches of work
that have to come to an end do so: the main thread is interrupted by `LimitReached`. It cannot be
while it is in compiled code; then the process ends a moment later. A library sets no limits.
"""

from __future__ import annotations

import gc
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from semisplit.core.system import interrupt_main_thread, on_interruption, resident_bytes

_LOOK = 0.05
"""Seconds between two looks at the time and the memory that were used."""
_USUAL_BYTES = 2**29
"""The memory that a program takes which has not done much yet, at most."""
_GRACE = 0.5
"""Seconds in which the main thread has to notice that it is interrupted."""
_stages: list[Stage] = []
_watch: _Watch | None = None


class LimitReached(BaseException):
    """Work was given up. No error that a part of the program could do something about."""


@dataclass(eq=False)
class Stage:
    """Something that is being done."""

    words: str
    """Like "compiling chess"."""


@dataclass(frozen=True)
class Limits:
    """The limits of a stretch of work, and how they are reported."""

    seconds: float
    """Time of the processor."""
    bytes: int
    show: Callable[[str], None]
    """Shows what is being done, on and on; nothing is done any more if the text is empty."""
    end: Callable[[LimitReached], NoReturn]
    """Reports that work was given up, and ends the process at once."""
    advice: Callable[[str], str]
    """How to raise the limit of "seconds" or "bytes"."""


def set_limits(limits: Limits) -> None:
    """Let work be limited from now on; to be called by the main thread."""
    global _watch
    _watch = _Watch(limits)
    on_interruption(_watch.interrupt)


@contextmanager
def doing(words: str) -> Iterator[Stage]:
    """Say what is being done; the words may be changed on the way."""
    stage = Stage(words)
    _stages.append(stage)
    try:
        yield stage
    finally:
        _stages.remove(stage)
        if _watch is not None:
            _watch.show("")


@contextmanager
def limited(more_seconds: float = 0) -> Iterator[None]:
    """Enforce the limits, if set, on the enclosed work; nested blocks share the outer one's.

    Args:
        more_seconds: How long the user has asked for, in addition to the limit.
    """
    if _watch is None or _watch.stretch is not None:
        yield
        return
    with _watch.over(more_seconds):
        yield


@contextmanager
def uncounted() -> Iterator[None]:
    """Do what takes long whatever the description, like preparing something for the first time."""
    stretch = _watch.stretch if _watch is not None else None
    if stretch is None:
        yield
        return
    begin, before = time.process_time(), stretch.seconds
    stretch.seconds = float("inf")
    try:
        yield
    finally:
        stretch.seconds = before + time.process_time() - begin


def work_left() -> tuple[float, float]:
    """The seconds and bytes that are left, for another process that does a part of the work."""
    stretch = _watch.stretch if _watch is not None else None
    if stretch is None:
        return math.inf, math.inf
    spent = time.process_time() - stretch.begin
    return max(0.0, stretch.seconds - spent), max(0, stretch.bytes - resident_bytes())


def charge(seconds: float) -> None:
    """Count time of the processor that another process has taken for the work."""
    stretch = _watch.stretch if _watch is not None else None
    if stretch is not None:
        stretch.begin -= seconds


class _Stretch:
    """A stretch of work, and what may have been used at its end."""

    def __init__(self, seconds: float, bytes: int):
        # Of the processor: what others compute meanwhile, or how long somebody reads the output in
        # a pager, says nothing about the work.
        self.begin = time.process_time()
        self.seconds = seconds
        self.bytes = bytes
        self.reached: LimitReached | None = None
        self.is_told = False
        self.is_over = threading.Event()


class _Watch:
    """Watches stretches of work, in a thread that stays: to start one takes time on a busy machine.

    What is in memory when a stretch begins, the trees of agents perhaps, is not counted.
    """

    def __init__(self, limits: Limits):
        self.stretch: _Stretch | None = None
        self._limits = limits
        self._usual_bytes = min(resident_bytes(), _USUAL_BYTES)
        self._is_needed = threading.Event()
        self._shown = threading.Lock()
        threading.Thread(target=self._look_on, daemon=True).start()

    @contextmanager
    def over(self, more_seconds: float) -> Iterator[None]:
        """Watch over a stretch."""
        before = max(0, resident_bytes() - self._usual_bytes)
        stretch = _Stretch(self._limits.seconds + more_seconds, self._limits.bytes + before)
        self.stretch = stretch
        self._is_needed.set()
        try:
            yield
        finally:
            self._is_needed.clear()
            self.stretch = None
            stretch.is_over.set()
            self.show("")

    def interrupt(self, _: int, frame: FrameType | None) -> None:
        """Called in the main thread when a limit is reached, until it is told."""
        stretch = self.stretch
        if stretch is None or stretch.reached is None or stretch.is_told:
            return
        # Python forgets what is raised while an object is deleted.
        if not _is_deleting(frame):
            stretch.is_told = True
            # To look for garbage in all that memory now would take seconds.
            gc.freeze()
            raise stretch.reached

    def show(self, words: str) -> None:
        """Show what is being done."""
        with self._shown:
            if not words or self.stretch is not None:
                self._limits.show(words)

    def _look_on(self) -> None:
        while True:
            self._is_needed.wait()
            time.sleep(_LOOK)
            if (stretch := self.stretch) is not None:
                self._look(stretch)

    def _look(self, stretch: _Stretch) -> None:
        spent = time.process_time() - stretch.begin
        if spent > stretch.seconds:
            limit = f"{stretch.seconds:.3g} s of processor time"
            self._give_up(stretch, limit, "seconds")
        elif resident_bytes() > stretch.bytes:
            limit = f"{self._limits.bytes / 2**30:g} GB of memory"
            self._give_up(stretch, limit, "bytes")
        elif spent > 1 and _stages:
            self.show(f"{_stages[-1].words}, {spent:.0f} s")

    def _give_up(self, stretch: _Stretch, limit: str, kind: str) -> None:
        words = _stages[-1].words if _stages else "the command"
        stretch.reached = LimitReached(
            f"{words} takes more than {limit}; {self._limits.advice(kind)}"
        )
        end = time.monotonic() + _GRACE
        while time.monotonic() < end:
            interrupt_main_thread()
            if stretch.is_over.wait(_LOOK):
                return
        self.show("")
        self._limits.end(stretch.reached)


def _is_deleting(frame: FrameType | None) -> bool:
    """Whether a frame is part of an object's end."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False
