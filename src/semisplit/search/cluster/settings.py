"""How an agent uses a cluster, and how that is written in its notation.

`orthodox,threads=4,cluster=limited,workers=8,layers=1` is `orthodox` with four threads on each of
eight workers, with a layer of hubs between them and the master.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import IntEnum

from semisplit.core.settings.parameters import (
    BadSettings,
    Component,
    letters,
    name_of,
    parameter,
    read_options,
)
from semisplit.search.features.narrowing.intervals import Part
from semisplit.search.parallel.settings import Merge, Method
from semisplit.search.settings import Settings, Tree

FIRST = 0.8
"""The part of the clock after which workers tell for the first time what they know."""
_MARGINS = 0.1
"""The part of the clock that all margins may take together."""


class ClusterMethod(IntEnum):
    """How machines share out the work."""

    ROOT_TREE = 0
    """Each searches all of the tree."""
    LIMITED = 1
    """Each searches only its interval of actions before it has heard of others."""


@dataclass(frozen=True)
class ClusterSettings(Component):
    """Who searches besides the master, and how they share out the work."""

    method: ClusterMethod = parameter(
        ClusterMethod.ROOT_TREE, "how machines share out the work", "cluster", "method"
    )
    workers: int = parameter(4, "the number of workers", "workers", "workers", low=1, high=10_000)
    layers: int = parameter(
        0,
        "the number of layers of hubs between the master and the workers",
        "layers",
        "hub_layers",
        high=8,
    )
    intervals: int | None = parameter(
        None,
        "the number of intervals of actions; usually one for each worker",
        "intervals",
        "intervals",
        low=1,
    )
    overlap: int = parameter(
        1,
        "how far an interval reaches: with 1 two of them share each action, with 2 four do",
        "overlap",
        "overlap",
        low=1,
        high=10_000,
    )
    margin: int = parameter(
        100,
        "the milliseconds that each layer has to gather what those below it report",
        "margin",
        "margin",
        low=1,
        high=10_000,
    )
    merge: Merge = parameter(
        Merge.SUM,
        "what decides: the sum of what all have found out, or a majority of their votes",
        "merge",
        "merge",
        brief=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.interval_count > self.workers:
            raise BadSettings(
                f"there are {self.intervals} intervals for {self.workers} workers; each needs one"
            )
        if self.merge not in (Merge.SUM, Merge.MAJORITY):
            raise BadSettings(
                f"on a cluster moves are merged by sum or majority, not {self.merge.name.lower()}"
            )
        if not self.limited and (self.intervals or self.overlap != 1):
            raise BadSettings("intervals and their overlap belong to cluster=limited")

    @property
    def limited(self) -> bool:
        """Whether each worker searches only its interval before it has heard of others."""
        return self.method == ClusterMethod.LIMITED

    @property
    def interval_count(self) -> int:
        """How many intervals there are."""
        return self.intervals or self.workers

    @property
    def votes(self) -> bool:
        """Whether the machines vote on the move."""
        return self.merge == Merge.MAJORITY

    def part(self, worker: int) -> Part | None:
        """Which actions a worker, from 0, searches at first; None if all."""
        if not self.limited:
            return None
        return Part(worker % self.interval_count + 1, self.interval_count, self.overlap)

    def margin_within(self, seconds: float) -> float:
        """The margin of each layer if a move has so many seconds."""
        return min(self.margin / 1000, _MARGINS * seconds / (self.layers + 1))

    @property
    def groups(self) -> list[list[int]]:
        """How many children each hub has, layer by layer from the workers up; last, the master."""
        fan = math.ceil(self.workers ** (1 / (self.layers + 1)) - 1e-9)
        layers, count = [], self.workers
        for _ in range(self.layers):
            layers.append([min(fan, count - begin) for begin in range(0, count, fan)])
            count = len(layers[-1])
        return [*layers, [count]]


def check_search(cluster: ClusterSettings, settings: Settings) -> None:
    """Refuse searches that cannot be shared out."""
    if settings.parallel.method == Method.ROOT:
        raise BadSettings(
            "on a cluster each machine has one tree; its threads can share that (parallel=tree)"
        )
    if cluster.limited and (settings.groups or settings.tree == Tree.ROLLUP):
        raise BadSettings(
            "cluster=limited keeps to some edges of a node, which groups and roll-up change;"
            " cluster=root-tree works with any tree"
        )


def take_cluster(text: str) -> tuple[str, ClusterSettings | None]:
    """The notation of an agent without what it says about a cluster, and that."""
    if not re.search(r"[,\s]cluster=", text, re.IGNORECASE):
        return text, None
    options = [found[0].lstrip(", \t\n") for found in _OPTION.finditer(text)]
    given = read_options([ClusterSettings], options)[ClusterSettings]
    return _OPTION.sub("", text), ClusterSettings(**given)


def write_cluster(cluster: ClusterSettings) -> str:
    """What stands behind the notation of an agent on a cluster."""
    usual = ClusterSettings(cluster.method)
    return ",".join(["", f"cluster={name_of(cluster.method)}", *cluster.differences(usual)])


_OPTION = re.compile(rf"[,\s]+({'|'.join(letters(ClusterSettings))})=([\w.+-]*)", re.IGNORECASE)
