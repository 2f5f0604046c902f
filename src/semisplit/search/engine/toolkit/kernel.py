"""How kernels are compiled, and what they need that Numba does not offer.

Kernels are compiled once and kept on disk, in a directory named after the sources they depend on:
Numba alone would not notice that a function in another file has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from platform import machine
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from semisplit.compiler.runtime.cache import own_directory, sources
from semisplit.search.engine.toolkit.compiled import Pipeline, call_as_part

F = TypeVar("F", bound=Callable[..., Any])


@cache
def cache_directory() -> Path | None:
    """Where compiled kernels are kept; None if there is no safe place."""
    return own_directory(f"search-{sources('compiler', 'search')[:16]}")


# Otherwise the parts of a function may come to lie too far from each other in memory, which ends
# the process; it has an effect if Numba has not been used before.
numba.config.USE_LLVMLITE_MEMORY_MANAGER = 1


def kernel(function: F) -> F:
    """Compile a function with Numba when it is first called, or take it from the cache."""
    # Calls cost more than what most kernels do.
    return _compiled(function, forceinline=True)


def large_kernel(function: F) -> F:
    """Compile a function that is large and not called often: it is not copied into its callers."""
    return _compiled(function, forceinline=False)


def _compiled(function: F, *, forceinline: bool) -> F:
    place = cache_directory()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(place) if place else ""
    try:
        # Nothing is allocated, so nothing has to be counted.
        options = {"_nrt": False, "nogil": True, "error_model": "numpy"}
        compiled: F = numba.njit(
            **options, forceinline=forceinline, cache=place is not None, pipeline_class=Pipeline
        )(function)
    finally:
        numba.config.CACHE_DIR = before
    call_as_part(compiled)
    return compiled


def _foreign(result: types.Type, arguments: tuple[types.Type, ...]) -> Any:
    """A function for kernels that calls the function of a compiled game at an address."""

    @intrinsic
    def call(typing: Any, address: Any, values: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in arguments]
            returned = ir.VoidType() if result == types.void else context.get_value_type(result)
            pointer = ir.FunctionType(returned, kinds).as_pointer()
            values = cgutils.unpack_tuple(builder, args[1], len(arguments))
            value = builder.call(builder.inttoptr(args[0], pointer), values)
            return context.get_dummy_value() if result == types.void else value

        return result(types.int64, types.Tuple(arguments)), generate

    return call


_address, _count = types.int64, types.int64
call_list = _foreign(types.void, (_address, _address))
"""Calls a function that lists moves or semimoves: the address, (state, context)."""
call_steps = _foreign(types.int32, (_address, _address, _count, _address))
"""Calls `apply`: the address, (state, steps, count, context)."""
call_playouts = _foreign(types.void, (_address, types.uint64, _count, _address, _address))
"""Calls a function for playouts: the address, (state, seed, count, sums, context)."""
call_batch = _foreign(types.void, (_address, _count, _address, _count, _address, _address))
"""Calls `batch_playouts`: the address, (states, number, seeds, count, sums, context)."""
call_each = _foreign(types.void, (_address, _address, _count, _address, _address))
"""Calls `apply_each`: the address, (state, moves, count, states, context)."""
call_ahead = _foreign(types.void, (_address, _address, _address))
"""Calls `look_ahead`: the address, (state, outcomes, context)."""
call_bounds = _foreign(types.void, (_address, _address, _count, _address, _address))
"""Calls `bounds`: the address, (state, known, count, scores, context)."""
call_grouping = _foreign(
    types.void, (_address, _address, _address, _count, _count, _address, _count, _count)
)
"""Calls a grouping for many moves; see `grouping.native`."""
_number = types.int32
call_use = _foreign(_number, (_address,))
"""Calls `cuCtxSetCurrent` of a GPU's driver: the address, (context,). It returns 0 if all is well,
like the others of the driver."""
call_copy = _foreign(_number, (_address, _address, _count, _address))
"""Calls one of those that copy memory: the address, (to, source, size, stream)."""
call_launch = _foreign(_number, (_address, *7 * (_number,), _address, _address, _address))
"""Calls `cuLaunchKernel`: the address, (function, blocks, 1, 1, threads, 1, 1, shared memory,
stream, arguments, options)."""
call_finish = call_use
"""Calls `cuStreamSynchronize`: the address, (stream,)."""


@intrinsic
def copy_bytes(typing: Any, to: Any, source: Any, size: Any) -> Any:
    """Copy memory from one address to another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        places = [builder.inttoptr(address, byte) for address in args[:2]]
        cgutils.raw_memcpy(builder, *places, args[2], 1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def ticks(typing: Any) -> Any:
    """The processor's clock, in a unit of its own."""
    name = "readcyclecounter" if machine() in ("x86_64", "AMD64") else "readsteadycounter"

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(
            cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}"), []
        )

    return types.int64(), generate
