"""What all searches have in common: running, stopping, playing, looking at what is known."""

import dataclasses
import threading
import time
from collections.abc import Callable

import pytest

import semisplit
from semisplit import Game
from semisplit.agents import make_agent, parse_agent
from semisplit.agents.agent import make_search
from semisplit.agents.config import MctsConfig
from semisplit.core.errors import InputError, SemisplitError
from semisplit.language.rules import Subgames
from semisplit.search import Budget, Search
from semisplit.search.multitree.search import MultiTreeSearch
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.notation import parse_settings
from semisplit.search.reference.searcher import ReferenceSearcher
from semisplit.search.searcher import Searcher
from tests.search.multitree.test_reference import COPYING
from tests.support.subgames import subgames

LONG = Budget(seconds=600)
LONGEST = 60.0
"""Seconds after which a test fails that waits for a thread."""


def tree_search(notation: str) -> Callable[[], Searcher]:
    return lambda: make_search(parse_agent(notation), semisplit.load("breakthrough"), seed=1)


def several_trees(game: str) -> Callable[[], Searcher]:
    return lambda: make_search(parse_agent("mt-mcts"), semisplit.load(game), seed=1)


def reference(game: str, notation: str) -> Callable[[], Searcher]:
    return lambda: ReferenceSearcher(semisplit.load(game), parse_settings(notation), seed=1)


SEARCHERS: dict[str, Callable[[], Searcher]] = {
    "one thread": tree_search("semisplit-nodal+mast-split@Mod"),
    "two threads": tree_search("orthodox,threads=2"),
    "two trees": tree_search("orthodox,threads=2,parallel=root"),
    "leaves": tree_search("orthodox,threads=2,parallel=leaf,playouts=8"),
    "sub-games": several_trees("double_ttt_sync"),
    "one piece": several_trees("tic_tac_toe"),
    "reference": reference("tic_tac_toe", "semisplit-nodal+mast@Mod"),
    "groups": reference("breakthrough", "groups[proximity]"),
    "decoupled": reference("rps_well", "orthodox"),
}


@pytest.fixture(params=SEARCHERS)
def searcher(request: pytest.FixtureRequest) -> Searcher:
    return SEARCHERS[request.param]()


def run_in_thread(run: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_a_result_is_kept_and_its_move_played(searcher: Searcher) -> None:
    assert searcher.result is None
    result = searcher.run(Budget(simulations=30))
    assert searcher.result is result
    assert result.simulations == 30
    assert result.move in searcher.state.moves()
    assert sum(one.visits for one in result.moves) in range(1, 31)
    assert all(0 <= one.score <= 1 for one in (*result.moves, *result.choices))
    assert searcher.snapshot(3).simulations == 30
    assert searcher.tree.expectation(result.move)[0] == result.move
    before = searcher.state
    searcher.play(result.move)
    assert searcher.state == before.apply(result.move)
    searcher.set_state(before)
    assert searcher.state == before
    assert searcher.snapshot().move in before.moves()
    searcher.play(str(result.move))
    assert searcher.result is result


def test_a_tree_is_opened_by_names(searcher: Searcher) -> None:
    searcher.run(Budget(simulations=100))
    path: list[str] = []
    while branches := searcher.tree.branches(path):
        best = branches[0]
        assert best.visits == max(branch.visits for branch in branches)
        assert best.is_open == bool(searcher.tree.branches([*path, best.name]))
        path.append(best.name)
    assert path
    with pytest.raises(SemisplitError, match="no branch"):
        searcher.tree.branches(["nonsense"])


def test_a_pause_may_stop_a_run(searcher: Searcher) -> None:
    result = searcher.run(LONG, pause=searcher.stop)
    assert result.simulations > 0
    assert result.move in searcher.state.moves()
    searcher.play(result.move)
    assert searcher.run(Budget(simulations=20)).simulations == 20


def test_another_thread_may_stop_a_run(searcher: Searcher) -> None:
    runs = threading.Event()
    thread = run_in_thread(lambda: searcher.run(LONG, details=False, pause=runs.set))
    assert runs.wait(LONGEST)
    searcher.stop()
    searcher.stop()
    thread.join(LONGEST)
    assert not thread.is_alive()
    assert searcher.result
    assert searcher.result.simulations > 0


def test_a_stop_between_runs_is_forgotten(searcher: Searcher) -> None:
    searcher.stop()
    assert searcher.run(Budget(simulations=20)).simulations == 20
    searcher.stop()
    searcher.stop()
    assert searcher.run(Budget(simulations=20)).simulations == 20


@pytest.mark.parametrize("name", ["orthodox", "mt-mcts", "reference"])
def test_a_search_of_a_finished_game_is_refused(name: str) -> None:
    game = semisplit.load("tic_tac_toe")
    search: Searcher = ReferenceSearcher(game, parse_settings("orthodox"))
    if name != "reference":
        search = make_search(parse_agent(name), game, seed=1)
    for move in ("a1", "b1", "a2", "b2", "a3"):
        search.play(move)
    with pytest.raises(InputError, match="over"):
        search.run(LONG)


def test_a_stop_is_heard_while_another_search_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse(COPYING)
    found = Subgames(tuple(subgames(game, {"b": 0, "c": 1})), 0.0, together=True)
    monkeypatch.setattr(game.rules, "find_subgames", lambda *, overlapping: found)
    search = MultiTreeSearch(game, MultiTreeSettings(), seed=1)
    make = Search.__init__

    def stop_and_make(self: Search, *arguments: object, **options: object) -> None:
        search.stop()
        make(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "__init__", stop_and_make)
    result = search.run(Budget(seconds=600))
    assert "has turned out wrong" in result.note
    assert search.subgames == 0


# Agents


@pytest.mark.parametrize("name", ["flat-mc", "orthodox"])
def test_agents_take_what_they_have_when_they_are_stopped(name: str) -> None:
    agent = make_agent(parse_agent(name), semisplit.load("breakthrough"), 1)
    agent.stop()
    assert agent.think(Budget(simulations=40)).simulations == 40
    thought = agent.think(LONG, best=2, watch=lambda _: agent.stop())
    assert thought.simulations > 0
    assert thought.move in agent.state.moves()


def test_pondering_ends_even_before_it_has_begun() -> None:
    game = semisplit.load("tic_tac_toe")
    agent = make_agent(MctsConfig("x", ponders=True), game, 1)
    begin = time.monotonic()
    for _ in range(20):
        agent.wait(Budget(seconds=1))
        agent.close()
    assert time.monotonic() - begin < LONGEST
    assert agent.think(Budget(simulations=10)).simulations == 10


def test_counted_pondering_is_not_cut_short() -> None:
    game = semisplit.load("breakthrough")
    config = MctsConfig("x", ponders=True)
    thoughts = []
    for _ in range(2):
        agent = make_agent(config, game, 1)
        agent.wait(Budget(simulations=20_000))
        agent.play(agent.state.moves()[0])
        result = agent.think(Budget(simulations=1)).result
        assert result
        thoughts.append(dataclasses.replace(result, seconds=0, tree_share=0))
    assert thoughts[0] == thoughts[1]
