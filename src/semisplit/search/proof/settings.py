"""How positions are proven, and what a game must be like."""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.core.settings.parameters import Component, parameter
from semisplit.core.strategy import SplitStrategy

PLAYERS = 2


@dataclass(frozen=True)
class ProofSettings(Component):
    """A complete description of a search for proofs."""

    table_mb: int = parameter(
        256, "the size of the table of positions, in MB", "table", "table_mb", low=1, high=1 << 20
    )
    epsilon: float = parameter(
        1.0,
        "by which part of the second best number a child may exceed it, before another is searched",
        "epsilon",
        "epsilon",
        high=16,
    )
    breadth: bool = parameter(
        False,
        "whether the number of a position grows with the children that are still open",
        "breadth",
        "breadth",
    )
    split: SplitStrategy | None = None
    """How moves are split; None leaves them whole."""
