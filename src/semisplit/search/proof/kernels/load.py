"""Loading these kernels, or compiling them when they are first used."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from numba import types

from semisplit.core.work import doing, uncounted
from semisplit.search.engine.toolkit.record import numba_type
from semisplit.search.proof.kernels.memory import Workspace
from semisplit.search.proof.kernels.prove import begin, list_root, prove

_number, _workspace = types.int64, numba_type(Workspace)
_SIGNATURES: dict[Any, tuple[types.Type, ...]] = {
    begin: (_workspace, _number),
    prove: (_workspace, _number),
    list_root: (_workspace,),
}


@cache
def load_kernels() -> None:
    """Make kernels ready."""
    before, numba.config.LOOP_VECTORIZE = numba.config.LOOP_VECTORIZE, 0
    try:
        with doing("compiling the proof search"), uncounted():
            for kernel, signature in _SIGNATURES.items():
                kernel.compile(signature)
    finally:
        numba.config.LOOP_VECTORIZE = before
