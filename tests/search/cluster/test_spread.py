"""Games of the lab on the machines of a cluster."""

import time
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from semisplit import load
from semisplit.agents import make_agent, parse_agent
from semisplit.agents.agent import SearchAgent
from semisplit.core.errors import InputError
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.matches.spread import play_on_cluster
from semisplit.lab.matches.workers import Task
from semisplit.lab.store.database import Store
from semisplit.search import Budget
from semisplit.search.cluster.search import ClusterSearch
from semisplit.search.features.groups import TARGET, users
from semisplit.ui.cli.main import app

LONGEST = 120.0
PLAN = """
games = ["tic_tac_toe"]
agents = ["flat-mc", "random"]
budgets = ["10sims"]
length = 6
"""


@pytest.fixture
def own_grouping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "registered", {})
    users.register("every_second", lambda state, previous, move: move[TARGET] % 2, ["even", "odd"])


@pytest.mark.usefixtures("cluster", "own_grouping")
@pytest.mark.parametrize("agent", ["flat-mc", "groups[every_second]"])
def test_games_are_the_same_wherever_they_are_played(agent: str, tmp_path: Path) -> None:
    agents = parse_agent(agent), parse_agent("random")
    match = Match(load("tic_tac_toe"), agents, 6, "10sims", seed=3)
    played = []
    for on_cluster in (False, True):
        with closing(Store(tmp_path / str(on_cluster))) as store:
            *_, (_, games) = play_matches([match], store, None, on_cluster=on_cluster)
            assert not any(game.failure for game in games)
            played.append([(game.number, game.agents, game.scores) for game in games])
    assert len(played[0]) == 6
    assert played[0] == played[1]


@pytest.mark.usefixtures("cluster", "own_grouping")
def test_agents_that_cannot_be_made_there_lose_no_games() -> None:
    agents = parse_agent("random"), parse_agent("groups[elsewhere]")
    task = Task(0, 0, load("tic_tac_toe"), Budget(simulations=1), agents, (1, 2))
    with pytest.raises(InputError, match="cannot play tic_tac_toe: there is no grouping"):
        list(play_on_cluster(iter([task])))


@pytest.mark.usefixtures("cluster", "own_grouping")
def test_a_users_grouping_is_searched_by_workers_who_vote() -> None:
    config = parse_agent("groups[every_second],cluster=root-tree,workers=2,merge=majority")
    agent = make_agent(config, load("tic_tac_toe"), 1)
    assert isinstance(agent, SearchAgent)
    assert isinstance(agent.search, ClusterSearch)
    end = time.monotonic() + LONGEST
    while sum(agent.search.votes.values()) < 3:
        thought = agent.think(Budget(seconds=1.0), best=1)
        assert time.monotonic() < end
    assert thought.result
    assert thought.result.variation[0] == thought.move


def test_who_is_on_a_cluster_is_not_spread_over_it(tmp_path: Path) -> None:
    agents = parse_agent("orthodox,cluster=root-tree"), parse_agent("random")
    match = Match(load("tic_tac_toe"), agents, 2, "10ms")
    with (
        closing(Store(tmp_path / "store")) as store,
        pytest.raises(InputError, match="on a cluster themselves"),
    ):
        next(play_matches([match], store, None, on_cluster=True))


@pytest.mark.usefixtures("cluster")
def test_a_tournament_on_the_cluster(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    shown = CliRunner().invoke(app, ["tournament", str(plan), "--cluster"], catch_exceptions=False)
    assert "6/6" in shown.stdout
