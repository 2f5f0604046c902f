"""Random numbers for kernels: splitmix64, with one word of the worker as its state."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.lanes import (
    LANES,
    count_bits,
    lanes_equal,
    load_lanes,
    lowest_bit,
)
from semisplit.search.engine.toolkit.record import address_of

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _11 = (np.uint64(shift) for shift in (30, 27, 31, 32, 11))
_LOW = np.uint64(0xFFFFFFFF)


class _Worker(Protocol):
    random: np.uint64


class Draws(Protocol):
    """Who has a worker with random numbers."""

    @property
    def worker(self) -> _Worker:
        """The worker."""


@kernel
def draw(s: Draws) -> np.uint64:
    """64 random bits."""
    s.worker.random += _STEP
    z = s.worker.random
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@kernel
def below(s: Draws, count: int) -> Any:
    """A number from 0 to count - 1, each as likely as the others."""
    if count == 1:
        return np.int64(0)
    n = np.uint64(count)
    product = (draw(s) >> _32) * n
    if (product & _LOW) < n:
        # Some numbers would come up once more often than others; their surplus is drawn again.
        surplus = (_LOW - n + np.uint64(1)) % n
        while (product & _LOW) < surplus:
            product = (draw(s) >> _32) * n
    return np.int64(product >> _32)


@kernel
def real(s: Draws) -> float:
    """A number from 0 up to, but not including, 1."""
    return np.float64(draw(s) >> _11) * 2.0**-53


@kernel
def draw_tied(s: Workspace, count: int, best: Any) -> int:
    """One of those numbers whose `values` are the best one, given in all lanes.

    Behind the last of them are smaller ones.
    """
    tied = 0
    for i in range(0, count, LANES):
        tied += count_bits(lanes_equal(load_lanes(address_of(s.worker.values, i)), best))
    left, i = below(s, tied), 0
    bits = lanes_equal(load_lanes(address_of(s.worker.values, 0)), best)
    while left >= count_bits(bits):
        left -= count_bits(bits)
        i += LANES
        bits = lanes_equal(load_lanes(address_of(s.worker.values, i)), best)
    return i + _nth_bit(bits, left)


@kernel
def draw_bit(s: Draws, bits: int) -> int:
    """The place of one of the bits that are set."""
    return _nth_bit(bits, below(s, count_bits(bits)))


@kernel
def _nth_bit(bits: int, number: int) -> int:
    """The place of the bit with so many set bits below it."""
    for _ in range(number):
        bits &= bits - 1
    return lowest_bit(bits)
