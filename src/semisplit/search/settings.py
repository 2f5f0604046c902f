"""What a search does: the variants of the papers and their parameters.

A search has a tree and simulations. Either works on whole moves (orthodox) or on the semimoves of a
split strategy (semisplit); the tree may also turn semimoves back into moves where it is fully
expanded (roll-up). Group nodes may lie between a nodal state and its (semi)moves. MAST and RAVE
gather statistics of (semi)moves in variants that differ in what they keep statistics of.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from semisplit.core.errors import SemisplitError
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.strategy import SplitStrategy
from semisplit.search.grouping.users import pack, unpack
from semisplit.search.parallel import Merge, Method, Parallel
from semisplit.search.policies.settings import MAX_SAMPLE, Policies

WANDERING = 4.0
"""Where several players decide at once, each draws at random with this chance, divided by the root
of the node's visits. Otherwise all would explore in step: in the prisoner's dilemma both would try
to defect only together, and never learn that it pays."""

MAX_LAYERS = 4
"""Layers of groups between a nodal state and its (semi)moves."""


MAX_THREADS = 256
MAX_PLAYOUTS = 1 << 12
MAX_BATCH = 1 << 10


class BadSettings(SemisplitError):
    """Settings that make no sense, alone or together; the message says why."""


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
class Mast:
    """The Move-Average Sampling Technique: simulations prefer what has scored well anywhere."""

    variant: Variant
    policy: Policy = Policy.EPSILON_GREEDY
    epsilon: float = 0.4
    """How often the epsilon-greedy policy draws at random."""
    temperature: float = 1.0
    """How even Gibbs' distribution is."""
    decay: Decay = Decay.MOVE
    decay_factor: float = 0.2
    """What remains of the weight of earlier samples."""
    batch: int = 100
    """Simulations between two decays, if it is by batches."""
    tree_only: bool = False
    """Whether only what is done in the tree counts."""
    in_expansion: bool = True
    """Whether the expansion uses it, too."""
    threshold: float = 7.0
    """The weight from which on the mix variant trusts the context."""


@dataclass(frozen=True)
class Rave:
    """Rapid Action Value Estimation: a child also counts iterations that play its move later."""

    variant: Variant
    equivalence: float = 250.0
    """How long the estimate has an influence."""
    reference: int = 0
    """GRAVE: nodes with at most so many visits ask an ancestor that has more; 0 switches it off."""
    threshold: int = 7
    """The samples from which on the mix variant trusts the context."""


@dataclass(frozen=True)
class Groups:
    """Alternating-Layer UCT: behind a nodal state the tree first chooses a group of (semi)moves."""

    layers: tuple[tuple[str, ...], ...]
    """The groupings of each layer, from the root of the tree; the first that puts a move into a
    group decides, and what is left are the others."""
    threshold: int | None = None
    """x: a node with fewer visits draws its groups with equal probability; None stands for the
    number of its (semi)moves."""
    least: int = 1
    """Only more (semi)moves than this are divided into groups."""

    def __getstate__(self) -> dict[str, Any]:
        """For another process, in which users' groupings have to be known, too."""
        names = (name for layer in self.layers for name in layer)
        return {**vars(self), "own": pack(names)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From another process."""
        unpack(state["own"])
        vars(self).update((name, value) for name, value in state.items() if name != "own")


@dataclass(frozen=True)
class Settings:
    """A complete description of a search."""

    tree: Tree = Tree.ORTHODOX
    simulation: Simulation = Simulation.ORTHODOX
    split: SplitStrategy | None = None
    """The split strategy; needed unless tree and simulation are orthodox."""
    nodal: bool = True
    """Whether an expansion adds the whole path to the next nodal state, or one node (raw)."""
    exploration: float = 0.4
    """The constant of UCT."""
    mast: Mast | None = None
    rave: Rave | None = None
    min_simulations_factor: float = 1.0
    """MSF: a node is rolled up when it has so many visits per child."""
    min_score_difference: float = 0.0
    """A node is rolled up only if its children's average scores, from 0 to 1, differ so much."""
    final: Final = Final.GREEDY
    final_rollup_factor: float = 1.0
    """FRF: visits needed by the final roll-up, as a part of those of the greedy move."""
    max_semidepth: int = MAX_MOVE_LENGTH
    """Semimoves after which looking for the end of a move is given up."""
    overhead: int = 1
    """How often moves and states are computed; more than once is a handicap."""
    groups: Groups | None = None
    share: float = 1.0
    """The part of its budget that an agent uses: a handicap, too, for matches of unequal ones."""
    parallel: Parallel = field(default_factory=Parallel)
    policies: Policies | None = None
    """What simulations follow; without, moves are drawn at random, or by MAST."""
    expansion_threshold: int | None = 0
    """A leaf is expanded when it has so many visits; until then what follows it is drawn at random.
    None stands for the number of its (semi)moves. The root is expanded at once."""

    def __post_init__(self) -> None:
        _check_designs(self)
        _check_numbers(self)
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


def _check_numbers(settings: Settings) -> None:
    def check(name: str, value: float, low: float, high: float = math.inf) -> None:
        # Not a number is refused as well.
        fine = low <= value <= high and value < math.inf
        bounds = f"at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        _refuse(not fine, f"{name} must be a number {bounds}, not {value:g}")

    check("the exploration constant", settings.exploration, 0)
    check("the minimal simulations factor", settings.min_simulations_factor, 0)
    check("the minimal score difference", settings.min_score_difference, 0, 1)
    check("the final roll-up factor", settings.final_rollup_factor, 0)
    check("the largest number of semimoves", settings.max_semidepth, 1)
    check("the overhead", settings.overhead, 1, 1000)
    check("the share of the budget", settings.share, 0.0001, 1)
    check("the threshold of the expansion", settings.expansion_threshold or 0, 0)
    if groups := settings.groups:
        check("the threshold of groups", groups.threshold or 0, 0)
        check("the least number of moves that are not grouped", groups.least, 0)
    parallel = settings.parallel
    check("the number of threads", parallel.threads, 1, MAX_THREADS)
    check("the virtual loss", parallel.loss, 1, 1000)
    check("the number of playouts of a leaf", parallel.playouts, 1, MAX_PLAYOUTS)
    check("the number of leaves in a batch", parallel.batch, 1, MAX_BATCH)
    if policies := settings.policies:
        check("the chance of a random move", policies.chance, 0, 1)
        check("the number of moves that policies look at", policies.sample, 1, MAX_SAMPLE)
        check("the constant of the choice of policies", policies.exploration, 0)
        _refuse(
            not policies.among or len(set(policies.among)) < len(policies.among),
            "simulations follow one policy or several different ones",
        )
    if mast := settings.mast:
        check("MAST's epsilon", mast.epsilon, 0, 1)
        check("the temperature of Gibbs' distribution", mast.temperature, 0.001)
        check("MAST's decay factor", mast.decay_factor, 0, 1)
        check("the batch of MAST's decay", mast.batch, 1)
        check("MAST's threshold", mast.threshold, 0)
    if rave := settings.rave:
        check("RAVE's equivalence parameter", rave.equivalence, 0)
        check("GRAVE's reference count", rave.reference, 0)
        check("RAVE's threshold", rave.threshold, 0)


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
