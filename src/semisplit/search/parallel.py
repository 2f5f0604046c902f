"""How a search uses several threads, and many states at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


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
    """The same, but only the ten moves with the best average in the sum are left."""
    RAW = 3
    """The mean of average scores, however many visits are behind them."""
    MAJORITY = 4
    """Each tree votes for the move it would play; scores and visits are added up, for ties."""


@dataclass(frozen=True)
class Parallel:
    """What is done at the same time; usually nothing is."""

    method: Method = Method.TREE
    threads: int = 1
    loss: int = 1
    """Virtual loss: the visits that an iteration counts before it has scores to show. With 1, it is
    no more than that its visit is counted at once."""
    locked: bool = False
    """Whether one lock is around all but the simulation, for comparison."""
    merge: Merge = Merge.SUM
    playouts: int = 1
    """Of each leaf, in leaf parallel searches."""
    batch: int = 1
    """Leaves that a thread selects before any of them is played."""
    gpu: bool = False
    """Whether a GPU makes the playouts. A thread then may make several of each leaf of a batch."""

    @property
    def joins_playouts(self) -> bool:
        """Whether several playouts are made in one call."""
        return self.batch > 1 or self.playouts > 1

    @property
    def trees(self) -> int:
        """How many trees there are."""
        return self.threads if self.method == Method.ROOT else 1
