"""Statistics of the root's children, to be exchanged with other searches of the same position.

What others have found out is added to the tree, where it guides the search, and remembered, so that
others get only what this search itself has found out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from semisplit.compiler.runtime.compiled import Codes
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.view import View

_MOST_VISITS = 1 << 30
"""Edges count visits in 32 bits. If others have made more, they are scaled down."""
_SHARE, _INTERVAL = 0.05, 0.02
"""The part of the time that looking for edges may take, and the shortest time between two looks."""


class Child(NamedTuple):
    """An edge on the way from the root to the next nodal nodes, as all searches know it."""

    player: int
    """Whose action it is, where several players decide at once and this is not the first."""
    codes: Codes
    """The steps from the root on, as kernels know them."""
    groups: tuple[str, ...]
    """The groups on the way."""


class Counts(NamedTuple):
    """What is known about it."""

    visits: int
    total: float
    """The sum of the scores of the player whose action it is."""


Table: TypeAlias = Mapping[Child, Counts]
"""What is known about all actions of all players who decide at the root.

The root itself is there, too: it has no steps, and visits only.
"""
ROOT_CHILD = Child(0, (), ())
NOTHING = Counts(0, 0.0)


def add_tables(tables: Iterable[Table]) -> dict[Child, Counts]:
    """The sum of some tables."""
    added: dict[Child, Counts] = {}
    for table in tables:
        for child, (visits, total) in table.items():
            before = added.get(child, NOTHING)
            added[child] = Counts(before.visits + visits, before.total + total)
    return added


def subtract_table(table: Table, part: Table) -> dict[Child, Counts]:
    """What is left of a table without a part of it."""
    minus = {child: Counts(-visits, -total) for child, (visits, total) in part.items()}
    return {child: counts for child, counts in add_tables([table, minus]).items() if counts.visits}


class Exchange:
    """The statistics at the root of a tree, one's own and those of others."""

    def __init__(self, tree: TreeMemory, worker: WorkerMemory):
        self._tree = tree
        self._view = View(tree, worker)
        self.forget()

    def forget(self) -> None:
        """Nothing has been received, or the tree is gone to which it was added."""
        self._missing: dict[Child, Counts] = {}
        self._added: dict[Child, Counts] = {}
        self._next = 0.0

    def own(self) -> dict[Child, Counts]:
        """What this search itself has found out."""
        edges = self._tree.edges
        known = {
            child: Counts(int(edges[number]["visits"]), float(edges[number]["total"]))
            for child, number in self.children()
        }
        return subtract_table(known, self._added)

    def receive(self, table: Table) -> None:
        """Add what others have found out, in place of what was received before."""
        self.retract()
        visits = table.get(ROOT_CHILD, NOTHING).visits
        scale = min(1.0, _MOST_VISITS / max(1, visits))
        self._missing = {
            child: Counts(math.ceil(scale * visits), scale * total)
            for child, (visits, total) in table.items()
        }
        self.refresh()

    def refresh(self) -> None:
        """Add it to edges, too, that have been tried since then; is called now and then."""
        begin = time.perf_counter()
        if not self._missing or begin < self._next:
            return
        for child, number in list(self.children()):
            if counts := self._missing.pop(child, None):
                self._add(number, counts)
                self._added[child] = counts
        now = time.perf_counter()
        self._next = now + max(_INTERVAL, (now - begin) / _SHARE)

    def retract(self) -> None:
        """Take back all that was received."""
        if self._added:
            for child, number in list(self.children()):
                visits, total = self._added.get(child, NOTHING)
                self._add(number, Counts(-visits, -total))
        self.forget()

    def children(self) -> Iterator[tuple[Child, int]]:
        """The root, and the edges that have been visited from there to the next nodal nodes.

        Where several players decide at once, these are the edges by which each of them chooses.
        """
        yield ROOT_CHILD, ROOT
        joint = self._tree.common.rules.choosers > 0
        choosers = {0: ROOT, **self._view.choosers()}
        stack = [(node, Child(player, (), ())) for player, node in choosers.items()]
        while stack:
            node, before = stack.pop()
            for number in self._view.visited_edges(node):
                group = self._view.group(number)
                if group is None:
                    codes = before.codes + tuple(self._tree.codes(number))
                    child = before._replace(codes=codes)
                else:
                    child = before._replace(groups=(*before.groups, group))
                yield child, number
                if group or not (joint or self._view.is_nodal(number)):
                    stack.append((number, child))

    def _add(self, number: int, counts: Counts) -> None:
        """Add to an edge, and compute anew what selection needs of it."""
        edge, terms = self._tree.edges[number], self._tree.uct_terms[number]
        edge["visits"] += counts.visits
        if number != ROOT:
            edge["total"] += counts.total
            terms["mean"] = edge["total"] / edge["visits"]
            terms["inverse_root"] = 1 / math.sqrt(edge["visits"])
