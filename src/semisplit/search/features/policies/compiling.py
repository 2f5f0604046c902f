"""Policies as machine code, which is made when a search first needs it and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Any, NamedTuple

import numba
from numba import types

from semisplit.core.work import uncounted
from semisplit.search.engine.toolkit.compiled import Pipeline
from semisplit.search.engine.toolkit.kernel import cache_directory
from semisplit.search.engine.toolkit.record import Array, i8, numba_type
from semisplit.search.features.policies.kinds import age, counting, exploration, history, mobility
from semisplit.search.features.policies.playout import playouts
from semisplit.search.features.policies.record import PolicyRecord
from semisplit.search.features.policies.settings import SimulationPolicy

_longs = numba_type(Array[i8])
_PLAYOUTS = types.void(types.int64, types.uint64, types.int64, _longs, _longs)
_POLICY = types.void(numba_type(PolicyRecord), types.int64)


class PolicyFunctions(NamedTuple):
    """What a policy consists of."""

    evaluate: Callable[[PolicyRecord, int], None]
    """Finds the values of what a player can choose."""
    learn: Callable[[PolicyRecord, int], None] | None = None
    """Learns from a simulation."""
    looks: bool = True
    """Whether it looks at the states after moves."""


FUNCTIONS = {
    SimulationPolicy.AGE: PolicyFunctions(age.evaluate),
    SimulationPolicy.HISTORY: PolicyFunctions(history.evaluate, history.learn, looks=False),
    SimulationPolicy.MOBILITY: PolicyFunctions(mobility.evaluate),
    SimulationPolicy.EXPLORATION: PolicyFunctions(exploration.evaluate),
    SimulationPolicy.SSC: PolicyFunctions(counting.evaluate_symbols, counting.learn_symbols),
    SimulationPolicy.SCORE: PolicyFunctions(counting.evaluate_numbers, counting.learn_numbers),
}


def address_of_playouts() -> int:
    """The address of the function that makes simulations."""
    return _compile(playouts, _PLAYOUTS)


def address_of_policy(function: Callable[[PolicyRecord, int], None] | None) -> int:
    """The address of a function of a policy; 0 if there is none."""
    return _compile(function, _POLICY) if function else 0


def load_policies(among: Collection[SimulationPolicy]) -> None:
    """Make the functions of policies ready, before a search needs them."""
    address_of_playouts()
    for policy, functions in FUNCTIONS.items():
        if policy in among:
            address_of_policy(functions.evaluate)
            address_of_policy(functions.learn)


@cache
def _compile(function: Any, signature: Any) -> int:
    place = cache_directory()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(place) if place else ""
    try:
        with uncounted():
            options = {"_nrt": False, "error_model": "numpy", "cache": place is not None}
            compiled = numba.cfunc(signature, pipeline_class=Pipeline, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    _COMPILED.append(compiled)
    address: int = compiled.address
    return address


_COMPILED: list[Any] = []
"""They live as long as their addresses are known."""
