"""Groups of moves that have something in common, for group nodes.

A grouping is a small function of (state, previous move, move) that gives the number of a group, or
-1 if it has none for the move. States and moves are numbers: `Situation` says what is known about
a state, and of a move there is an array, in which `START`, `TARGET` and so on are places. The same
function is called by Python and compiled by Numba, so it has to keep to simple arithmetic:

>>> from semisplit.search.features.groups import TARGET, register
>>> def corner(state, previous, move):
...     return 0 if move[TARGET] >= 0 and state.neighbours[move[TARGET]] == 2 else -1
>>> register("corner", corner, ["corner"])

From then on `groups[corner]` is the name of an agent, also in other processes to which the agent is
sent. A package offers a `Grouping` to all programs by an entry point of the group
`semisplit.groupings`.

What is in which file: docs/files.md.
"""

from semisplit.search.features.groups.functions import (
    INSTRUCTION,
    NAME,
    PUT,
    START,
    TARGET,
    Grouping,
)
from semisplit.search.features.groups.partition import Partition
from semisplit.search.features.groups.situation import Situation
from semisplit.search.features.groups.users import groupings, register

__all__ = [
    "INSTRUCTION",
    "NAME",
    "PUT",
    "START",
    "TARGET",
    "Grouping",
    "Partition",
    "Situation",
    "groupings",
    "register",
]
