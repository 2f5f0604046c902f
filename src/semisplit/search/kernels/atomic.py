"""Memory that several threads write at the same time.

Addresses are integers, as everywhere in kernels. What one thread has written before it stores with
`publish`, others see after they have loaded with `fetch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from semisplit.search.kernels.kernel import kernel


def _number(kind: types.Type) -> ir.Type:
    return ir.DoubleType() if kind == types.float64 else ir.IntType(kind.bitwidth)


def _adding(kind: types.Type) -> Any:
    """A function for kernels that adds to a number at an address; returns what was there."""
    operation = "fadd" if kind == types.float64 else "add"

    @intrinsic
    def add(typing: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.inttoptr(args[0], _number(kind).as_pointer())
            return builder.atomic_rmw(operation, place, args[1], "monotonic")

        return kind(types.int64, kind), generate

    return add


def _exchanging(kind: types.Type) -> Any:
    """A function for kernels that replaces an expected number; tells whether it was there."""

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


add_i4: Callable[[int, int], int] = _adding(types.int32)
add_i8: Callable[[int, int], int] = _adding(types.int64)
add_f8: Callable[[int, float], float] = _adding(types.float64)
"""Add to the number at an address, whoever else does so; what was there before?"""
fetch_i4: Callable[[int], int] = _fetching(types.int32)
publish_i4: Callable[[int, int], None] = _publishing(types.int32)
_exchange_i4: Callable[[int, int, int], bool] = _exchanging(types.int32)


@kernel
def try_lock(address: int) -> bool:
    """Take a lock, a number that is 0 if nobody has it, unless somebody else does."""
    return fetch_i4(address) == 0 and _exchange_i4(address, 0, 1)


@kernel
def lock(address: int) -> None:
    """Take a lock, as soon as nobody else has it."""
    while not try_lock(address):
        pass


@kernel
def unlock(address: int) -> None:
    """Give a lock back."""
    publish_i4(address, 0)
