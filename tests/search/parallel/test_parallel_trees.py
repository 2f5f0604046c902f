"""Many threads at one tree of a tiny game: nothing gets lost, nothing is there twice."""

import pytest

import semisplit
from semisplit import Game
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.search import Budget, Search
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.records import NodeKind
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.records import Sharing
from tests.support.search_variants import PAWNS

THREADS = 8
SIMULATIONS = 3000
DESIGNS = [
    "orthodox",
    "orthodox+mast+rave",
    "orthodox+grave",
    "orthodox/semisplit+mast-split@Mod",
    "semisplit-nodal@Mod",
    "semisplit-raw@ModPlus",
    "semisplit-nodal+mast-context+rave-context@Mod",
    "semisplit-nodal+mast-split+rave-mix@Mod",
    "rollup-nodal@Mod",
    "rollup-raw@Mod",
    "rollup-nodal+mast-mix+rave-context@Mod",
]
WAYS = ["threads=8", "threads=8,lock=1", "threads=8,loss=5", "threads=4,batch=3", "batch=16"]


def search_with(game: Game, notation: str, memory: int = 1 << 24) -> Search:
    return Search(game, parse_settings(notation), seed=1, memory=memory)


def pawns() -> Game:
    return Game.parse(PAWNS, "pawns")


class Checked:
    """All that has to hold in a tree after a search, whoever has worked on it."""

    def __init__(self, search: Search):
        self.tree: TreeMemory = search.tree.memories[0]
        self.edges = self.tree.edges
        self.game: CompiledGame = self.tree.common.coding.game
        self.decode = self.tree.common.coding.decode
        self.raw = not search.settings.nodal
        self.has_estimates = search.settings.rave is not None
        self.nodes = 1
        self.surplus = 0
        """Iterations that ended at a node without giving it an edge."""
        stack = [(ROOT, bytes(self.tree.arrays["root"]))]
        while stack:
            node, state = stack.pop()
            stack += self._check_node(node, state)

    def _check_node(self, number: int, state: bytes) -> list[tuple[int, bytes]]:
        node = self.edges[number]
        kind, is_root = NodeKind(node["kind"]), number == ROOT
        assert kind != NodeKind.MOVED
        assert node["visits"] > 0
        assert 0 <= node["total"] <= node["visits"]
        if kind == NodeKind.TERMINAL:
            assert not self.game.moves(state)
            return []
        ended = int(node["visits"])
        first = int(node["first"])
        numbers = range(first, first + int(node["count"])) if first >= 0 else range(0)
        codes = {edge: tuple(self.decode(self.tree.codes(edge))) for edge in numbers}
        assert len(set(codes.values())) == len(codes)
        own = self.edges[numbers.start : numbers.stop] if codes else self.edges[:0]
        tried = int(node["tried"]) if codes else 0
        assert (own["visits"][tried:] == 0).all()
        ended -= int(own["visits"].sum())
        # The score of who has moved to the node, as far as edges tell it: two players share 1.
        known = own["total"].sum()
        if kind == NodeKind.NODAL:
            known = own["visits"].sum() - known
        if not is_root:
            assert -1e-6 <= node["total"] - known <= ended + 1e-6
        expected = 0 if is_root else int(kind == NodeKind.NODAL or self.raw)
        self.surplus += ended - expected
        assert ended >= (0 if self.raw else expected)
        self.nodes += tried
        below = []
        for edge in list(numbers)[:tried]:
            after = self.game.play(state, codes[edge])
            assert after is not None
            after = self.game.run_keeper(after)
            is_nodal = self.game.is_nodal(after)
            assert is_nodal == (self.edges[edge]["kind"] != NodeKind.INTERMEDIATE)
            assert is_nodal or self._can_be_completed(after)
            below.append((edge, after))
        if self.has_estimates:
            self._check_estimates(list(numbers)[:tried])
        return below

    def _check_estimates(self, edges: list[int]) -> None:
        """An edge learns from each of its own visits at least."""
        records = self.tree.common.settings.rave.kinds
        for edge in edges:
            samples = self.tree.arrays["rave.samples"][edge * records : (edge + 1) * records]
            assert (samples["total"] <= samples["weight"] + 1e-6).all()
            assert samples["weight"].max() >= self.edges[edge]["visits"]

    def _can_be_completed(self, state: bytes) -> bool:
        if self.game.is_nodal(state):
            return True
        played = (self.game.play(state, codes) for codes in self.game.semimoves(state))
        return any(after is not None and self._can_be_completed(after) for after in played)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("design", DESIGNS)
def test_visits_add_up(design: str, way: str) -> None:
    if "batch" in way and ("mast" in design or "rave" in design):
        return
    search = search_with(pawns(), f"{design},{way}")
    result = search.run(Budget(simulations=SIMULATIONS))
    assert result.simulations == SIMULATIONS
    assert result.abandoned == 0
    checked = Checked(search)
    assert search.tree.visits == SIMULATIONS
    assert search.tree.memories[0].record.simulations == SIMULATIONS
    assert result.nodes == checked.nodes
    # In rolled-up raw trees what ended at a node that was dissolved cannot be told apart.
    if not (checked.raw and "rollup" in design):
        assert checked.surplus == sum(
            worker.record.counts.contended for worker in search.tree.workers
        )


@pytest.mark.parametrize("design", ["orthodox", "orthodox+mast+rave", "semisplit-nodal@Mod"])
def test_long_runs(design: str) -> None:
    """Only in long ones are threads often at the same place in the same moment.

    With additions that are not atomic, hundreds of visits get lost in most of these.
    """
    search = search_with(pawns(), f"{design},threads=8")
    search.run(Budget(simulations=1_000_000))
    checked = Checked(search)
    assert checked.surplus == _contended(search)


def test_the_subtree_is_kept_and_searched_on() -> None:
    search = search_with(pawns(), "semisplit-nodal+mast-split@Mod,threads=8")
    for _ in range(3):
        result = search.run(Budget(simulations=1000))
        Checked(search)
        search.play(result.move)


@pytest.mark.parametrize("lock", ["", ",lock=1"])
def test_a_full_tree_is_searched_on(lock: str) -> None:
    search = search_with(pawns(), f"semisplit-nodal@Mod,threads=8{lock}", memory=20_000)
    result = search.run(Budget(simulations=SIMULATIONS))
    assert search.tree.memories[0].record.full
    assert search.tree.memories[0].used_bytes <= 20_000
    assert result.simulations == SIMULATIONS
    Checked(search)


@pytest.mark.parametrize(
    ("game", "notation"),
    [
        ("rps_well", "orthodox"),
        ("double_ttt_sync", "orthodox+mast+rave"),
        ("tic_tac_toe", "groups[border]"),
        ("breakthrough", "orthodox+mast,decay=batch,batch=7"),
    ],
)
@pytest.mark.parametrize("loss", [1, 3])
def test_what_moves_edges_takes_turns(game: str, notation: str, loss: int) -> None:
    search = search_with(semisplit.load(game), f"{notation},threads=8,loss={loss}")
    assert search.tree.memories[0].common.settings.parallel.sharing == Sharing.LOCKED
    result = search.run(Budget(simulations=SIMULATIONS))
    tree = search.tree.memories[0]
    assert tree.edges[ROOT]["visits"] == SIMULATIONS
    root = tree.edges[ROOT]
    own = tree.edges[root["first"] : root["first"] + root["count"]]
    assert own["visits"].sum() == SIMULATIONS
    assert (own["visits"][: root["tried"]] > 0).all()
    for choice in result.choices:
        assert sum(step.visits for step in choice.steps) == SIMULATIONS


def test_one_thread_needs_no_locks() -> None:
    assert search_with(pawns(), "orthodox")._common.settings.parallel.sharing == Sharing.ALONE


def _contended(search: Search) -> int:
    return sum(worker.record.counts.contended for worker in search.tree.workers)
