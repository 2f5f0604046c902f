"""Games of the lab on the machines of a cluster."""

from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from semisplit import load
from semisplit.agent import parse_agent
from semisplit.cli.main import app
from semisplit.core.errors import InputError
from semisplit.lab.match import Match, play_matches
from semisplit.lab.store import Store

PLAN = """
games = ["tic_tac_toe"]
agents = ["flat-mc", "random"]
budgets = ["10sims"]
length = 6
"""


@pytest.mark.usefixtures("cluster")
def test_games_are_the_same_wherever_they_are_played(tmp_path: Path) -> None:
    agents = parse_agent("flat-mc"), parse_agent("random")
    match = Match(load("tic_tac_toe"), agents, 6, "10sims", seed=3)
    played = []
    for on_cluster in (False, True):
        with closing(Store(tmp_path / str(on_cluster))) as store:
            *_, (_, games) = play_matches([match], store, None, on_cluster=on_cluster)
            played.append([(game.number, game.agents, game.scores) for game in games])
    assert len(played[0]) == 6
    assert played[0] == played[1]


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
