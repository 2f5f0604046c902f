"""How an agent uses a cluster, and how that is written in its notation.

`orthodox,threads=4,cluster=limited,workers=8,layers=1` is `orthodox` with four threads on each of
eight workers, with a layer of hubs between them and the master.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from semisplit.core.errors import UnknownName
from semisplit.search.intervals import Part
from semisplit.search.parallel import Merge, Method
from semisplit.search.settings import BadSettings, Settings, Tree

METHODS = ("root-tree", "limited")
MAX_WORKERS = 10_000
MAX_LAYERS = 8
FIRST = 0.8
"""The part of the clock after which workers tell for the first time what they know."""
_MARGINS = 0.1
"""The part of the clock that all margins may take together."""


@dataclass(frozen=True)
class ClusterSettings:
    """Who searches besides the master, and how they share out the work."""

    limited: bool = False
    """Whether each worker searches only its interval of actions before it has heard of others."""
    workers: int = 4
    layers: int = 0
    """Of hubs between the master and the workers."""
    intervals: int | None = None
    """How many there are; one for each worker if nothing is said."""
    overlap: int = 1
    """How far an interval reaches: with 1 two of them share each action, with 2 four do."""
    margin: float = 0.1
    """Seconds that each layer has to gather what those below it tell."""
    merge: Merge = Merge.SUM
    """What decides on the move: the sum of what all have found out, or a majority of their votes.
    """

    def __post_init__(self) -> None:
        check_range("the number of workers", self.workers, 1, MAX_WORKERS)
        check_range("the number of hub layers", self.layers, 0, MAX_LAYERS)
        check_range("the number of intervals", self.interval_count, 1, self.workers)
        check_range("the overlap", self.overlap, 1, MAX_WORKERS)
        check_range("the margin in milliseconds", 1000 * self.margin, 1, 10_000)
        if self.merge not in (Merge.SUM, Merge.MAJORITY):
            raise BadSettings(
                f"on a cluster moves are merged by sum or majority, not {self.merge.name.lower()}"
            )
        if not self.limited and (self.intervals or self.overlap != 1):
            raise BadSettings("intervals and their overlap belong to cluster=limited")

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
        return min(self.margin, _MARGINS * seconds / (self.layers + 1))

    @property
    def groups(self) -> list[list[int]]:
        """How many children each hub has, layer by layer from the workers up; last, the master."""
        fan = math.ceil(self.workers ** (1 / (self.layers + 1)) - 1e-9)
        layers, count = [], self.workers
        for _ in range(self.layers):
            layers.append([min(fan, count - begin) for begin in range(0, count, fan)])
            count = len(layers[-1])
        return [*layers, [count]]


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number that is too small or too large."""
    if not low <= value <= high:
        raise BadSettings(f"{name} must be from {low:g} to {high:g}, not {value:g}")


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


class ClusterPart(BaseModel):
    """The key `cluster` of configuration files."""

    model_config = ConfigDict(extra="forbid", strict=True)

    method: str
    workers: int = 4
    hub_layers: int = 0
    intervals: int | None = None
    overlap: int = 1
    margin: int = 100
    """In milliseconds."""
    merge: str = "sum"

    def settings(self) -> ClusterSettings:
        """The same as settings."""
        counts = self.workers, self.hub_layers, self.intervals, self.overlap
        limited, merge = is_limited(self.method.lower()), _merge(self.merge)
        return ClusterSettings(limited, *counts, self.margin / 1000, merge)


def write_cluster(cluster: ClusterSettings) -> dict[str, Any]:
    """Settings as data in the schema of configuration files."""
    return {
        "method": METHODS[cluster.limited],
        "workers": cluster.workers,
        "hub_layers": cluster.layers,
        "intervals": cluster.intervals,
        "overlap": cluster.overlap,
        "margin": round(1000 * cluster.margin),
        **({"merge": cluster.merge.name.lower()} if cluster.votes else {}),
    }


_OPTIONS = ("cluster", "workers", "layers", "intervals", "overlap", "margin", "merge")
_OPTION = re.compile(rf"[,\s]+({'|'.join(_OPTIONS)})=([\w.+-]*)", re.IGNORECASE)


def take_cluster(text: str) -> tuple[str, ClusterSettings | None]:
    """The notation of an agent without what it says about a cluster, and that."""
    if not re.search(r"[,\s]cluster=", text, re.IGNORECASE):
        return text, None
    found = [(name.lower(), value) for name, value in _OPTION.findall(text)]
    given = dict(found)
    if len(given) < len(found):
        raise BadSettings(f"a parameter is given twice in '{text}'")
    method = given.pop("cluster").lower()
    margin = _whole("margin", given.pop("margin", "100")) / 1000
    merge = _merge(given.pop("merge", "sum"))
    numbers = {name: _whole(name, value) for name, value in given.items()}
    settings = ClusterSettings(is_limited(method), margin=margin, merge=merge, **numbers)
    return _OPTION.sub("", text), settings


def is_limited(method: str) -> bool:
    """Whether a method, given by its name, keeps workers to intervals."""
    if method not in METHODS:
        raise UnknownName("cluster method", method, METHODS)
    return method == "limited"


def _merge(name: str) -> Merge:
    members = {member.name.lower(): member for member in Merge}
    if name.lower() not in members:
        raise UnknownName("way to merge", name, members)
    return members[name.lower()]


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,6}", text):
        raise BadSettings(f"{name} must be a whole number, not '{text}'")
    return int(text)
