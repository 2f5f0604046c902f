"""Groupings as machine code."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError

from semisplit.core.errors import InputError
from semisplit.search.engine.toolkit.record import Array, i4, numba_type, part_of
from semisplit.search.features.groups.functions import Grouping
from semisplit.search.features.groups.records import SituationRecord

_integers, _number = numba_type(Array[i4]), types.int64
_SIGNATURE = types.void(
    *(numba_type(SituationRecord), _integers, _integers, _number, _number),
    *(_integers, _number, _number),
)


@cache
def _compile(decide: Any) -> Any:
    one = numba.njit(_nrt=False, forceinline=True, error_model="numpy")(decide)

    def label(
        state: Any,
        previous: Any,
        moves: Any,
        count: int,
        width: int,
        labels: Any,
        first: int,
        size: int,
    ) -> None:
        """Find the groups of moves that have none yet."""
        for i in range(count):
            if labels[i] < 0:
                group = one(state, previous, part_of(moves, i * width))
                if 0 <= group < size:
                    labels[i] = first + group

    return numba.cfunc(_SIGNATURE, _nrt=False, error_model="numpy")(label)


def compile_grouping(grouping: Grouping) -> int:
    """The address of a function that calls a grouping for many moves."""
    try:
        address: int = _compile(grouping.decide).address
    except NumbaError as error:
        name = grouping.decide.__name__
        reason = str(error).strip().splitlines()[-1]
        raise InputError(f"the grouping '{name}' cannot be compiled by Numba: {reason}") from error
    return address
