"""What the nodes of a cluster tell each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from semisplit.core.steps import Position, Steps
from semisplit.game import Game
from semisplit.search.cluster.settings import ClusterSettings
from semisplit.search.final import Votes
from semisplit.search.parallel.exchange import Table, add_tables
from semisplit.search.settings import Settings


@dataclass(frozen=True)
class Start:
    """A game begins: what is to be searched, and how."""

    game: Game
    settings: Settings
    cluster: ClusterSettings
    player: int | None
    """Whose search it is; None if it is that of whoever is to move."""
    seed: int


class Place(NamedTuple):
    """A position: where the game began, and the moves since then."""

    origin: Position
    moves: tuple[Steps, ...]


class Plan(NamedTuple):
    """When workers tell what they know, in seconds from when they hear of it."""

    first: float
    second: float
    margin: float
    """What each layer has to gather it."""

    def later(self, seconds: float) -> Plan:
        """The same after some time has gone by."""
        return Plan(max(0.0, self.first - seconds), max(0.0, self.second - seconds), self.margin)


@dataclass(frozen=True)
class Report:
    """What some workers know about a position, and only what they themselves have found out."""

    table: Table
    workers: frozenset[int]
    """Whose it is."""
    stale: frozenset[int] = frozenset()
    """Those of them from whom nothing came at the second time, so that it is from the first."""
    simulations: int = 0
    """Made for this move."""
    states: int = 0
    line: tuple[Steps, ...] = ()
    """In games of one player: the best line that was found."""
    line_score: float = 0.0
    votes: Votes = field(default_factory=Counter)
    """What each would play, if a majority decides."""


EMPTY = Report({}, frozenset())


def add_reports(reports: Iterable[Report]) -> Report:
    """The sum of reports of different workers."""
    known = list(reports)
    workers = [worker for one in known for worker in one.workers]
    assert len(set(workers)) == len(workers)
    best = max(known, key=lambda one: one.line_score, default=EMPTY)
    return Report(
        add_tables(one.table for one in known),
        frozenset(workers),
        frozenset().union(*(one.stale for one in known)),
        sum(one.simulations for one in known),
        sum(one.states for one in known),
        best.line,
        best.line_score,
        sum((one.votes for one in known), Counter()),
    )
