"""What a search does: the variants of the papers and their parameters.

A search has a tree and simulations. Either works on whole moves (orthodox) or on the semimoves of a
split strategy (semisplit); the tree may also turn semimoves back into moves where it is fully
expanded (roll-up). Group nodes may lie between a nodal state and its (semi)moves. MAST and RAVE
gather statistics of (semi)moves in variants that differ in what they keep statistics of.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import get_args, get_type_hints

from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.settings.parameters import Component, parameter, refuse
from semisplit.core.strategy import SplitStrategy
from semisplit.search.features.groups.settings import Groups
from semisplit.search.features.mast.settings import Mast
from semisplit.search.features.policies.settings import Policies
from semisplit.search.features.rave.settings import Rave
from semisplit.search.features.settings import FeatureSettings, Heuristic
from semisplit.search.features.solver.settings import Solver
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.parallel.settings import Parallel


class Tree(IntEnum):
    """The design of the selection and expansion phases."""

    ORTHODOX = 0
    SEMISPLIT = 1
    ROLLUP = 2


class Simulation(IntEnum):
    """The design of the simulation phase."""

    ORTHODOX = 0
    SEMISPLIT = 1


class Final(IntEnum):
    """How the move to be played is selected in the end."""

    GREEDY = 0
    """The best average score at each node, ties by visits."""
    ROBUST = 1
    """The most visits at each node, ties by average score."""
    ROLLUP = 2
    """The best average score of a whole move among those visited often enough."""


@dataclass(frozen=True)
class Settings(Component):
    """A complete description of a search."""

    tree: Tree = Tree.ORTHODOX
    simulation: Simulation = Simulation.ORTHODOX
    split: SplitStrategy | None = None
    """The split strategy; needed unless tree and simulation are orthodox."""
    nodal: bool = parameter(
        True,
        "whether an expansion adds the whole path to the next nodal state, or one node (raw)",
        key="parameters.is_nodal",
    )
    exploration: float = parameter(
        0.4, "the constant of UCT", "C", "parameters.exploration_constant"
    )
    mast: Mast | None = None
    rave: Rave | None = None
    solver: Solver | None = None
    min_simulations_factor: float = parameter(
        1.0,
        "the visits per child with which a node is rolled up",
        "MSF",
        "parameters.min_simulations_factor",
    )
    min_score_difference: float = parameter(
        0.0,
        "by how much the average scores of a node's children differ if it is rolled up",
        "difference",
        "parameters.min_score_diff",
        high=1,
        scale=100,
    )
    final: Final = parameter(Final.GREEDY, "how the move to be played is selected", "final")
    final_rollup_factor: float = parameter(
        1.0,
        "the visits for the final roll-up, as a part of those of the greedy move",
        "FRF",
        "parameters.final_rollup_factor",
    )
    max_semidepth: int = parameter(
        MAX_MOVE_LENGTH,
        "the number of semimoves after which looking for the end of a move is given up",
        "semidepth",
        "parameters.max_semidepth",
        low=1,
    )
    overhead: int = parameter(
        1,
        "how often moves and states are computed; more than once is a handicap",
        "overhead",
        "general.reasoning_overhead",
        low=1,
        high=1000,
    )
    groups: Groups | None = None
    share: float = parameter(
        1.0,
        "the part of its budget that an agent uses; a handicap, too",
        "share",
        "general.budget_share",
        low=0.0001,
        high=1,
        brief=True,
    )
    policies: Policies | None = None
    """What simulations follow; without, moves are drawn at random, or by MAST."""
    parallel: Parallel = field(default_factory=Parallel)
    expansion_threshold: int | None = parameter(
        0,
        "the visits with which a leaf, other than the root, is expanded; `children` stands for"
        " the number of its (semi)moves",
        "expand",
        "parameters.expansion_threshold",
        absent="children",
        brief=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_designs()
        for part in self.parts.values():
            part.check(self)

    @property
    def parts(self) -> dict[str, FeatureSettings]:
        """The settings of the features that are used, by the names of fields."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: part for name, part in found.items() if isinstance(part, FeatureSettings)}

    def _check_designs(self) -> None:
        refuse(
            self.splits and self.split is None,
            "a semisplit tree or simulation needs a split strategy, like Mod",
        )
        refuse(
            self.final == Final.ROLLUP
            and self.tree != Tree.SEMISPLIT
            and not (self.groups and self.tree == Tree.ORTHODOX),
            "the final roll-up selection needs a semisplit tree, or groups of moves",
        )

    @property
    def splits(self) -> bool:
        """Whether semimoves occur anywhere."""
        return self.splits_tree or self.splits_simulation

    @property
    def splits_tree(self) -> bool:
        """Whether the edges of the tree are semimoves, at least at first."""
        return self.tree != Tree.ORTHODOX

    @property
    def splits_simulation(self) -> bool:
        """Whether simulations draw semimoves."""
        return self.simulation != Simulation.ORTHODOX

    @property
    def rolls_up(self) -> bool:
        """Whether the tree turns semimoves back into moves."""
        return self.tree == Tree.ROLLUP

    @property
    def heuristics(self) -> list[Heuristic]:
        """The heuristics that are used."""
        return [part for part in self.parts.values() if isinstance(part, Heuristic)]

    @property
    def follows_moves(self) -> bool:
        """Whether anything learns from the moves of each simulation."""
        return any(heuristic.follows_moves for heuristic in self.heuristics)

    @property
    def mast_in_rest(self) -> bool:
        """Whether MAST guides the rest of a move that is begun in the tree.

        It belongs to the expansion where that adds it to the tree, and to the simulation in a raw
        tree; but whole moves, which MAST-join knows, do not tell how to go on with one.
        """
        if self.mast is None:
            return False
        return self.mast.in_expansion if self.nodal else self.mast.variant != Variant.JOIN

    @property
    def same_domain(self) -> bool:
        """Whether tree and simulation work on the same kind of moves, and keep to it."""
        return self.tree.value == self.simulation.value


def heuristics() -> dict[str, type[Heuristic]]:
    """The heuristics that a search may use, by the names of fields of `Settings`."""
    kinds = {name: get_args(kind) or (kind,) for name, kind in get_type_hints(Settings).items()}
    return {
        name: kind
        for name, (kind, *_) in kinds.items()
        if isinstance(kind, type) and issubclass(kind, Heuristic)
    }


def check_players(settings: Settings, players: int) -> None:
    """Refuse what makes no sense in a game for so many players."""
    refuse(
        players == 1 and settings.parallel.joins_playouts,
        "in a game of one player the best line is kept, and playouts that are made together do not"
        " tell theirs; threads can be used, batches and leaf parallel searches cannot",
    )
