"""Loading these kernels, or compiling them when they are first used."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from numba import types

from semisplit.core.work import doing, uncounted
from semisplit.search.engine.toolkit.record import Array, numba_type
from semisplit.search.multitree.kernels.iterate import mt_mcts
from semisplit.search.multitree.kernels.line import replay
from semisplit.search.multitree.kernels.memory import LabelRecord, Workplace
from semisplit.search.multitree.kernels.trees import copy_labels, fill_node_table

_number, _workplace = types.int64, numba_type(Workplace)
_labels = numba_type(Array[LabelRecord])
_SIGNATURES: dict[Any, tuple[types.Type, ...]] = {
    mt_mcts: (_workplace, _number, _number, _number, _number),
    replay: (_workplace,),
    fill_node_table: (_workplace,),
    copy_labels: (_workplace, _labels, _number),
}


@cache
def load_kernels() -> None:
    """Make kernels ready."""
    before, numba.config.LOOP_VECTORIZE = numba.config.LOOP_VECTORIZE, 0
    try:
        with doing("compiling the search in several trees"), uncounted():
            for kernel, signature in _SIGNATURES.items():
                kernel.compile(signature)
    finally:
        numba.config.LOOP_VECTORIZE = before
