"""What a search does: the variants of the papers and their parameters.

A search has a tree and simulations. Either works on whole moves (orthodox) or on the semimoves of a
split strategy (semisplit); the tree may also turn semimoves back into moves where it is fully
expanded (roll-up). Group nodes may lie between a nodal state and its (semi)moves. MAST and RAVE
gather statistics of (semi)moves in variants that differ in what they keep statistics of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.parameters import BadSettings, Component, parameter
from semisplit.core.strategy import SplitStrategy
from semisplit.search.grouping.users import pack, unpack
from semisplit.search.parallel import Merge, Method, Parallel
from semisplit.search.policies.settings import Policies

WANDERING = 4.0
"""Where several players decide at once, each draws at random with this chance, divided by the root
of the node's visits. Otherwise all would explore in step: in the prisoner's dilemma both would try
to defect only together, and never learn that it pays."""

MAX_LAYERS = 4
"""Layers of groups between a nodal state and its (semi)moves."""


class Tree(IntEnum):
    """The design of the selection and expansion phases."""

    ORTHODOX = 0
    SEMISPLIT = 1
    ROLLUP = 2


class Simulation(IntEnum):
    """The design of the simulation phase."""

    ORTHODOX = 0
    SEMISPLIT = 1


class Variant(IntEnum):
    """What MAST and RAVE keep statistics of."""

    STANDARD = 0
    """The edges of the tree, which the simulation plays as well."""
    SPLIT = 1
    """Single actions."""
    JOIN = 2
    """Whole moves."""
    CONTEXT = 3
    """Actions together with all that was done before in the same move."""
    MIX = 4
    """Context where it has seen enough, otherwise split."""


class Policy(IntEnum):
    """How MAST chooses."""

    EPSILON_GREEDY = 0
    GIBBS = 1
    ROULETTE = 2


class Decay(IntEnum):
    """When MAST forgets a part of what it has seen."""

    MOVE = 0
    """After every move that is really played, by whomever."""
    BATCH = 1
    """After a number of simulations."""
    SIMULATION = 2
    """After every simulation."""


class Final(IntEnum):
    """How the move to be played is selected in the end."""

    GREEDY = 0
    """The best average score at each node, ties by visits."""
    ROBUST = 1
    """The most visits at each node, ties by average score."""
    ROLLUP = 2
    """The best average score of a whole move among those visited often enough."""


@dataclass(frozen=True)
class Mast(Component):
    """The Move-Average Sampling Technique: simulations prefer what has scored well anywhere."""

    variant: Variant
    policy: Policy = parameter(Policy.EPSILON_GREEDY, "how MAST chooses", "policy", "policy")
    epsilon: float = parameter(
        0.4, "how often the epsilon-greedy policy draws at random", "epsilon", "epsilon", high=1
    )
    temperature: float = parameter(
        1.0, "how even Gibbs' distribution is", "temperature", "temperature", low=0.001
    )
    decay: Decay = parameter(Decay.MOVE, "when MAST forgets", "decay", "decay")
    decay_factor: float = parameter(
        0.2, "what remains of the weight of earlier samples", "factor", "decay_factor", high=1
    )
    batch: int = parameter(
        100, "the simulations between two decays, if it is by batches", "batch", "batch", low=1
    )
    tree_only: bool = parameter(
        False, "whether MAST learns only from what is done in the tree", "treeonly", "tree_only"
    )
    in_expansion: bool = parameter(
        True, "whether the expansion uses MAST, too", "expansion", "in_expansion"
    )
    threshold: float = parameter(
        7.0,
        "the weight from which on MAST-mix trusts the context",
        "threshold",
        "mastmix_threshold",
    )


@dataclass(frozen=True)
class Rave(Component):
    """Rapid Action Value Estimation: a child also counts iterations that play its move later."""

    variant: Variant
    equivalence: float = parameter(
        250.0, "the visits at which RAVE's estimate weighs a half", "k", "equivalence_parameter"
    )
    reference: int = parameter(
        0,
        "the visits up to which GRAVE asks an ancestor of a node; 0 switches it off",
        "ref",
        "ref",
    )
    threshold: int = parameter(
        7,
        "the samples from which on RAVE-mix trusts the context",
        "ravethreshold",
        "ravemix_threshold",
    )


@dataclass(frozen=True)
class Groups(Component):
    """Alternating-Layer UCT: behind a nodal state the tree first chooses a group of (semi)moves."""

    layers: tuple[tuple[str, ...], ...]
    """The groupings of each layer, from the root of the tree; the first that puts a move into a
    group decides, and what is left are the others."""
    threshold: int | None = parameter(
        None,
        "the visits below which a node draws its groups at random; usually its (semi)moves",
        "x",
        "group_threshold",
    )
    least: int = parameter(
        1, "the number of (semi)moves up to which they are not grouped", "above", "group_least"
    )

    def __getstate__(self) -> dict[str, Any]:
        """For another process, in which users' groupings have to be known, too."""
        names = (name for layer in self.layers for name in layer)
        return {**vars(self), "own": pack(names)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From another process."""
        unpack(state["own"])
        vars(self).update((name, value) for name, value in state.items() if name != "own")


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
    parallel: Parallel = field(default_factory=Parallel)
    policies: Policies | None = None
    """What simulations follow; without, moves are drawn at random, or by MAST."""
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
        _check_designs(self)
        if self.mast:
            _check_mast(self, self.mast)
        if self.rave:
            _check_rave(self, self.rave)
        _check_parallel(self, self.parallel)
        _refuse(
            self.mast is not None and self.policies is not None,
            "simulations follow either MAST or other policies; among those 'history' is the one"
            " that prefers what has scored well",
        )

    @property
    def splits(self) -> bool:
        """Whether semimoves occur anywhere."""
        return self.tree != Tree.ORTHODOX or self.simulation != Simulation.ORTHODOX

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


def check_simultaneous(settings: Settings) -> None:
    """Refuse what makes no sense in games in which players decide at the same time.

    Nobody sees what others choose, so to each player a move is a step, and all variants of MAST and
    RAVE are the same.
    """
    _refuse(
        settings.splits,
        "in this game a move is already split into one step for each player who decides;"
        " only an orthodox tree with orthodox simulations can be used",
    )
    _refuse(
        settings.rave is not None and settings.rave.reference > 0,
        "GRAVE does not know games in which several players decide at once; RAVE does",
    )


def check_chance(settings: Settings) -> None:
    """Refuse what would let chance choose its moves, in games in which some are drawn by lot."""
    _refuse(
        settings.groups is not None,
        "in this game chance has moves, and their groups would not be as likely as they are large",
    )
    _refuse(
        settings.tree == Tree.ROLLUP,
        "in this game chance has moves, and a tree that is rolled up would hide them",
    )
    _refuse(
        settings.policies is not None,
        "in this game chance has moves, and policies of simulations would choose them",
    )


def check_players(settings: Settings, players: int) -> None:
    """Refuse what makes no sense in a game for so many players."""
    _refuse(
        players == 1 and settings.parallel.joins_playouts,
        "in a game of one player the best line is kept, and playouts that are made together do not"
        " tell theirs; threads can be used, batches and leaf parallel searches cannot",
    )


def _refuse(condition: bool, reason: str) -> None:
    if condition:
        raise BadSettings(reason)


def _check_designs(settings: Settings) -> None:
    _refuse(
        settings.splits and settings.split is None,
        "a semisplit tree or simulation needs a split strategy, like Mod",
    )
    _refuse(
        settings.final == Final.ROLLUP
        and settings.tree != Tree.SEMISPLIT
        and not (settings.groups and settings.tree == Tree.ORTHODOX),
        "the final roll-up selection needs a semisplit tree, or groups of moves",
    )
    if settings.groups:
        _refuse(
            settings.tree == Tree.ROLLUP,
            "a tree that is rolled up cannot have group nodes: rolling up would dissolve them",
        )
        _refuse(
            not settings.groups.layers or not all(settings.groups.layers),
            "each layer of groups needs a grouping, as in groups[proximity,border]",
        )
        _refuse(
            len(settings.groups.layers) > MAX_LAYERS,
            f"groups can be nested in at most {MAX_LAYERS} layers",
        )


def _check_mast(settings: Settings, mast: Mast) -> None:
    if mast.variant == Variant.STANDARD:
        _refuse(
            not settings.same_domain,
            "standard MAST needs the same kind of moves in the tree and in simulations;"
            " MAST-split and MAST-context work with any",
        )
    if mast.variant == Variant.JOIN:
        _refuse(
            settings.simulation != Simulation.ORTHODOX,
            "MAST-join knows whole moves only and cannot choose semimoves in a semisplit"
            " simulation; MAST-split and MAST-context can",
        )
        _refuse(
            settings.tree != Tree.ORTHODOX and mast.in_expansion,
            "MAST-join knows whole moves only and cannot choose semimoves in the expansion;"
            " switch MAST off there",
        )


def _check_rave(settings: Settings, rave: Rave) -> None:
    if rave.variant == Variant.STANDARD:
        _refuse(
            not settings.same_domain,
            "standard RAVE needs the same kind of moves in the tree and in simulations;"
            " RAVE-context works with any",
        )
    if rave.variant in (Variant.SPLIT, Variant.MIX):
        _refuse(
            settings.tree != Tree.SEMISPLIT,
            f"RAVE-{rave.variant.name.lower()} needs a semisplit tree, whose edges are semimoves",
        )
    if rave.variant == Variant.JOIN:
        _refuse(
            settings.tree != Tree.ORTHODOX,
            "RAVE-join needs an orthodox tree, whose edges are whole moves;"
            " RAVE-context works with any",
        )
    _refuse(
        rave.reference > 0 and rave.variant == Variant.MIX,
        "GRAVE cannot be combined with RAVE-mix, which has two estimates for each move",
    )


def _check_parallel(settings: Settings, parallel: Parallel) -> None:
    several, batched = parallel.threads > 1, parallel.batch > 1
    _refuse(
        parallel.method == Method.ROOT and not several,
        "a root parallel search has a tree for each thread, so it needs two threads or more",
    )
    _refuse(
        parallel.method != Method.ROOT and parallel.merge != Merge.SUM,
        "only the trees of a root parallel search are merged",
    )
    _refuse(
        parallel.method == Method.LEAF and parallel.playouts == 1,
        "a leaf parallel search makes several playouts of each leaf: parallel=leaf,playouts=8",
    )
    _refuse(
        parallel.method != Method.LEAF and parallel.playouts > 1 and not parallel.gpu,
        "several playouts of a leaf belong to a leaf parallel search (parallel=leaf)",
    )
    _refuse(
        parallel.method == Method.LEAF and several and batched,
        "threads can share out the playouts of one leaf, not of a batch;"
        " with one thread, batches of leaves with several playouts each are fine",
    )
    _refuse(
        parallel.gpu and not batched,
        "a GPU plays many leaves at a time: batch=256,playouts=32,gpu=1",
    )
    shares = batched or (several and parallel.method == Method.TREE)
    _refuse(
        parallel.loss != 1 and not shares,
        "virtual loss is for several iterations at a time in one tree: threads, or batches",
    )
    _refuse(
        parallel.locked and not (several and parallel.method == Method.TREE),
        "a lock is needed only if several threads search in the same tree",
    )
    if parallel.joins_playouts:
        _refuse(
            settings.mast is not None or settings.rave is not None,
            "MAST and RAVE learn from the moves of each simulation, and playouts that are made"
            " together tell only their scores; threads can be used",
        )
        _refuse(
            settings.overhead > 1,
            "the overhead handicaps single playouts, not those that are made together",
        )
