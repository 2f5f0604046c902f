"""Searches with several threads, trees, batches: what they do, and what is refused."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import semisplit
from semisplit.agents import parse_agent
from semisplit.agents.agent import make_agent
from semisplit.compiler.runtime.compiled import Codes
from semisplit.core.errors import PlayLimit
from semisplit.search import BadSettings, Budget, Result, Search, Settings
from semisplit.search.engine import run as kernel
from semisplit.search.engine.layout import ROOT
from semisplit.search.final import cast_votes, select_final
from semisplit.search.notation import parse_settings
from semisplit.search.parallel import pool as pool_module
from semisplit.search.parallel.merged import MergedView
from semisplit.search.parallel.settings import Merge, Method, Parallel
from semisplit.search.parallel.threads import Threads
from semisplit.search.settings import Final
from semisplit.search.view import View, VisitedEdge, by_score, by_visits

MEMORY = 1 << 24
WAYS = [
    "threads=3",
    "threads=3,lock=1",
    "threads=3,parallel=root",
    "threads=3,parallel=leaf,playouts=7",
    "parallel=leaf,playouts=7",
    "batch=9",
    "threads=3,batch=9",
    "threads=3,parallel=root,batch=9",
    "batch=4,parallel=leaf,playouts=3",
]


def search(game: str, notation: str, memory: int = MEMORY) -> Search:
    return Search(semisplit.load(game), parse_settings(notation), seed=1, memory=memory)


# Settings


def test_notation() -> None:
    assert parse_settings("orthodox").parallel == Parallel()
    text = "orthodox,threads=4,parallel=root,merge=sum10"
    assert parse_settings(text).parallel == Parallel(Method.ROOT, 4, merge=Merge.SUM10)
    text = "semisplit@Mod,threads=2,lock=1,loss=3"
    assert parse_settings(text).parallel == Parallel(threads=2, locked=True, loss=3)
    assert parse_settings("orthodox,batch=64").parallel == Parallel(batch=64)
    # MAST has batches of its own.
    with_mast = parse_settings("orthodox+mast,decay=batch,batch=64")
    assert with_mast.mast
    assert with_mast.mast.batch == 64
    assert with_mast.parallel == Parallel()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("threads=0", "threads must be a number from 1"),
        ("threads=1000", "threads must be a number from 1 to 256"),
        ("threads=2,loss=0", "loss must be a number from 1"),
        ("loss=2", "virtual loss is for several iterations at a time"),
        ("parallel=root", "needs two threads"),
        ("threads=2,merge=raw", "only the trees of a root parallel search are merged"),
        ("parallel=leaf", "several playouts of each leaf"),
        ("playouts=8", "belong to a leaf parallel search"),
        ("threads=2,parallel=leaf,playouts=8,batch=2", "not of a batch"),
        ("lock=1", "a lock is needed only if several threads"),
        ("threads=2,parallel=root,lock=1", "a lock is needed only if several threads"),
        ("threads=2,parallel=branch", "no value of parallel"),
        ("threads=2,parallel=root,merge=best10", "no value of merge"),
    ],
)
def test_nonsense_is_refused_with_a_reason(options: str, reason: str) -> None:
    with pytest.raises(semisplit.SemisplitError, match=reason):
        parse_settings(f"orthodox,{options}")


@pytest.mark.parametrize(
    "notation", ["orthodox+rave,batch=8", "orthodox+mast,parallel=leaf,playouts=8"]
)
def test_playouts_together_teach_nothing(notation: str) -> None:
    with pytest.raises(BadSettings, match="tell only their scores"):
        parse_settings(notation)


def test_lines_are_not_told_by_batches() -> None:
    with pytest.raises(BadSettings, match="the best line is kept"):
        search("eight_puzzle", "orthodox,batch=8")


# Budgets


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("simulations", [1, 2, 100, 1001])
def test_simulations_are_exact(way: str, simulations: int) -> None:
    searching = search("tic_tac_toe", f"orthodox,{way}")
    result = searching.run(Budget(simulations=simulations))
    assert result.simulations == simulations
    visits = sum(one.visits for one in result.moves)
    # Threads that come to the root while it gets its edges simulate there.
    assert visits == simulations or (0 < visits < simulations and "threads" in way)
    assert searching.tree.visits == simulations


@pytest.mark.parametrize("way", WAYS)
def test_states_and_seconds(way: str) -> None:
    searching = search("tic_tac_toe", f"orthodox,{way}")
    assert searching.run(Budget(states=5000)).states >= 5000
    assert searching.run(Budget(seconds=0.05)).simulations > 0
    assert searching.run(Budget(seconds=0.0)).simulations > 0


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "tic_tac_toe_gdl", "rps_well"])
def test_pauses_end_a_search_in_order(game: str, way: str) -> None:
    searching = search(game, f"orthodox,{way}")
    calls = []

    def stop() -> None:
        calls.append(searching.snapshot(3).move)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searching.run(Budget(seconds=60), pause=stop)
    # All have come back, so it can be searched on.
    visits = searching.tree.visits
    result = searching.run(Budget(simulations=50))
    assert searching.tree.visits == visits + 50
    searching.play(result.move)


# Strength, and what comes of a search


@pytest.mark.parametrize("way", WAYS)
def test_who_searches_does_not_lose(way: str) -> None:
    """Tic-tac-toe against somebody who plays at random."""
    random = Random(1)
    for first in (1, 2):
        searching = search("tic_tac_toe", f"orthodox,{way}")
        while not searching.state.is_terminal:
            if searching.state.player == first:
                searching.play(searching.run(Budget(simulations=2000)).move)
            else:
                searching.play(random.choice(searching.state.moves()))
        assert searching.state.scores[first - 1] >= 50


@pytest.mark.parametrize("playouts", [2, 8, 100])
def test_the_same_playouts_whoever_makes_them(playouts: int) -> None:
    def result(threads: int) -> Result:
        notation = f"orthodox,parallel=leaf,playouts={playouts},threads={threads}"
        return search("breakthrough", notation).run(Budget(simulations=2000))

    one, three = result(1), result(3)
    assert one.moves == three.moves
    assert one.states == three.states


def test_a_batch_of_one_is_the_usual_search() -> None:
    one = search("breakthrough", "orthodox").run(Budget(simulations=500))
    same = search("breakthrough", "orthodox,batch=1,loss=1").run(Budget(simulations=500))
    assert one.moves == same.moves
    assert one.variation == same.variation


def test_batches_spread() -> None:
    """Without virtual loss all leaves of a batch would be the same."""
    result = search("breakthrough_gdl", "orthodox,batch=64").run(Budget(simulations=64 * 22))
    assert result.nodes > 64 * 20


def test_trees_of_their_own_are_different() -> None:
    searching = search("breakthrough", "orthodox,threads=3,parallel=root")
    searching.run(Budget(simulations=900))
    assert [tree.edges[ROOT]["visits"] for tree in searching.tree.memories] == [300] * 3
    found = [dict(view.moves()) for view in searching.tree.views]
    visits = [{codes: edge.visits for codes, edge in one.items()} for one in found]
    assert visits[0] != visits[1] != visits[2]


# Merging trees


class FakeView(View):
    """A root with some edges, given as codes, visits and score."""

    def __init__(self, *edges: tuple[int, int, float]):
        self._edges = [
            VisitedEdge(number, (code,), visits, score)
            for number, (code, visits, score) in enumerate(edges, 1)
        ]

    def edges(self, node: int, least: int = 1) -> list[VisitedEdge]:
        return self._edges if node == ROOT else []

    def group(self, node: int) -> str | None:
        return None

    def is_nodal(self, node: int) -> bool:
        return node != ROOT

    def changing(self, codes: Codes) -> Codes:
        return codes

    def choosers(self, node: int = ROOT) -> dict[int, int]:
        return {}

    def best_edge(self, node: int, robust: bool, random: Random) -> VisitedEdge | None:
        return max(self.edges(node), key=by_visits if robust else by_score, default=None)


def merged(merge: Merge) -> dict[int, tuple[int, Any]]:
    views = [FakeView((7, 30, 0.5), (8, 10, 0.9)), FakeView((8, 30, 0.1), (9, 4, 1.0))]
    edges = MergedView(views, merge).edges(ROOT)
    return {edge.codes[0]: (edge.visits, pytest.approx(edge.score)) for edge in edges}


def test_merging() -> None:
    assert merged(Merge.SUM) == {7: (30, 0.5), 8: (40, 0.3), 9: (4, 1.0)}
    assert merged(Merge.RAW) == {7: (30, 0.5), 8: (40, 0.5), 9: (4, 1.0)}
    assert merged(Merge.BEST) == {7: (30, 0.5), 8: (10, 0.9), 9: (4, 1.0)}
    assert merged(Merge.SUM10) == merged(Merge.SUM)


def test_the_ten_best_of_the_sum_are_left() -> None:
    many = FakeView(*((code, 5, code / 100) for code in range(20)))
    edges = MergedView([many, FakeView((3, 1, 1.0))], Merge.SUM10).edges(ROOT)
    assert {edge.codes[0] for edge in edges} == {3, *range(11, 20)}
    assert next(edge.visits for edge in edges if edge.codes == (3,)) == 6


def test_a_lucky_visit_is_added_to_what_other_trees_have_seen() -> None:
    failing = FakeView((7, 2, 0.0), *((code, 9, 0.5) for code in range(10, 20)))
    view = MergedView([FakeView((7, 1, 1.0), (10, 9, 0.5)), failing], Merge.SUM10)
    best = view.best_edge(ROOT, False, Random(0))
    assert best
    assert best.codes == (10,)


VOTERS = [
    FakeView((7, 30, 0.9), (8, 40, 0.5)),
    FakeView((7, 10, 0.4), (8, 30, 0.5)),
    FakeView((8, 30, 0.5), (9, 1, 0.4)),
]


def elected(voters: list[FakeView], settings: Settings) -> tuple[Codes, Any]:
    votes = sum((cast_votes(view, 1, settings, Random(0)) for view in voters), Counter())
    together = MergedView(voters, Merge.MAJORITY)
    return select_final(together, settings, Random(0), lambda codes: codes, votes)


def test_a_majority_of_trees_decides() -> None:
    greedy = select_final(
        MergedView(VOTERS, Merge.SUM), Settings(), Random(0), lambda codes: codes, Counter()
    )
    assert greedy[0] == (7,)
    assert elected(VOTERS, Settings()) == ((8,), 0.5)
    # Between two who are of different minds decides what they know together.
    assert elected(VOTERS[:2], Settings()) == ((7,), pytest.approx(0.775))
    assert elected(VOTERS[:2], Settings(final=Final.ROBUST))[0] == (8,)
    # A tree that ends within a move abstains.
    assert elected([FakeView(), VOTERS[1]], Settings()) == ((8,), 0.5)


def test_a_majority_of_trees_of_players_who_decide_at_once() -> None:
    notation = "orthodox,threads=3,parallel=root,merge=majority"
    searching = search("rps_well", notation)
    result = searching.run(Budget(simulations=3000))
    votes = [cast_votes(view, 1, searching.settings, Random(0)) for view in searching.tree.views]
    together = sum(votes, Counter())
    assert sum(together.values()) == 6
    for choice in result.choices:
        codec = searching.game.compiled.codec
        own = tuple(codec.codes(choice.move.steps) or ())
        assert together[choice.player, own] == max(
            count for (player, _), count in together.items() if player == choice.player
        )


def test_ties_of_merged_edges_are_broken_at_random() -> None:
    view = MergedView([FakeView((1, 5, 0.5), (2, 5, 0.5)), FakeView((3, 9, 0.4))], Merge.SUM)
    best = [view.best_edge(ROOT, False, Random(seed)) for seed in range(20)]
    assert {edge.codes for edge in best if edge} == {(1,), (2,)}
    robust = view.best_edge(ROOT, True, Random(0))
    assert robust
    assert robust.codes == (3,)


@pytest.mark.parametrize("merge", [merge.name.lower() for merge in Merge])
@pytest.mark.parametrize("tree", ["orthodox+mast+rave", "semisplit-nodal@Mod", "rollup-nodal@Mod"])
def test_merged_trees_give_a_legal_move(tree: str, merge: str) -> None:
    searching = search("breakthrough", f"{tree},threads=2,parallel=root,merge={merge}")
    for _ in range(2):
        result = searching.run(Budget(simulations=400))
        assert str(result.move) in {str(move) for move in searching.state.moves()}
        assert result.variation[0] == result.move
        look = searching.snapshot(3)
        assert look.variation[0] == look.move
        assert searching.tree.draw(100)
        searching.play(result.move)


def test_players_who_decide_at_once_in_several_trees() -> None:
    result = search("rps_well", "orthodox,threads=2,parallel=root").run(Budget(simulations=4000))
    assert [sum(step.visits for step in choice.steps) for choice in result.choices] == [4000] * 2


def test_lines_of_several_trees() -> None:
    result = search("hanoi", "orthodox,threads=2,parallel=root").run(Budget(simulations=2000))
    assert result.line[0] == result.move


# When something goes wrong


def test_an_exception_in_a_thread_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    searching = search("tic_tac_toe", "orthodox,threads=3")
    here = threading.current_thread()
    fails = threading.Event()

    def run(*arguments: Any) -> int:
        if fails.is_set() and threading.current_thread() is not here:
            raise MemoryError("no room")
        return kernel.run(*arguments)

    monkeypatch.setattr(pool_module, "run", run)
    result = searching.run(Budget(seconds=60), pause=fails.set)
    assert result.simulations > 0
    assert "no room" in result.note
    fails.clear()
    assert not searching.run(Budget(simulations=10)).note


def test_threads_that_fail_at_once_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*arguments: Any) -> int:
        raise MemoryError("no room")

    searching = search("tic_tac_toe", "orthodox,threads=2")
    monkeypatch.setattr(pool_module, "run", run)
    with pytest.raises(MemoryError):
        searching.run(Budget(seconds=60))


ENDLESS = """
#players = white(100), black(100)
#pieces = e, w
#variables =
#board = rectangle(up,down,left,right, [w,e])
#rules = (->white {w} [e] (left + right) [w] ->black {w} [e] (left + right) [w])*
"""


@pytest.mark.parametrize("way", [way for way in WAYS if "batch" not in way])
def test_endless_games_end_in_a_message(way: str) -> None:
    game = semisplit.Game.parse(ENDLESS, "endless")
    with pytest.raises(PlayLimit):
        Search(game, parse_settings(f"orthodox,{way}")).run(Budget(simulations=3))


def test_all_come_back_before_an_error_goes_on() -> None:
    finished = []

    def slow() -> int:
        time.sleep(0.05)
        finished.append(1)
        return 1

    def interrupted() -> int:
        raise KeyboardInterrupt

    tasks: list[Callable[[], int]] = [interrupted, slow, slow]
    with pytest.raises(KeyboardInterrupt):
        Threads(3).do(tasks)
    assert finished == [1, 1]


@pytest.mark.parametrize("way", ["threads=2", "threads=2,parallel=root", "batch=8"])
def test_pondering(way: str) -> None:
    config = replace(parse_agent(f"orthodox,{way}"), ponders=True)
    agent = make_agent(config, semisplit.load("tic_tac_toe"), 1)
    while not agent.state.is_terminal:
        thought = agent.think(Budget(simulations=100))
        agent.play(thought.move)
        agent.wait(Budget(seconds=1))
    agent.close()
