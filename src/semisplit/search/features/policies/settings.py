"""Which policies simulations follow, and their parameters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from semisplit.core.settings.parameters import BadSettings, parameter, refuse
from semisplit.search.features.settings import FeatureSettings

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


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


@dataclass(frozen=True)
class Policies(FeatureSettings):
    """How simulations choose moves: by a policy for each player, greedily most of the time."""

    among: tuple[SimulationPolicy, ...] = tuple(SimulationPolicy)
    """If there are several, each player follows one of them in each simulation: UCB chooses."""
    chance: float = parameter(
        0.3, "how often simulations draw a move at random", "chance", "chance", high=1
    )
    sample: int = parameter(
        16,
        "the number of moves that are drawn and looked at if there are more",
        "sample",
        "sample",
        low=1,
        high=256,
    )
    exploration: float = parameter(
        0.7, "the constant of UCB, which chooses policies", "ucb", "exploration_constant"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.among or len(set(self.among)) < len(self.among):
            raise BadSettings("simulations follow one policy or several different ones")

    def check(self, settings: Settings) -> None:
        """Refuse a second opinion on what simulations do."""
        refuse(
            settings.mast is not None,
            "simulations follow either MAST or other policies; among those 'history' is the one"
            " that prefers what has scored well",
        )
