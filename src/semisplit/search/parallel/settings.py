"""How a search uses several threads, and many states at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from semisplit.core.settings.parameters import parameter, refuse
from semisplit.search.features.settings import FeatureSettings

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


class Method(IntEnum):
    """What threads do."""

    TREE = 0
    """They search in the same tree."""
    ROOT = 1
    """Each has a tree of its own; in the end what is known about moves is merged."""
    LEAF = 2
    """They make several playouts of each leaf that one of them selects."""


class Merge(IntEnum):
    """How trees are merged in root parallel searches."""

    BEST = 0
    """A move is worth what the tree thinks that thinks best of it."""
    SUM = 1
    """Scores and visits are added up."""
    SUM10 = 2
    """Scores and visits are added up, and only the ten moves with the best average are left."""
    RAW = 3
    """The mean of average scores, however many visits they come from."""
    MAJORITY = 4
    """Each tree votes for the move it would play; scores and visits are added up, for ties."""


@dataclass(frozen=True)
class Parallel(FeatureSettings):
    """What is done at the same time; usually nothing is."""

    method: Method = parameter(Method.TREE, "what threads do", "parallel", "method")
    threads: int = parameter(1, "the number of threads", "threads", "threads", low=1, high=256)
    loss: int = parameter(
        1,
        "the virtual loss: the visits that an iteration counts before it has scores; with 1, its"
        " visit is counted at once",
        "loss",
        "virtual_loss",
        low=1,
        high=1000,
    )
    locked: bool = parameter(
        False,
        "whether one lock is around all but the simulation, for comparison",
        "lock",
        "lock",
    )
    merge: Merge = parameter(
        Merge.SUM, "how the trees of a root parallel search are merged", "merge", "merge"
    )
    playouts: int = parameter(
        1,
        "the number of playouts of each leaf in leaf parallel searches",
        "playouts",
        "playouts",
        low=1,
        high=1 << 12,
    )
    batch: int = parameter(
        1,
        "the number of leaves that a thread selects before any of them is played",
        "batch",
        "batch",
        low=1,
        high=1 << 10,
    )
    gpu: bool = parameter(
        False,
        "whether a GPU makes the playouts, several of each leaf of a batch if `playouts` says so",
        "gpu",
        "gpu",
        brief=True,
    )

    @property
    def joins_playouts(self) -> bool:
        """Whether several playouts are made in one call."""
        return self.batch > 1 or self.playouts > 1

    @property
    def trees(self) -> int:
        """How many trees there are."""
        return self.threads if self.method == Method.ROOT else 1

    def check(self, settings: Settings) -> None:
        """Refuse what makes no sense together."""
        several, batched = self.threads > 1, self.batch > 1
        refuse(
            self.method == Method.ROOT and not several,
            "a root parallel search has a tree for each thread, so it needs two threads or more",
        )
        refuse(
            self.method != Method.ROOT and self.merge != Merge.SUM,
            "only the trees of a root parallel search are merged",
        )
        refuse(
            self.method == Method.LEAF and self.playouts == 1,
            "a leaf parallel search makes several playouts of each leaf: parallel=leaf,playouts=8",
        )
        refuse(
            self.method != Method.LEAF and self.playouts > 1 and not self.gpu,
            "several playouts of a leaf belong to a leaf parallel search (parallel=leaf)",
        )
        refuse(
            self.method == Method.LEAF and several and batched,
            "threads can share out the playouts of one leaf, not of a batch;"
            " with one thread, batches of leaves with several playouts each are fine",
        )
        refuse(
            self.gpu and not batched,
            "a GPU plays many leaves at a time: batch=256,playouts=32,gpu=1",
        )
        shares = batched or (several and self.method == Method.TREE)
        refuse(
            self.loss != 1 and not shares,
            "virtual loss is for several iterations at a time in one tree: threads, or batches",
        )
        refuse(
            self.locked and not (several and self.method == Method.TREE),
            "a lock is needed only if several threads search in the same tree",
        )
        if self.joins_playouts:
            refuse(
                settings.follows_moves,
                "MAST and RAVE learn from the moves of each simulation, and playouts that are made"
                " together tell only their scores; threads can be used",
            )
            refuse(
                settings.overhead > 1,
                "the overhead handicaps single playouts, not those that are made together",
            )
