"""Loading the kernels that Python calls, or compiling them when they are first used."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numba
from numba import types

from semisplit.core.work import uncounted
from semisplit.search.kernels.find import find_node
from semisplit.search.kernels.iterate import read_ticks, run
from semisplit.search.kernels.kernel import cache_directory
from semisplit.search.kernels.mast import decay_mast, mast_value
from semisplit.search.kernels.memory import ENGINE
from semisplit.search.kernels.portable import logarithm
from semisplit.search.kernels.reroot import copy_subtree
from semisplit.search.kernels.samples import forget_samples
from semisplit.search.kernels.select import fill_root_logarithms
from semisplit.search.kernels.submoves import copy_submoves
from semisplit.search.kernels.tree import tree_bytes

_engine, _number = numba.from_dtype(ENGINE), types.int64
_SIGNATURES: dict[Any, tuple[types.Type, ...]] = {
    run: (_engine, _number, _number, _number),
    read_ticks: (),
    find_node: (_engine, _number, _number),
    copy_subtree: (_engine, _engine, _number, _number),
    decay_mast: (_engine,),
    mast_value: (_engine, _number, _number, _number, _number),
    forget_samples: (_number, _number, _number),
    copy_submoves: (_engine, _engine),
    logarithm: (types.float64,),
    fill_root_logarithms: (_number,),
    tree_bytes: (_engine,),
}


@cache
def load_kernels() -> None:
    """Make kernels ready, and tell who waits if that takes long."""
    place = cache_directory()
    if place is None or not any(place.rglob("*.nbc")):
        often = "once" if place else "each time, as there is no directory to keep it in"
        message = f"Compiling the search; this takes about a quarter of a minute, {often}."
        print(message, file=sys.stderr, flush=True)
    # Loops are short, and where vectors pay, kernels use them themselves.
    before, numba.config.LOOP_VECTORIZE = numba.config.LOOP_VECTORIZE, 0
    try:
        with uncounted():
            for kernel, signature in _SIGNATURES.items():
                kernel.compile(signature)
    finally:
        numba.config.LOOP_VECTORIZE = before
