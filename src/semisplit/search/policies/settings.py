"""Which policies simulations follow, and their parameters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class SimulationPolicy(IntEnum):
    """By what the moves of a simulation are chosen."""

    RANDOM = 0
    AGE = 1
    """Approximate Goal Evaluation: how far goals are reached."""
    HISTORY = 2
    """What has scored well in simulations before."""
    MOBILITY = 3
    """Many moves of one's own, few of others."""
    EXPLORATION = 4
    """States unlike those of late."""
    SSC = 5
    """Statistical Symbols Counting: how many there are of what goes with high scores."""
    SCORE = 6
    """Numbers that the rules count towards the goal."""


MAX_SAMPLE = 256


@dataclass(frozen=True)
class Policies:
    """How simulations choose moves: by a policy for each player, greedily most of the time."""

    among: tuple[SimulationPolicy, ...] = tuple(SimulationPolicy)
    """If there are several, each player follows one of them in each simulation: UCB chooses."""
    chance: float = 0.3
    """How often a move is drawn at random."""
    sample: int = 16
    """Of more moves than this, so many are drawn and looked at."""
    exploration: float = 0.7
    """The constant of UCB."""
