"""The processor's clock as a measure of time, for kernels."""

from __future__ import annotations

import time
from functools import cache

from semisplit.search.engine.run import read_ticks


@cache
def first_reading() -> tuple[float, int]:
    """What both clocks showed when this was first called."""
    return time.perf_counter(), int(read_ticks())


def ticks_at(moment: float) -> int:
    """What the processor's clock will show at a moment, which is one of `time.perf_counter`.

    Its unit is found out by what both clocks have gone on since the first reading. They are read
    in such an order that the answer is too early if another process comes in between.
    """
    then, ticks_then = first_reading()
    ticks_now, now = int(read_ticks()), time.perf_counter()
    unit = (ticks_now - ticks_then) / max(now - then, 1e-9)
    return ticks_now + int((moment - now) * unit)
