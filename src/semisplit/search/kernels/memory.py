"""The memory of a search: what is where.

Everything kernels work on hangs on one record, the engine: settings, counters, and the addresses of
arrays. Kernels get the engine, `s`, and look at its arrays through functions like `edges(s)`.

A node is known by the edge that leads to it, so that a step down the tree is one access to memory.
The edges of a node lie together: those visited first, then those not tried yet.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numba
import numpy as np

from semisplit.runtime.abi import Context
from semisplit.search.kernels.kernel import array_at


class Kind(IntEnum):
    """What is known about the state of a node."""

    INTERMEDIATE = 0
    NODAL = 1
    TERMINAL = 2


class Chain(IntEnum):
    """Which sequences of steps MAST or RAVE know as one thing, besides single steps."""

    NONE = 0
    PREFIX = 1
    """Every beginning of a move: the context variants."""
    MOVE = 2
    """Whole moves."""
    SEMIMOVE = 3
    """Whole semimoves."""


LINE = 64
"""Bytes that a processor fetches at once."""
LOGARITHMS = 32 << 10
"""Numbers of up to 32 bits whose logarithms are at hand: those whose first eleven bits differ."""
ROOT = 0
"""The edge that leads to the root; its visits are all there have been."""
EDGE = np.dtype(
    [
        ("total", "f8"),  # the sum of the mover's final scores, each from 0 to 1
        ("visits", "i4"),
        ("steps", "i4"),  # the only step, or minus the place in `steps`, minus 1
        # The node it leads to:
        ("first", "i4"),  # of its edges; -1 if they have not been made
        ("count", "i4"),
        ("tried", "i4"),  # so many of them have been visited
        ("kind", "i4"),
    ]
)
MERIT = np.dtype([("mean", "f4"), ("rarity", "f4")])
"""What selection needs of an edge that has been visited: total / visits and 1 / sqrt(visits).

It looks at all edges of a node and changes one, so this is computed beforehand and lies apart.
Equal totals and visits give equal averages, to the last bit, so that ties are ties.
"""
SAMPLES = np.dtype([("total", "f8"), ("weight", "f8")])
"""What MAST and RAVE know about something. Their quotient, the average score, is in an array of its
own, where many of them are looked up."""
LEVEL = np.dtype(
    [
        ("first", "i4"),  # of its candidates; those that turn out dead are removed
        ("count", "i4"),
        ("chosen", "i4"),
        ("buffer", "i4"),  # where their steps begin, if they are not single steps
        ("flat", "i4"),  # whether candidates are single steps, not places in the buffer
        ("submove", "i4"),  # the context of its state
        ("length", "i4"),  # steps on the way to it
    ]
)
"""A state on the way to the next nodal one, and what can be done in it."""
PATH = np.dtype(
    [
        ("node", "i4"),
        ("edge", "i4"),  # that leaves the node
        ("player", "i4"),  # who moves there
        ("trace", "i4"),  # where in the trace its steps are
        ("submove", "i4"),  # the context of the node
    ]
)
"""An edge of the current iteration."""
TRACE = np.dtype([("step", "i4"), ("player", "i4"), ("end", "i4")])
"""A step of the current iteration, in the tree or in the simulation."""

SUBMOVE = np.dtype([("key", "i8"), ("number", "i8")])
"""An entry of the table of submoves; number 0 if it is empty."""

_FIELDS = {
    "u8": "seed",
    "f8": """
        exploration msf min_difference scale
        mast_epsilon mast_temperature mast_threshold mast_decay
        rave_equivalence rave_threshold""",
    "i8": """
        apply playouts list_tree list_semimoves list_simulation list_actions
        state_bytes players words first_modifier
        nodal rolls_up traced contexts overhead max_semidepth max_length max_moves max_work
        mast_split mast_chain mast_policy mast_in_simulation mast_in_expansion
        mast_tree_only mast_batch
        rave_split rave_chain rave_reference rave_records
        iterations states abandoned failures failure depth deepest ticks simulation_ticks
        node_count edge_count step_count max_bytes full
        buffer_size buffer_top candidate_size candidate_top trace_size trace_length tree_length
        path_size path_length moves
        submove_count submove_needed submove_capacity submove_limit submove_mask single_submoves
        root stack context""",
}
_ARRAYS = {
    "edges": EDGE,
    "merits": MERIT,
    "steps": "i4",  # of edges that have several: their number, then the steps
    "elements": "i4",  # the submove as which RAVE knows each edge; 0 if there was no room for it
    "amaf": SAMPLES,
    "estimates": "f4",  # the average scores of these
    "guesses": "f4",  # estimates of the edges of a node, if they have to be looked for
    "spare": "i8",
    "buffer": "i4",  # moves as the game lists them: their length, their steps
    "candidates": "i4",  # where in its part of the buffer each of them is, or the step it is
    "levels": LEVEL,
    "values": "f4",
    "path": PATH,
    "trace": TRACE,
    "root_logarithms": "f4",  # square roots of the logarithms of some numbers
    "scores": "f8",
    "bounds": "f8",
    "split_samples": SAMPLES,
    "split_scores": "f4",
    "split_stamps": "i8",
    "submoves": SUBMOVE,
    "submove_samples": SAMPLES,
    "submove_scores": "f4",
    "submove_stamps": "i8",
}
ENGINE = np.dtype(
    [(name, kind) for kind, names in _FIELDS.items() for name in names.split()]
    + [(name, "i8") for name in _ARRAYS]
)

_FIELD = {name: number for number, name in enumerate(Context.FIELDS)}
STATUS, WORK, MOVES, NOTES = (_FIELD[name] for name in ["status", "work", "moves", "trace"])
BUFFER, PLACES, ENOUGH, FOUND, WRITTEN = (
    _FIELD[name] for name in ["buffer", "places", "enough", "found", "written"]
)
"""Where in the context of a compiled game its fields are."""


def _array(dtype: Any, field: str | None = None) -> Any:
    return array_at(numba.from_dtype(np.dtype(dtype)), field)


edges, merits = _array(EDGE, "edges"), _array(MERIT, "merits")
"""The tree of an engine."""
levels, path, trace = _array(LEVEL, "levels"), _array(PATH, "path"), _array(TRACE, "trace")
"""What happens in the current iteration of an engine."""
submoves = _array(SUBMOVE, "submoves")
"""The table of submoves of an engine."""
samples, integers, long_integers = map(_array, (SAMPLES, "i4", "i8"))
short_reals, reals = map(_array, ("f4", "f8"))
"""The array of a kind at an address."""
