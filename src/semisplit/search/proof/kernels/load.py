"""Loading these kernels, or compiling them when they are first used."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from numba import types

from semisplit.core.work import doing, uncounted
from semisplit.search.kernels.record import numba_type
from semisplit.search.proof.kernels.memory import Workplace
from semisplit.search.proof.kernels.prove import begin, list_root, prove

_number, _workplace = types.int64, numba_type(Workplace)
_SIGNATURES: dict[Any, tuple[types.Type, ...]] = {
    begin: (_workplace, _number),
    prove: (_workplace, _number),
    list_root: (_workplace,),
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
