"""How agents are put on a cluster, and what is refused."""

import json
import sys

import pytest

from semisplit.agents import make_agent, parse_agent
from semisplit.agents.files import BadConfiguration, read_config, write_config
from semisplit.core.errors import InputError, SemisplitError
from semisplit.loading import load
from semisplit.search.cluster.settings import ClusterMethod, ClusterSettings, take_cluster
from semisplit.search.features.narrowing.intervals import Part
from semisplit.search.parallel.settings import Merge
from tests.support.agents import mcts


def test_notation() -> None:
    assert take_cluster("orthodox,threads=2") == ("orthodox,threads=2", None)
    text = "orthodox+mast,cluster=limited,workers=8,threads=2,layers=1,intervals=4,overlap=2"
    expected = ClusterSettings(ClusterMethod.LIMITED, workers=8, layers=1, intervals=4, overlap=2)
    assert take_cluster(text) == ("orthodox+mast,threads=2", expected)
    config = parse_agent("semisplit@Mod,cluster=root-tree,margin=30")
    assert config.name == "semisplit@Mod,cluster=root-tree,margin=30"
    assert mcts(config).settings == mcts(parse_agent("semisplit@Mod")).settings
    assert mcts(config).cluster == ClusterSettings(margin=30)
    voting = parse_agent("orthodox,cluster=root-tree,merge=majority")
    assert mcts(voting).cluster == ClusterSettings(merge=Merge.MAJORITY)


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("orthodox,cluster=tree", "there is no value of cluster 'tree'"),
        ("orthodox,cluster=limited,workers=0", "workers must be a number from 1"),
        (
            "orthodox,cluster=limited,workers=many",
            "workers is a whole number of up to nine digits, not 'many'",
        ),
        ("orthodox,cluster=limited,workers=4,intervals=5", "there are 5 intervals for 4 workers"),
        ("orthodox,cluster=limited,layers=9", "layers must be a number from 0 to 8"),
        ("orthodox,cluster=root-tree,overlap=2", "belong to cluster=limited"),
        ("orthodox,cluster=limited,cluster=limited", "given twice"),
        ("orthodox,cluster=root-tree,merge=sum10", "merged by sum or majority, not sum10"),
        ("orthodox,cluster=root-tree,merge=some", "there is no value of merge 'some'"),
        ("orthodox,workers=4", "there is no parameter 'workers'"),
        ("random,cluster=root-tree", "no tree that machines could share out"),
        ("mt-mcts,cluster=root-tree", "no tree that machines could share out"),
        ("orthodox,threads=2,parallel=root,cluster=root-tree", "each machine has one tree"),
        ("rollup-nodal@Mod,cluster=limited", "groups and roll-up"),
        ("groups[border],cluster=limited", "groups and roll-up"),
    ],
)
def test_what_makes_no_sense_is_refused(agent: str, reason: str) -> None:
    with pytest.raises(SemisplitError) as error:
        parse_agent(agent)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    "cluster",
    [
        "cluster=limited,workers=8,intervals=4,overlap=2,layers=2",
        "cluster=root-tree",
        "cluster=root-tree,merge=majority",
    ],
)
def test_configuration_files(cluster: str) -> None:
    config = parse_agent(f"orthodox,{cluster}")
    data = write_config(config)
    assert read_config(json.dumps(data), config.name) == config
    assert "cluster" not in write_config(parse_agent("orthodox"))
    data["cluster"]["method"] = "forest"
    with pytest.raises(BadConfiguration, match="method: there is no 'forest'"):
        read_config(json.dumps(data), "x")
    data["cluster"] = {"method": "limited", "wokers": 3}
    with pytest.raises(BadConfiguration, match="wokers"):
        read_config(json.dumps(data), "x")


def test_intervals_of_workers() -> None:
    pairs = ClusterSettings(ClusterMethod.LIMITED, workers=8, intervals=4, overlap=2)
    assert [pairs.part(worker) for worker in (0, 4, 7)] == [
        Part(1, 4, 2),
        Part(1, 4, 2),
        Part(4, 4, 2),
    ]
    assert ClusterSettings(workers=8).part(3) is None


@pytest.mark.parametrize(
    ("workers", "layers", "groups"),
    [
        (4, 0, [[4]]),
        (16, 1, [[4, 4, 4, 4], [4]]),
        (5, 1, [[3, 2], [2]]),
        (8, 2, [[2, 2, 2, 2], [2, 2], [2]]),
        (1, 2, [[1], [1], [1]]),
    ],
)
def test_hubs(workers: int, layers: int, groups: list[list[int]]) -> None:
    assert ClusterSettings(workers=workers, layers=layers).groups == groups


def test_margins_are_a_small_part_of_the_clock() -> None:
    cluster = ClusterSettings(layers=1)
    assert cluster.margin_within(10.0) == 0.1
    assert cluster.margin_within(0.2) == pytest.approx(0.01)


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setattr("semisplit.search.cluster.machines.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'semisplit\[cluster\]'"):
        make_agent(parse_agent("orthodox,cluster=root-tree"), load("tic_tac_toe"), 1)


def test_without_a_cluster_the_message_says_how_to_start_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("SEMISPLIT_CLUSTER", str(tmp_path))
    with pytest.raises(InputError, match="semisplit cluster start"):
        make_agent(parse_agent("orthodox,cluster=root-tree"), load("tic_tac_toe"), 1)
