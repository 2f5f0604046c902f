"""Several threads at the same memory."""

from threading import Thread

import numpy as np

from semisplit.search.engine.toolkit.atomic import add_f8, add_i4, add_i8, lock, try_lock, unlock
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, i4

_THREADS, _TIMES = 4, 100_000


@kernel
def _count(
    integers: int, longs: int, reals: int, guard: int, guarded: Array[i4], times: int
) -> None:
    for _ in range(times):
        add_i4(integers, 1)
        add_i8(longs, 3)
        add_f8(reals, 0.5)
        lock(guard)
        guarded[0] += 1
        unlock(guard)


def test_nothing_gets_lost() -> None:
    integers, longs, reals = np.zeros(1, "i4"), np.zeros(1, "i8"), np.zeros(1)
    guard, guarded = np.zeros(1, "i4"), np.zeros(1, "i4")
    places = [array.ctypes.data for array in (integers, longs, reals, guard)]
    arguments = (*places, Array[i4](guarded), _TIMES)
    threads = [Thread(target=_count, args=arguments) for _ in range(_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = _THREADS * _TIMES
    assert integers[0] == guarded[0] == total
    assert longs[0] == 3 * total
    assert reals[0] == total / 2
    assert guard[0] == 0


def test_a_lock_is_taken_once() -> None:
    place = np.zeros(1, "i4").ctypes
    assert try_lock(place.data)
    assert not try_lock(place.data)
    unlock(place.data)
    assert try_lock(place.data)
