"""Searches whose simulations follow policies."""

import pytest

import semisplit
from semisplit.agents.files import read_config, write_config
from semisplit.agents.names import parse_agent
from semisplit.core.errors import UnknownName
from semisplit.core.settings.parameters import BadSettings
from semisplit.search import Budget, Result, Search, Settings
from semisplit.search.features.policies.settings import Policies, SimulationPolicy
from semisplit.search.notation import parse_settings


def run(game: str, notation: str, simulations: int = 200) -> Result:
    return Search(semisplit.load(game), parse_settings(notation), seed=3).run(
        Budget(simulations=simulations)
    )


def test_notation() -> None:
    mobility = parse_settings("orthodox+mobility,chance=0.1,sample=4")
    assert mobility.policies == Policies((SimulationPolicy.MOBILITY,), 0.1, 4)
    both = parse_settings("semisplit+history+ssc+rave@Mod,ucb=0.9")
    assert both.policies
    assert both.policies.among == (SimulationPolicy.HISTORY, SimulationPolicy.SSC)
    assert both.policies.exploration == 0.9
    assert both.rave
    assert parse_settings("mini") == parse_settings("orthodox+adaptive")
    assert parse_settings("mini,threads=2,C=0.7").policies == Policies()
    assert parse_settings("orthodox") == Settings()


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("orthodox+mast+history", "either MAST or other policies"),
        ("orthodox,chance=0.1", "belongs to policies"),
        ("orthodox+ssc,sample=0", "from 1 to 256"),
        ("orthodox+ssc+ssc", "different"),
    ],
)
def test_what_makes_no_sense_is_refused(notation: str, reason: str) -> None:
    with pytest.raises(BadSettings, match=reason):
        parse_settings(notation)


def test_unknown_policies_are_told() -> None:
    with pytest.raises(UnknownName, match="mobility"):
        parse_settings("orthodox+mobilty")


@pytest.mark.parametrize("name", ["mini", "semisplit+history+ssc@Mod,chance=0.1", "orthodox"])
def test_configurations_are_read_as_they_are_written(name: str) -> None:
    import json

    config = parse_agent(name)
    text = json.dumps(write_config(config))
    assert ("policies" in text) == (name != "orthodox")
    assert read_config(text, name) == config


@pytest.mark.parametrize(
    ("game", "notation"),
    [
        ("breakthrough", "mini"),
        ("breakthrough", "semisplit-nodal+adaptive@Mod"),
        ("breakthrough", "rollup-nodal+adaptive+rave-context@ModPlus"),
        ("breakthrough", "orthodox+adaptive+rave"),
        ("breakthrough", "groups[capture]+adaptive"),
        ("breakthrough", "mini,batch=4"),
        ("breakthrough", "mini,threads=2"),
        ("breakthrough", "mini,threads=2,parallel=root"),
        ("breakthrough", "mini,threads=2,parallel=leaf,playouts=8"),
        ("tic_tac_toe.kif", "mini,batch=4"),
        ("farming_quandries", "orthodox+adaptive+rave"),
    ],
)
def test_every_search_follows_policies(game: str, notation: str) -> None:
    result = run(game, notation)
    assert result.simulations == 200
    # Iterations that end where the game is over have no simulation.
    for player in (1, 2):
        counts = [one.simulations for one in result.policies if one.player == player]
        assert len(counts) >= 6
        assert 150 < sum(counts) <= 200
        assert min(counts) > 0


def test_searches_are_repeatable() -> None:
    first, second = (run("breakthrough", "mini") for _ in range(2))
    assert [(str(one.move), one.visits) for one in first.moves] == [
        (str(one.move), one.visits) for one in second.moves
    ]
    assert first.policies == second.policies


def test_results_tell_what_has_come_of_policies() -> None:
    result = run("breakthrough", "orthodox+random+history", 1000)
    random, history = (one for one in result.policies if one.player == 1)
    assert (random.policy, history.policy) == ("random", "history")
    assert history.simulations > random.simulations
    assert history.score > random.score
    assert result.to_json()["policies"][0] == vars(random)
    assert "policies" not in run("breakthrough", "orthodox").to_json()


def test_a_policy_that_sees_nothing_is_left_out() -> None:
    result = run("breakthrough.kif", "orthodox+score")
    assert {one.policy for one in result.policies} == {"random"}
    assert "'score'" in result.note
    assert "score" not in {one.policy for one in run("breakthrough.kif", "mini").policies}


def test_the_best_line_of_a_puzzle_is_kept() -> None:
    search = Search(semisplit.load("hanoi"), parse_settings("mini"), seed=1)
    state = search.state
    result = search.run(Budget(simulations=3000))
    assert result.line
    for move in result.line:
        state = state.apply(str(move))
    assert state.is_terminal
    assert state.scores[0] == pytest.approx(100 * result.score)
