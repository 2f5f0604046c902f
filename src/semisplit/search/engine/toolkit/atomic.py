"""Memory that several threads write at the same time.

Addresses are integers, as everywhere in kernels. What one thread has written before it stores with
`publish`, others see after they have loaded with `fetch`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from semisplit.search.engine.toolkit.kernel import kernel

_PATIENCE = 127
"""A power of two, minus 1: tries after which others may work."""


def _number(kind: types.Type) -> ir.Type:
    return ir.DoubleType() if kind == types.float64 else ir.IntType(kind.bitwidth)


def _changing(operation: str, kind: types.Type, order: str = "monotonic") -> Any:
    """A function for kernels that changes a number at an address; returns what was there."""

    @intrinsic
    def change(typing: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], _number(kind).as_pointer())
            return builder.atomic_rmw(operation, place, args[1], order)

        return kind(types.int64, kind), generate

    return change


def _exchanging(kind: types.Type) -> Any:
    """A function for kernels that replaces an expected number; it returns whether it was there."""

    @intrinsic
    def exchange(typing: Any, address: Any, expected: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], _number(kind).as_pointer())
            both = builder.cmpxchg(place, args[1], args[2], "acquire", "monotonic")
            return builder.extract_value(both, 1)

        return types.boolean(types.int64, kind, kind), generate

    return exchange


def _fetching(kind: types.Type) -> Any:
    @intrinsic
    def fetch(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], _number(kind).as_pointer())
            return builder.load_atomic(place, "acquire", kind.bitwidth // 8)

        return kind(types.int64), generate

    return fetch


def _publishing(kind: types.Type) -> Any:
    @intrinsic
    def publish(typing: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], _number(kind).as_pointer())
            builder.store_atomic(args[1], place, "release", kind.bitwidth // 8)
            return context.get_dummy_value()

        return types.void(types.int64, kind), generate

    return publish


@intrinsic
def _let_others_work(typing: Any) -> Any:
    """Let the system give the processor to another thread, if it can be asked to."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if os.name == "posix":
            kind = ir.FunctionType(ir.IntType(32), [])
            name = "sched_yield"
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.void(), generate


add_i4: Callable[[int, int], int] = _changing("add", types.int32)
add_i8: Callable[[int, int], int] = _changing("add", types.int64)
add_f8: Callable[[int, float], float] = _changing("fadd", types.float64)
"""Add to the number at an address, as other threads may do, and return what was there before."""
add_released: Callable[[int, int], int] = _changing("add", types.int64, "release")
"""Add to the number at an address, and publish what has been written before."""
raise_i8: Callable[[int, int], int] = _changing("max", types.int64)
"""Replace the number at an address if it is smaller."""
fetch_i4: Callable[[int], int] = _fetching(types.int32)
fetch_i8: Callable[[int], int] = _fetching(types.int64)
publish_i4: Callable[[int, int], None] = _publishing(types.int32)
publish_i8: Callable[[int, int], None] = _publishing(types.int64)
_exchange_i4: Callable[[int, int, int], bool] = _exchanging(types.int32)
exchange_i8: Callable[[int, int, int], bool] = _exchanging(types.int64)
"""Replace the number at an address if it is an expected one; was it?"""


@kernel
def try_lock(address: int) -> bool:
    """Take a lock, a number that is 0 if it is free; return False if another thread has it."""
    return _exchange_i4(address, 0, 1)


@kernel
def lock(address: int) -> None:
    """Take a lock as soon as it is free."""
    tries = 0
    while not try_lock(address):
        while fetch_i4(address) != 0:
            tries = wait(tries)


@kernel
def wait(tries: int) -> int:
    """Do nothing for a moment, having tried something so often; how often is that now?

    With more threads than processors, the one that is waited for may not be at work.
    """
    if tries & _PATIENCE == _PATIENCE:
        _let_others_work()
    return tries + 1


@kernel
def unlock(address: int) -> None:
    """Give a lock back."""
    publish_i4(address, 0)
