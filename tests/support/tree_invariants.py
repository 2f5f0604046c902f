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
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, NoReturn

from semisplit import Game
from semisplit.core.steps import Position, Steps
from semisplit.search import Search, Settings, Tree
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.records import NodeKind
from semisplit.search.parallel.settings import Method

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


_INNER = (NodeKind.INTERMEDIATE, NodeKind.GROUP)


class Follow(NamedTuple):
    """What is legal in a position, and the position behind it, after the keeper's moves."""

    steps: Steps
    position: Position
    nodal: bool


class Specification:
    """What the interpreter says about a game's positions, each asked for once."""

    def __init__(self, game: Game):
        self.game = game
        self._interpreter = game.rules.interpreter
        self._mod = game.split is not None and game.split.mod
        self.start = self._interpreter.run_keeper(self._interpreter.start)
        self.moves = cache(self._moves)
        self.semimoves = cache(self._semimoves)
        self.alive = cache(self._alive)

    def _follow(self, found: Iterator[tuple[Steps, Position]]) -> tuple[Follow, ...]:
        follows = []
        for steps, position in found:
            nodal = self._interpreter.is_nodal(position)
            after = self._interpreter.run_keeper(position) if nodal else position
            follows.append(Follow(steps, after, nodal))
        return tuple(follows)

    def _moves(self, position: Position) -> tuple[Follow, ...]:
        return self._follow(self._interpreter.moves(position))

    def _semimoves(self, position: Position) -> tuple[Follow, ...]:
        return self._follow(self._interpreter.semimoves(position, mod=self._mod))

    def _alive(self, position: Position) -> bool:
        """Whether a move can be completed from a position inside it."""
        return any(next_.nodal or self.alive(next_.position) for next_ in self.semimoves(position))


class _Place(NamedTuple):
    """A node, with its state by the interpreter and by the compiled game."""

    node: int
    position: Position
    state: bytes
    path: Steps


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


def check_trees(
    search: Search, known: Specification, most: int = 10**9, seconds: float = math.inf
) -> Checked:
    """Raise `BrokenTree` if a tree of a search does not hold the game.

    Args:
        search: Has run.
        known: Of its game, split as the search splits it.
        most: Edges after which no more nodes are looked at, beginning at the root.
        seconds: Processor time after which none are.
    """
    end = time.process_time() + seconds
    checked = Checked()
    for tree in search.tree.memories:
        walk = _Walk(tree, search.settings, known, most, end)
        walk.check(search.state.position)
        checked.add(walk.checked)
    return checked


class _Walk:
    """A walk through a tree, nearest nodes first."""

    def __init__(
        self, tree: TreeMemory, settings: Settings, known: Specification, most: int, end: float
    ):
        self._tree, self._settings, self._known = tree, settings, known
        self._most, self._end = most, end
        self._coding = tree.common.coding
        self._game = self._coding.game
        self._simultaneous = self._game.facts.simultaneous
        self._edges = tree.edges
        whole = settings.tree == Tree.ORTHODOX and not self._simultaneous
        self._list = known.moves if whole else known.semimoves
        self.checked = Checked(trees=1)

    def check(self, position: Position) -> None:
        """Check all nodes, from the root on, whose position is given."""
        queue: deque[_Place] = deque([_Place(ROOT, position, bytes(self._tree.arrays["root"]), ())])
        while queue and self.checked.edges < self._most and time.process_time() < self._end:
            node, position, state, path = place = queue.popleft()
            self.checked.nodes += 1
            self._check_state(place)
            self._check_visits(node, path)
            first = int(self._edges[node]["first"])
            if first < 0 or self._edges[node]["kind"] == NodeKind.TERMINAL:
                continue
            members = list(self._members(node))
            self.checked.edges += len(members)
            follows = self._follow_edges(node, position, members, path)
            for edge, (steps, follow) in zip(members, follows):
                if self._edges[edge]["visits"]:
                    self._check_kind(edge, follow, (*path, *steps))
                    after = self._apply(state, edge)
                    queue.append(_Place(edge, follow.position, after, (*path, *steps)))
        self._check_ways()

    def _fail(self, path: Steps, what: str) -> NoReturn:
        way = " ".join(step.wire for step in path) or "the root"
        raise BrokenTree(f"{self._known.game.name}, {self._settings}, at {way}: {what}")

    # Edges

    def _members(self, node: int) -> Iterator[int]:
        """The numbers of a node's edges, with those of groups in the place of these."""
        first, count = (int(self._edges[node][name]) for name in ("first", "count"))
        for number in range(first, first + count) if first >= 0 else ():
            if self._edges[number]["kind"] == NodeKind.GROUP:
                yield from self._members(number)
            else:
                yield number

    def _steps(self, edge: int) -> Steps:
        return self._game.codec.steps(self._coding.decode(self._tree.codes(edge)))

    def _follow_edges(
        self, node: int, position: Position, members: list[int], path: Steps
    ) -> list[tuple[Steps, Follow]]:
        """What each edge does, after comparing all of them with what is legal."""
        steps = [self._steps(edge) for edge in members]
        if len(set(steps)) < len(steps):
            self._fail(path, f"the same edge twice: {_text(_twice(steps))}")
        if self._settings.tree == Tree.ROLLUP:
            found = self._cover(position, set(steps), path, ())
        else:
            found = {follow.steps: follow for follow in self._list(position)}
            for missing in found.keys() - set(steps):
                self._check_dead(found[missing], path)
        if wrong := set(steps) - found.keys():
            self._fail(path, f"an edge that is illegal: {_text(min(wrong, key=_text))}")
        return [(one, found[one]) for one in steps]

    def _check_dead(self, follow: Follow, path: Steps) -> None:
        if follow.nodal or self._known.alive(follow.position):
            self._fail(path, f"no edge for {_text(follow.steps)}")

    def _cover(
        self, position: Position, edges: set[Steps], path: Steps, before: Steps
    ) -> dict[Steps, Follow]:
        """What edges of a node of a rolled-up tree do.

        Each living semimove is an edge, or has been dissolved into edges that begin with it.
        """
        found: dict[Steps, Follow] = {}
        for follow in self._list(position):
            whole = before + follow.steps
            if whole in edges:
                found[whole] = follow
                continue
            begin = before + (follow.steps if follow.steps[-1].changes else follow.steps[:-1])
            behind = {edge for edge in edges if edge[: len(begin)] == begin}
            if behind and not follow.nodal:
                found |= self._cover(follow.position, behind, path, begin)
            else:
                self._check_dead(follow, path)
        return found

    # Nodes

    def _check_kind(self, node: int, follow: Follow, path: Steps) -> None:
        kind = NodeKind(int(self._edges[node]["kind"]))
        if (kind in _INNER) == follow.nodal:
            self._fail(path, f"a node that is {kind.name.lower()}, which its state is not")
        if not follow.nodal and not self._known.alive(follow.position):
            self._fail(path, "a dead state")
        if kind == NodeKind.TERMINAL and self._known.alive(follow.position):
            self._fail(path, "a terminal node whose state has moves")

    def _apply(self, state: bytes, edge: int) -> bytes:
        """The state behind an edge, made as searches make it."""
        codes = self._coding.decode(self._tree.codes(edge))
        scratch, memory = self._game._scratch(), self._game._copy(state)
        steps = (ctypes.c_int32 * len(codes))(*codes)
        self._game._functions["apply"](memory, steps, len(codes), scratch.address)
        scratch.check()
        return bytes(memory.raw)

    def _check_state(self, place: _Place) -> None:
        found = self._game.codec.unpack(place.state)
        if found != place.position:
            self._fail(place.path, f"the state is {found}, not {place.position}")

    # Numbers

    def _check_visits(self, node: int, path: Steps) -> None:
        """Visits of edges are those that went on from a node, and sums of scores are possible."""
        here = self._edges[node]
        visits, total, kind = int(here["visits"]), float(here["total"]), int(here["kind"])
        if not -1e-6 * visits <= total <= visits * (1 + 1e-6):
            self._fail(path, f"a sum of scores of {total} in {visits} visits")
        first, count = int(here["first"]), int(here["count"])
        below = int(self._edges[first : first + count]["visits"].sum()) if first >= 0 else 0
        ended = visits - below
        if kind == NodeKind.TERMINAL:
            adds_up = below == 0
        elif kind == NodeKind.GROUP:
            adds_up = ended == 0
        elif self._ends_anywhere:
            adds_up = ended >= 0
        elif node == ROOT:
            # One iteration ended here if this was no root then.
            adds_up = ended in (0, 1)
        else:
            adds_up = ended == (kind == NodeKind.NODAL or not self._settings.nodal)
        if not adds_up:
            self._fail(path, f"{visits} visits, {below} of which went on")

    @property
    def _ends_anywhere(self) -> bool:
        """Whether iterations may end at nodes that have edges."""
        parallel = self._settings.parallel
        shared = parallel.method == Method.TREE and parallel.threads > 1
        rolls_raw = self._settings.tree == Tree.ROLLUP and not self._settings.nodal
        full = bool(self._tree.record.full)
        waits = self._settings.expansion_threshold != 0
        joined = parallel.joins_playouts or self._simultaneous
        return shared or rolls_raw or full or waits or joined

    # Ways

    def _check_ways(self) -> None:
        """Ways from the root to nodal nodes are distinct moves."""
        ways = list(self._ways(ROOT, ()))
        if len(set(ways)) < len(ways):
            self._fail((), f"two ways to the same move: {_text(_twice(ways))}")

    def _ways(self, node: int, before: Steps) -> Iterator[Steps]:
        for edge in self._members(node):
            if self._edges[edge]["visits"]:
                way = before + tuple(step for step in self._steps(edge) if step.changes)
                if self._edges[edge]["kind"] == NodeKind.INTERMEDIATE:
                    yield from self._ways(edge, way)
                else:
                    yield way


def _twice(found: Sequence[Steps]) -> Steps:
    return next(one for one in found if found.count(one) > 1)


def _text(steps: Steps) -> str:
    return " ".join(step.wire for step in steps)
