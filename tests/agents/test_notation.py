"""What may be set is written and read again as it was, in the notation and in files."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semisplit.agents import AgentConfig
from semisplit.agents.config import AutoConfig, MctsConfig
from semisplit.agents.files import read_config, write_config
from semisplit.agents.names import NAMED, parse_agent, write_agent
from semisplit.core.settings.parameters import BadSettings, Parameter, letters, parameters
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.search import Groups, Mast, Rave, Settings, Simulation, Tree, Variant
from semisplit.search.cluster.settings import ClusterSettings
from semisplit.search.features.policies.settings import Policies, SimulationPolicy
from semisplit.search.features.solver.settings import Solver
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.parallel.settings import Parallel
from tests.support.command_line import run
from tests.support.parameter_page import PAGE, page

COMPONENTS = (
    *(Settings, Mast, Rave, Groups, Policies, Parallel),
    *(MultiTreeSettings, ClusterSettings, AutoConfig),
)


def values(one: Parameter) -> st.SearchStrategy[Any]:
    """What a parameter may be."""
    if one.kind is bool:
        return st.booleans()
    if one.kind not in (int, float):
        choices: Any = one.kind
        return st.sampled_from(list(choices))
    high = 10**6 if one.high == math.inf else one.high
    if one.kind is int:
        found: st.SearchStrategy[Any] = st.integers(int(one.low), int(high))
    elif one.scale == 1:
        found = st.floats(one.low, high, allow_subnormal=False)
    else:
        # As precise as files are: in thousandths or hundredths.
        low, top = math.ceil(one.low * one.scale), int(high * one.scale)
        found = st.integers(low, top).map(lambda number: number / one.scale)
    return found | st.none() if one.absent else found


def components(kind: Any, **others: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Components with some parameters that are not as usual."""
    known = {name: values(one) for name, one in parameters(kind).items()}
    chosen = st.fixed_dictionaries(others, optional=known)
    return chosen.map(lambda given: legal(kind, given))


def legal(kind: Any, given: dict[str, Any]) -> Any:
    try:
        return kind(**given)
    except BadSettings:
        assume(False)


LAYERS = st.sampled_from([(("proximity", "border"), ("piece",)), (("start",),)])
AMONG = st.lists(st.sampled_from(SimulationPolicy), min_size=1, unique=True).map(tuple)
VARIANTS = st.sampled_from(Variant)
SETTINGS = components(
    Settings,
    tree=st.sampled_from(Tree),
    simulation=st.sampled_from(Simulation),
    split=st.sampled_from(STRATEGIES).map(SplitStrategy.parse),
    mast=st.none() | components(Mast, variant=VARIANTS),
    rave=st.none() | components(Rave, variant=VARIANTS),
    solver=st.none() | st.just(Solver()),
    groups=st.none() | components(Groups, layers=LAYERS),
    policies=st.none() | components(Policies, among=AMONG),
    parallel=st.just(Parallel()) | components(Parallel),
).map(lambda one: one if one.splits else replace(one, split=None))
AGENTS = st.one_of(
    SETTINGS.map(lambda settings: MctsConfig("", settings=settings)),
    st.tuples(SETTINGS, components(ClusterSettings)).map(
        lambda both: legal(MctsConfig, {"name": "", "settings": both[0], "cluster": both[1]})
    ),
    st.builds(
        lambda options: parse_agent(",".join(["mt-mcts", *options])),
        components(MultiTreeSettings).map(lambda one: one.differences(MultiTreeSettings())),
    ),
    components(Settings, parallel=components(Parallel)).map(
        lambda one: parse_agent(",".join(["auto", *one.parallel.differences(Parallel())]))
    ),
)


@given(AGENTS)
def test_what_is_written_is_read_as_it_was(config: AgentConfig) -> None:
    again = parse_agent(write_agent(config))
    assert replace(again, name=config.name) == config
    assert read_config(json.dumps(write_config(config)), config.name) == config


@pytest.mark.parametrize("name", NAMED)
def test_named_agents_are_written_as_they_are_called(name: str) -> None:
    config = parse_agent(name)
    assert replace(parse_agent(write_agent(config)), name=name) == config


@pytest.mark.parametrize("kind", COMPONENTS)
def test_letters_and_keys_are_unique(kind: Any) -> None:
    known = parameters(kind).values()
    for names in ([one.letter.lower() for one in known], [one.key for one in known]):
        given = [name for name in names if name]
        assert len(set(given)) == len(given)
    assert letters(kind).keys() == {one.letter.lower() for one in known if one.letter}


@pytest.mark.parametrize("kind", COMPONENTS)
def test_what_is_too_small_or_too_large_is_refused(kind: Any) -> None:
    needed: dict[Any, dict[str, Any]] = {
        Mast: {"variant": Variant.SPLIT},
        Rave: {"variant": Variant.SPLIT},
        Groups: {"layers": (("start",),)},
        AutoConfig: {"name": ""},
    }
    usual = needed.get(kind, {})
    for name, one in parameters(kind).items():
        if one.kind in (int, float):
            for value in (one.low - 1, one.high + 1, math.nan):
                with pytest.raises(BadSettings, match="must be a number"):
                    kind(**usual, **{name: value})


def test_the_page_of_parameters_is_current() -> None:
    assert PAGE.read_text() == page()


def test_parameters_are_listed() -> None:
    printed, listed = (
        run("agents", "--parameters"),
        json.loads(run("agents", "--parameters", "--json")),
    )
    for row in listed:
        assert row["notation"] in printed
        assert row["meaning"]
