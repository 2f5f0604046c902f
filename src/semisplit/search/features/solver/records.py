"""The memory of the solver."""

from __future__ import annotations

from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f4,
    i8,
    record,
    record_of,
)
from semisplit.search.features.solver.settings import Solver

PLAYERS = 2
"""The solver is for games of two players."""


@record_of(Solver)
class SolverRecord(ParameterRecord):
    """The settings of the solver."""

    used: i8  # 1 if it is


@record
class SolverOfTree(Record):
    """The bounds of each edge's score for each player, those of an edge together."""

    low: Array[f4]  # what the player can get, whatever the other one does
    high: Array[f4]  # what the other one can hold the player to
