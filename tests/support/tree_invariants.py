"""A search tree holds exactly the game: what is true of every tree, whatever built it.

- Every edge is legal in its state, by the interpreter, and no two edges of a node are the same.
- What is legal and missing is dead. So a fully expanded node has exactly the living (semi)moves.
- Ways to the next nodal nodes are distinct moves.
- A node's state is what its path makes, and its kind says what that state is.
- Visits add up: those of a node's edges are those that went on from it.
- Averages of scores are from 0 to 1, and those of a finished game are its scores.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from semisplit.compiler.runtime.compiled import Codes
from semisplit.core.steps import Position
from semisplit.search import Search, Settings, Tree
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.records import NodeKind
from semisplit.search.parallel.settings import Method
from tests.support.situations import Follow, Situation, Specification, specification

DESIGNS = tuple(
    f"{tree}/{simulation}"
    for tree in ("orthodox", "semisplit-nodal", "semisplit-raw", "rollup-nodal", "rollup-raw")
    for simulation in ("orthodox", "semisplit")
)
"""Trees and simulations, as agents are spelt."""
EXTRAS = (
    *("+mast", "+mast-split", "+mast-join,expansion=false", "+mast-context", "+mast-mix"),
    *("+mast-split,expansion=false", "+mast-split,policy=gibbs", "+mast-split,decay=simulation"),
    *("+rave", "+rave-split", "+rave-join", "+rave-context", "+rave-mix", "+grave,ref=10"),
    *("[proximity,border]", "[start/target]", "[name]"),
    "+solver",
    *("+age", "+history", "+mobility", "+ssc", "+adaptive"),
    *(",threads=2", ",threads=2,lock=true", ",threads=2,parallel=root"),
    *(
        ",parallel=leaf,playouts=4",
        ",threads=2,parallel=leaf,playouts=16",
        ",batch=8",
        ",threads=2,loss=3",
    ),
    *(",MSF=3", ",difference=0.2", ",C=2", ",expand=5", ",expand=children"),
)
"""What may be added to a design; what makes no sense together is refused."""


def notation(design: str, split: str | None, extras: Sequence[str]) -> str:
    """The name of an agent with a design, a split strategy, and some extras."""
    tree, _, simulation = design.partition("/")
    names: list[str] = []
    values: list[str] = []
    for extra in extras:
        if extra.startswith("["):
            tree += extra
            continue
        name, *rest = extra.split(",")
        names.append(name)
        values += rest
    whole = f"{tree}/{simulation}" if simulation else tree
    strategy = f"@{split}" if split and design != "orthodox/orthodox" else ""
    return ",".join([whole + "".join(names) + strategy, *values])


_BETWEEN = 4
"""Nodes that are checked between two looks at the clock."""
_INNER = (NodeKind.INTERMEDIATE, NodeKind.GROUP)


class _Edge(NamedTuple):
    """An edge of a tree, which is also the node to which it leads."""

    number: int
    codes: Codes
    """What it does; nothing if it leads to a group or to the root."""
    kind: int
    visits: int
    total: float
    first: int
    size: int
    """The number of its edges."""


class _Place(NamedTuple):
    """A node, what it stands for, and the way to it."""

    node: _Edge
    here: Situation
    path: Codes


class BrokenTree(AssertionError):
    """A tree does not hold the game; the message says where."""


@dataclass
class Checked:
    """How much has been looked at."""

    nodes: int = 0
    edges: int = 0
    trees: int = 0

    def add(self, other: Checked) -> None:
        """Count what another check has looked at as well."""
        self.nodes += other.nodes
        self.edges += other.edges
        self.trees += other.trees


@dataclass(frozen=True)
class Effort:
    """How much of a tree is looked at, beginning at the root."""

    edges: float = math.inf
    """Edges after which no more nodes are looked at."""
    seconds: float = math.inf
    """Processor time after which none are."""
    nodes: int = 0
    """Nodes that are looked at however long it takes."""


ALL = Effort()


def check_trees(search: Search, effort: Effort = ALL) -> Checked:
    """Raise `BrokenTree` if a tree of a search, which has run, does not hold the game."""
    checked = Checked()
    for tree in search.tree.memories:
        walk = _Walk(tree, search.settings, specification(search.game))
        walk.check(search.state.position, effort)
        checked.add(walk.checked)
    return checked


class _Walk:
    """A walk through a tree, nearest nodes first."""

    def __init__(self, tree: TreeMemory, settings: Settings, known: Specification):
        self._tree, self._settings, self._known = tree, settings, known
        self._coding = tree.common.coding
        self._game = self._coding.game
        names = ("kind", "visits", "total", "first", "count")
        self._columns = [tree.edges[name] for name in names]
        self._simultaneous = self._game.facts.simultaneous
        self._whole = settings.tree == Tree.ORTHODOX and not self._simultaneous
        self._rolled_up = settings.tree == Tree.ROLLUP
        self._ends_anywhere = self._may_end_anywhere()
        self._members: dict[int, list[_Edge]] = {}
        """The edges of each node, with those of groups in the place of these."""
        self.checked = Checked(trees=1)

    def check(self, position: Position, effort: Effort) -> None:
        """Check nodes from the root on, whose position is given."""
        end, done = time.process_time() + effort.seconds, self.checked
        start, (root,) = self._known.at(position), self._edges(ROOT, 1)
        start.state = bytes(self._tree.arrays["root"])
        if (found := self._game.codec.unpack(start.state)) != position:
            self._fail((), f"the state is {found}, not {position}")
        queue = deque([_Place(root, start, ())])
        while queue and (
            # Reading the clock takes longer than checking a small node.
            done.nodes < effort.nodes
            or done.nodes % _BETWEEN
            or (done.edges < effort.edges and time.process_time() < end)
        ):
            queue.extend(self._check_node(queue.popleft()))
        self._check_ways(root)

    def _check_node(self, place: _Place) -> list[_Place]:
        """Check a node and its edges; what is behind those that have been visited."""
        node, here, path = place
        self.checked.nodes += 1
        self._check_visits(node, path)
        if node.first < 0 or node.kind == NodeKind.TERMINAL:
            return []
        members = self._members_of(node)
        self.checked.edges += len(members)
        follows = self._compare(here, members, path)
        found = []
        for edge in members:
            if edge.visits:
                follow, way = follows[edge.codes], path + edge.codes
                self._check_kind(edge, follow, way)
                self._check_state(here, edge, follow, way)
                found.append(_Place(edge, follow.after, way))
        return found

    def _fail(self, path: Codes, what: str) -> NoReturn:
        way = self._text(path) or "the root"
        raise BrokenTree(f"{self._known.game.name}, {self._settings}, at {way}: {what}")

    def _text(self, codes: Codes) -> str:
        return " ".join(step.wire for step in self._game.codec.steps(codes))

    # Edges

    def _edges(self, first: int, count: int) -> list[_Edge]:
        """Edges that lie together; none if they have not been made."""
        if first < 0:
            return []
        columns = (column[first : first + count].tolist() for column in self._columns)
        numbers = range(first, first + count)
        return list(map(_Edge, numbers, map(self._codes, numbers), *columns))

    def _codes(self, number: int) -> Codes:
        return self._coding.decode(self._tree.codes(number)) if number != ROOT else ()

    def _members_of(self, node: _Edge) -> list[_Edge]:
        if node.number not in self._members:
            members = []
            for edge in self._edges(node.first, node.size):
                if edge.kind == NodeKind.GROUP:
                    self._check_visits(edge, ())
                    members += self._members_of(edge)
                else:
                    members.append(edge)
            self._members[node.number] = members
        return self._members[node.number]

    def _compare(self, here: Situation, members: list[_Edge], path: Codes) -> dict[Codes, Follow]:
        """What each edge does, after comparing all of them with what is legal."""
        edges = {edge.codes for edge in members}
        if len(edges) < len(members):
            twice = _twice([edge.codes for edge in members])
            self._fail(path, f"the same edge twice: {self._text(twice)}")
        if self._rolled_up:
            found = self._cover(here, edges, path, ())
        else:
            found = here.moves if self._whole else here.semimoves
            for missing in found.keys() - edges:
                self._check_dead(missing, found[missing], path)
        if wrong := edges - found.keys():
            self._fail(path, f"an edge that is illegal: {self._text(min(wrong))}")
        return found

    def _check_dead(self, codes: Codes, follow: Follow, path: Codes) -> None:
        if not follow.is_dead:
            self._fail(path, f"no edge for {self._text(codes)}")

    def _cover(
        self, here: Situation, edges: set[Codes], path: Codes, before: Codes
    ) -> dict[Codes, Follow]:
        """What edges of a node of a rolled-up tree do.

        Each living semimove is an edge, or has been dissolved into edges that begin with it.
        """
        found: dict[Codes, Follow] = {}
        for codes, follow in here.semimoves.items():
            whole = before + codes
            if whole in edges:
                found[whole] = follow
                continue
            begin = before + (codes if codes[-1] >= self._coding.silent else codes[:-1])
            behind = {edge for edge in edges if edge[: len(begin)] == begin}
            if behind and not follow.nodal:
                found |= self._cover(follow.after, behind, path, begin)
            else:
                self._check_dead(codes, follow, path)
        return found

    # Nodes

    def _check_kind(self, node: _Edge, follow: Follow, path: Codes) -> None:
        if (node.kind in _INNER) == follow.nodal:
            name = NodeKind(node.kind).name.lower()
            self._fail(path, f"a node that is {name}, which its state is not")
        if follow.is_dead:
            self._fail(path, "a dead state")
        if node.kind == NodeKind.TERMINAL and follow.after.is_alive:
            self._fail(path, "a terminal node whose state has moves")

    def _check_state(self, here: Situation, edge: _Edge, follow: Follow, path: Codes) -> None:
        """Compare what the compiled game makes of an edge, as searches do, with what it means."""
        codes, after = edge.codes, follow.after
        if codes in here.applied:
            return
        scratch, memory = self._game._scratch(), self._game._copy(here.state)
        steps = (ctypes.c_int32 * len(codes))(*codes)
        self._game._functions["apply"](memory, steps, len(codes), scratch.address)
        scratch.check()
        after.state = bytes(memory.raw)
        if (found := self._game.codec.unpack(after.state)) != after.position:
            self._fail(path, f"the state is {found}, not {after.position}")
        here.applied.add(codes)

    # Numbers

    def _check_visits(self, node: _Edge, path: Codes) -> None:
        """Visits of edges are those that went on from a node, and sums of scores are possible."""
        if not -1e-6 * node.visits <= node.total <= node.visits * (1 + 1e-6):
            self._fail(path, f"a sum of scores of {node.total} in {node.visits} visits")
        visits = self._columns[1]
        below = int(visits[node.first : node.first + node.size].sum()) if node.first >= 0 else 0
        ended = node.visits - below
        if node.kind == NodeKind.TERMINAL:
            adds_up = below == 0
        elif self._ends_anywhere:
            adds_up = ended >= 0
        elif node.kind == NodeKind.GROUP:
            adds_up = ended == 0
        elif node.number == ROOT:
            # One iteration ended here if this was no root then.
            adds_up = ended in (0, 1)
        else:
            adds_up = ended == (node.kind == NodeKind.NODAL or not self._settings.nodal)
        if not adds_up:
            self._fail(path, f"{node.visits} visits, {below} of which went on")

    def _may_end_anywhere(self) -> bool:
        """Whether iterations may end at nodes that have edges."""
        parallel = self._settings.parallel
        shared = parallel.method == Method.TREE and parallel.threads > 1
        rolls_raw = self._rolled_up and not self._settings.nodal
        full = bool(self._tree.record.full)
        waits = self._settings.expansion_threshold != 0
        joined = parallel.joins_playouts or self._simultaneous
        return shared or rolls_raw or full or waits or joined

    # Ways

    def _check_ways(self, root: _Edge) -> None:
        """Ways from the root to nodal nodes are distinct moves."""
        ways = list(self._ways(root, ()))
        if len(set(ways)) < len(ways):
            self._fail((), f"two ways to the same move: {self._text(_twice(ways))}")

    def _ways(self, node: _Edge, before: Codes) -> Iterator[Codes]:
        for edge in self._members_of(node):
            if edge.visits:
                way = before + tuple(code for code in edge.codes if code >= self._coding.silent)
                if edge.kind == NodeKind.INTERMEDIATE:
                    yield from self._ways(edge, way)
                else:
                    yield way


def _twice(found: Sequence[Codes]) -> Codes:
    return next(codes for codes, count in Counter(found).items() if count > 1)
