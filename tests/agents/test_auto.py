"""Agents that choose how to search."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semisplit
from semisplit import Budget, Game, Search
from semisplit.agents import make_agent, parse_agent
from semisplit.agents.agent import SearchAgent
from semisplit.agents.auto import choice as choosing
from semisplit.agents.auto import methods
from semisplit.agents.auto.choice import Choice, choose, resolve
from semisplit.agents.auto.features import measure_features
from semisplit.agents.auto.methods import ParallelOption, compare_ways
from semisplit.agents.auto.prior import Prior, Strengths, describe, load_prior
from semisplit.agents.auto.trials import TrialBudget, successive_halving
from semisplit.agents.config import MultiTreeConfig
from semisplit.agents.files import read_config, write_config
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import SemisplitError
from semisplit.search import Settings
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.settings import Method, Parallel
from tests.support.agents import auto, mcts
from tests.support.command_line import run


def flat(count: int) -> Strengths:
    return Strengths(np.zeros(count), np.full(count, 0.8))


@given(
    st.lists(st.integers(0, 20), min_size=9, max_size=9),
    st.lists(st.floats(-3, 3), min_size=3, max_size=3),
)
def test_strengths_are_the_most_likely_ones(results: list[int], means: list[float]) -> None:
    points = np.array(results, float).reshape(3, 3)
    np.fill_diagonal(points, 0)
    prior = Strengths(np.array(means), np.array([0.5, 1.0, 2.0]))
    found = prior.after(points)

    def unlikely(strengths: Any) -> float:
        surprise = (points * np.logaddexp(0, strengths - strengths[:, None])).sum()
        return float(surprise + (((strengths - prior.means) / prior.deviations) ** 2).sum() / 2)

    for axis in range(3):
        for step in (-0.01, 0.01):
            assert unlikely(found.means) < unlikely(found.means + step * np.eye(3)[axis])
    assert (found.deviations <= prior.deviations + 1e-9).all()


def test_strengths_without_games_stay_as_they_are() -> None:
    found = flat(2).after(np.zeros((2, 2)))
    assert found.means.tolist() == [0, 0]
    assert found.deviations == pytest.approx([0.8, 0.8])


def test_the_prior_is_made_for_what_can_be_measured() -> None:
    prior, game = load_prior(), semisplit.load("connect4")
    assert set(prior.centres) == set(describe(measure_features(game), Budget(seconds=1)))
    for name in prior.candidates:
        parse_settings(name)
    assert prior.weights.shape == (len(prior.candidates), len(prior.centres))


def test_a_prior_as_data() -> None:
    prior = load_prior()
    again = Prior.from_json(json.loads(json.dumps(prior.to_json())))
    assert again.to_json() == prior.to_json()


def test_what_is_unknown_or_far_away_is_not_made_much_of() -> None:
    prior = Prior(("a", "b"), {"x": 1.0}, {"x": 0.5}, np.zeros(2), np.array([[1.0], [0.0]]), 0.8)
    assert prior.predict({}).means.tolist() == [0, 0]
    assert prior.predict({"x": 1.5}).means.tolist() == [1, 0]
    assert prior.predict({"x": 99.0}).means.tolist() == [2, 0]


def searches(*names: str) -> list[Search]:
    game = semisplit.load("connect4")
    return [Search(game, parse_settings(name), seed=1, memory=1 << 24) for name in names]


def test_games_tell_who_is_better() -> None:
    """One of them hardly looks at what it has found out."""
    candidates = searches("orthodox,C=50", "orthodox", "orthodox,C=50", "orthodox,C=50")
    trial_budget = TrialBudget(4_000_000, 100, 5_000, None)
    known, points = successive_halving(candidates, flat(4), trial_budget, 25)
    assert known.means.argmax() == 1
    assert points[1].sum() > 2 * points[:, 1].sum()
    # All four have played, and two of them once more.
    games = points.sum(axis=0) + points.sum(axis=1)
    assert games.min() >= 3
    assert sorted(games)[2] > sorted(games)[1]


def test_without_enough_to_spend_nobody_plays() -> None:
    known, points = successive_halving(
        searches("orthodox", "mini"), flat(2), TrialBudget(99, 9, 9, None), 9
    )
    assert points.sum() == 0
    assert known.means.tolist() == [0, 0]


def without_times(choice: Choice) -> Any:
    features = replace(choice.features, whole_ns=0.0, split_ns=0.0)
    return replace(choice, features=features, seconds=0.0)


@pytest.mark.parametrize("name", ["connect4", "tic_tac_toe.kif"])
def test_without_time_the_same_is_chosen_always(name: str) -> None:
    game, budget = semisplit.load(name), Budget(states=20_000)
    first, again = (choose(game, budget, 0.4) for _ in range(2))
    assert without_times(first) == without_times(again)
    assert first.candidates[0].games > 0
    assert [one.elo for one in first.candidates] == sorted(
        (one.elo for one in first.candidates), reverse=True
    )


def test_games_in_which_all_choose_at_once_are_not_tried() -> None:
    choice = choose(semisplit.load("rps_well"), Budget(states=1000))
    assert not any(one.games for one in choice.candidates)
    assert not any("@" in one.notation or "groups" in one.notation for one in choice.candidates)


def test_a_choice_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SEMISPLIT_CACHE", str(tmp_path))
    game, config = semisplit.load("tic_tac_toe"), auto(parse_agent("auto,preparation=0.1"))
    first = choosing.choose_for(config, game, Budget(seconds=0.1))

    def fail(*_: object, **__: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(choosing, "choose", fail)
    assert choosing.choose_for(config, game, Budget(seconds=0.11)) is first
    monkeypatch.setattr(choosing, "_chosen", {})
    assert choosing.choose_for(config, game, Budget(seconds=0.11)) == first
    with pytest.raises(AssertionError):
        choosing.choose_for(config, game, Budget(seconds=10))


def test_agents() -> None:
    config = replace(auto(parse_agent("auto,preparation=0.2,threads=2")), ponders=True, buffer=0.3)
    agent = make_agent(config, semisplit.load("tic_tac_toe"), 1)
    assert isinstance(agent, SearchAgent)
    assert mcts(agent.config).settings.parallel.threads == 2
    assert (agent.config.ponders, agent.config.buffer) == (True, 0.3)
    thought = agent.think(Budget(simulations=100))
    agent.play(thought.move)
    agent.close()


def test_threads_do_what_is_worth_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many simulations as there are, times what each is worth."""

    def measure(searches: list[Search], seconds: float) -> list[float]:
        fast = {Method.TREE: 100.0, Method.ROOT: 1000.0, Method.LEAF: 110.0}
        return [fast[search.settings.parallel.method] for search in searches]

    monkeypatch.setattr(methods, "_measure", measure)
    monkeypatch.setattr(choosing, "_chosen", {})
    game = semisplit.load("tic_tac_toe")
    ways = compare_ways(game, parse_settings("orthodox"), 2, 0.1)
    assert [one.total for one in ways] == sorted((one.total for one in ways), reverse=True)
    assert [one.notation for one in ways][:2] == ["parallel=root", "parallel=tree"]
    config = auto(parse_agent("auto,preparation=0.1,threads=2"))
    for _ in range(2):  # The second time it is read from the disk.
        parallel = mcts(resolve(config, game, Budget(seconds=3))).settings.parallel
        assert parallel == Parallel(Method.ROOT, 2)
        choosing._chosen.clear()


def test_ways_are_measured_within_the_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    given = dict[str, float]()

    class Recorded(TrialBudget):
        def __init__(self, total: float, least: float, most: float, begin: float | None):
            given["games"] = total
            super().__init__(total, least, most, begin)

    def compare(
        game: Game, settings: Settings, threads: int, seconds: float
    ) -> tuple[ParallelOption, ...]:
        given["ways"] = seconds
        return ()

    monkeypatch.setattr(choosing, "TrialBudget", Recorded)
    monkeypatch.setattr(choosing, "compare_ways", compare)
    game, two = semisplit.load("tic_tac_toe"), Parallel(threads=2)
    choose(game, Budget(seconds=0.1), 0.2, two, any_method=True)
    assert sum(given.values()) == pytest.approx(0.2)
    assert given["ways"] > 0


def test_speeds_of_ways_are_measured() -> None:
    game = semisplit.load("tic_tac_toe")
    ways = compare_ways(game, parse_settings("orthodox"), 2, 0.04)
    assert len(ways) == 4
    assert all(one.speed is not None and one.speed > 1000 for one in ways)


@pytest.mark.parametrize(("name", "search"), [("hex", "orthodox+mast"), ("buttons", "orthodox")])
def test_playouts_of_a_leaf_where_nothing_is_learnt_from_them(name: str, search: str) -> None:
    ways = compare_ways(semisplit.load(name), parse_settings(search), 2, None)
    assert {one.notation for one in ways} == {"parallel=tree", "parallel=root"}


def test_without_time_threads_do_always_the_same() -> None:
    """Games that are played on the way are played in one thread, as others are never the same."""
    game, two = semisplit.load("connect4"), Parallel(threads=2)
    first, again = (
        choose(game, Budget(states=20_000), 0.4, two, any_method=True) for _ in range(2)
    )
    assert without_times(first) == without_times(again)
    assert first.candidates[0].games > 0
    assert first.ways[0].notation == "parallel=tree"
    assert {one.speed for one in first.ways} == {None}
    single = choose(game, Budget(states=20_000), 0.4)
    assert single.candidates == first.candidates
    assert single.ways == ()


@pytest.mark.parametrize(
    ("notation", "chooses"),
    [
        ("auto,threads=2", True),
        ("auto", False),
        ("auto,threads=2,parallel=tree", False),
        ("auto,threads=2,batch=8", False),
    ],
)
def test_methods_that_are_named_are_not_chosen(notation: str, chooses: bool) -> None:
    config = auto(parse_agent(notation))
    assert config.chooses_method == chooses
    assert read_config(json.dumps(write_config(config)), config.name) == config


def test_batches_leave_out_those_who_learn_from_each_playout() -> None:
    config = auto(parse_agent("auto,preparation=0.2,batch=8"))
    agent = make_agent(config, semisplit.load("tic_tac_toe"), 1)
    assert isinstance(agent, SearchAgent)
    assert mcts(agent.config).settings.mast is None
    assert mcts(agent.config).settings.parallel.batch == 8


def test_puzzles_are_searched_by_sub_games() -> None:
    config = resolve(auto(parse_agent("auto")), semisplit.load("buttons"), Budget(seconds=1))
    assert isinstance(config, MultiTreeConfig)


def test_games_that_are_not_compiled_are_played_as_usual(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise RuntimeError

    monkeypatch.setattr(Target, "object_code", fail)
    game = Game.parse(f"{semisplit.load('tic_tac_toe').text} // {tmp_path}")
    config = resolve(auto(parse_agent("auto")), game, Budget(seconds=1))
    assert mcts(config).settings == Settings()


def test_notation_and_files() -> None:
    config = auto(parse_agent("auto,preparation=0.5,threads=4,parallel=root"))
    assert config.preparation == 0.5
    assert config.parallel.threads == 4
    again = read_config(json.dumps(write_config(config)), config.name)
    assert again == config
    assert auto(parse_agent("auto")).preparation == 2


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("auto,C=0.3", "this agent chooses how to search"),
        ("auto,preparation=1,preparation=2", "preparation is given twice"),
        ("auto,preparation=soon", "preparation is a number"),
        ("auto,preparation=-1", "preparation must be a number from 0.001 to 600"),
        ("auto,cluster=root-tree", "has no tree that machines could share out"),
    ],
)
def test_what_cannot_be_chosen(notation: str, message: str) -> None:
    with pytest.raises(SemisplitError, match=message):
        auto(parse_agent(notation))


def test_the_command() -> None:
    about = run("agents", "--for", "tic_tac_toe", "--budget", "2000sims")
    found = json.loads(run("agents", "--for", "tic_tac_toe", "--budget", "2000sims", "--json"))
    assert about.startswith(f"{found['chosen']} for tic_tac_toe with 2000sims per move")
    assert {one["notation"] for one in found["candidates"]} == set(load_prior().candidates)
    assert run("agents", "--for", "buttons").startswith(
        "mt-mcts,plans=true, as buttons is a puzzle"
    )
    threads = (
        "agents",
        "--for",
        "tic_tac_toe",
        "--agent",
        "auto,threads=2",
        "--budget",
        "2000sims",
    )
    assert f"{found['chosen']},threads=2,parallel=tree for tic_tac_toe" in run(*threads)
    ways = json.loads(run(*threads, "--json"))["ways"]
    assert "parallel=root" in {one["notation"] for one in ways}
    assert "does not choose" in run("agents", "--for", "hex", "--agent", "orthodox", status=1)


def test_a_game_that_is_over_at_once() -> None:
    text = """
    #players = w(100), b(100)
    #pieces = e
    #variables =
    #board = rectangle(up,down,left,right,[e])
    #rules = ->w {? up} [$ w=100] ->>
    """
    choice = choose(Game.parse(text), Budget(seconds=0.1), 0.2)
    assert asdict(choice.candidates[0])["games"] == 0
