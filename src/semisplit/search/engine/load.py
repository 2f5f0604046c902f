"""Loading the kernels that Python calls, or compiling them when they are first used."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

import numba
from numba import types

from semisplit.core.work import uncounted
from semisplit.search.engine.layout import RulesRecord, SettingsRecord, TreeRecord, Workspace
from semisplit.search.engine.run import read_ticks, run
from semisplit.search.engine.select import fill_root_logarithms
from semisplit.search.engine.subtree import copy_subtree, find_node
from semisplit.search.engine.toolkit.kernel import cache_directory
from semisplit.search.engine.toolkit.portable import logarithm
from semisplit.search.engine.toolkit.record import Array, f4, i4, numba_type
from semisplit.search.engine.tree import tree_bytes
from semisplit.search.features.mast.kernels import decay_mast, mast_value
from semisplit.search.features.narrowing.kernels import list_edges
from semisplit.search.features.rollup.kernels import roll_up_noted
from semisplit.search.features.submoves.kernels import copy_submoves
from semisplit.search.features.submoves.records import SubmoveRecord
from semisplit.search.parallel.batch import help_out

_number, _workspace = types.int64, numba_type(Workspace)
_rules, _settings, _tree = map(numba_type, (RulesRecord, SettingsRecord, TreeRecord))
_integers, _reals = numba_type(Array[i4]), numba_type(Array[f4])
_submoves = numba_type(Array[SubmoveRecord])
_SIGNATURES: dict[Any, tuple[types.Type, ...]] = {
    run: (_workspace, _number, _number, _number),
    help_out: (_workspace,),
    roll_up_noted: (_workspace,),
    read_ticks: (),
    list_edges: (_workspace,),
    find_node: (_workspace, _integers, _number),
    copy_subtree: (_rules, _settings, _tree, _tree, _number, _integers),
    decay_mast: (_workspace,),
    mast_value: (_workspace, _number, _number, _integers, _number),
    copy_submoves: (_submoves, _number, _submoves, _number),
    logarithm: (types.float64,),
    fill_root_logarithms: (_reals,),
    tree_bytes: (_settings, _tree),
}

_log = logging.getLogger(__name__)


@cache
def load_kernels() -> None:
    """Make kernels ready, and log it if that takes long."""
    place = cache_directory()
    if place is None or not any(place.rglob("*.nbc")):
        often = "once" if place else "each time, as there is no directory to keep it in"
        message = f"Compiling the search; this takes about 20 seconds, {often}."
        # By default that is a line on the standard error output, in every process.
        _log.warning(message)
    # Loops are short, and where vectors pay, kernels use them themselves.
    before, numba.config.LOOP_VECTORIZE = numba.config.LOOP_VECTORIZE, 0
    try:
        with uncounted():
            for kernel, signature in _SIGNATURES.items():
                kernel.compile(signature)
    finally:
        numba.config.LOOP_VECTORIZE = before
