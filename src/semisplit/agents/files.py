"""Configurations of agents as JSON.

The schema is that of the thesis that introduced these agents, so that files written for its program
can be used. What that program lacks has keys of its own, which may be left out.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from itertools import starmap
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, ValidationError, create_model

from semisplit.agents.config import (
    AgentConfig,
    AutoConfig,
    CommonConfig,
    MctsConfig,
    MultiTreeConfig,
    auto_config,
)
from semisplit.core.errors import SemisplitError, UnknownName
from semisplit.core.settings.parameters import BadSettings, name_of
from semisplit.core.settings.schema import Section, choice, read_section, section, write_section
from semisplit.core.settings.validation import explain
from semisplit.core.strategy import SplitStrategy
from semisplit.search.cluster.settings import ClusterSettings
from semisplit.search.features.groups.settings import Groups
from semisplit.search.features.policies.settings import Policies, SimulationPolicy
from semisplit.search.features.settings import Heuristic
from semisplit.search.multitree.notation import MT_MCTS, UCT, multitree_name
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.notation import (
    GROUPS,
    HEURISTICS,
    parse_layers,
    usual_exploration,
    usual_simulation,
    write_layers,
)
from semisplit.search.parallel.settings import Parallel
from semisplit.search.settings import Final, Settings, Simulation, Tree


class BadConfiguration(SemisplitError):
    """A configuration that cannot be used; the message names the key and the reason."""


# The schema


def _named(*names: str) -> Any:
    """One of some names, however they are capitalised."""
    return Annotated[Literal[names], BeforeValidator(_lower)]


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _usual(model: Any) -> Any:
    """A section that may be missing."""
    return (model, model())


_General = section(CommonConfig, Settings, name="general")
_ParallelSection = section(Parallel)
_Parameters = create_model(
    "_Parameters",
    __base__=(section(Settings, name="parameters"), section(Groups)),
    greedy_choice=(bool, True),
    robust_choice=(bool, False),
    groups=(str, ""),
)
_PoliciesSection = section(
    Policies,
    among=(list[choice(SimulationPolicy)], list(SimulationPolicy)),  # type: ignore[misc]
)
_Algorithm = create_model(
    "_Algorithm",
    __base__=Section,
    name=(_named("mcts"), ...),
    tree_strategy=(choice(Tree, GROUPS), ...),
    simulation_strategy=(choice(Simulation) | None, None),
    split_strategy=(str, ""),
    parameters=_usual(_Parameters),
    parallel=_usual(_ParallelSection),
    policies=(_PoliciesSection | None, None),
)
_SeveralTrees = create_model(
    "_SeveralTrees",
    __base__=Section,
    name=(_named(MT_MCTS, UCT), ...),
    parameters=_usual(section(MultiTreeSettings)),
)
_Auto = create_model(
    "_Auto",
    __base__=Section,
    name=(_named("auto"), ...),
    parameters=_usual(section(AutoConfig, name="parameters")),
    parallel=_usual(_ParallelSection),
)


def _heuristic(field: str, kind: type[Heuristic]) -> Any:
    keys: dict[str, Any] = {
        "name": (_named(*kind.file_names), ...),
        "parameters": _usual(section(kind)),
    }
    made: Any = create_model(f"_{kind.__name__}", __base__=Section, **keys)
    return Annotated[made, Tag(field)]


def _field_of_heuristic(data: Any) -> str | None:
    name = str(data.get("name") if isinstance(data, dict) else "").lower()
    return next((field for field, kind in HEURISTICS.items() if name in kind.file_names), None)


_either: Any = reduce(or_, starmap(_heuristic, HEURISTICS.items()))
_heuristics: Any = list[Annotated[_either, Discriminator(_field_of_heuristic)]]


def _file(algorithm: Any, most_heuristics: int | None = None, **others: Any) -> Any:
    """The model of a whole file."""
    keys: dict[str, Any] = {
        "general": _usual(_General),
        "algorithm": (algorithm, ...),
        "heuristics": (_heuristics, Field(default=[], max_length=most_heuristics)),
        **others,
    }
    return create_model("_File", __base__=Section, **keys)


_FILE = _file(_Algorithm, cluster=(section(ClusterSettings) | None, None))
_FILES = {"auto": _file(_Auto, 0)} | dict.fromkeys((MT_MCTS, UCT), _file(_SeveralTrees, 0))
_HEURISTICS = {field: section(kind) for field, kind in HEURISTICS.items()}
_KEYS = {
    key
    for part in (
        *(_FILE, _General, _Algorithm, _Parameters, _ParallelSection, _PoliciesSection),
        *(section(ClusterSettings), section(MultiTreeSettings), *_HEURISTICS.values()),
        *(section(AutoConfig, name="parameters"),),
    )
    for key in part.model_fields
}


# Reading


def read_config(text: str, name: str) -> AgentConfig:
    """Read a configuration from JSON.

    Args:
        text: The JSON.
        name: What to call the agent, and the file in messages.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadConfiguration(f"{name} is not JSON: {error}") from error
    try:
        file = _FILES.get(_algorithm(data), _FILE).model_validate(data)
        general = read_section(CommonConfig, file.general, "general")
        return replace(_read_agent(name, file), **general)
    except ValidationError as error:
        messages = (f"{name}: {_explain(dict(one), data)}" for one in error.errors())
        raise BadConfiguration("\n".join(messages)) from None
    except (BadSettings, UnknownName) as error:
        raise BadConfiguration(f"{name}: {error}") from error


def _explain(error: dict[str, Any], data: Any) -> str:
    path = error["loc"]
    if error["type"] == "union_tag_invalid" or error["type"] == "union_tag_not_found":
        given = data["heuristics"][path[1]]
        named = given.get("name", "") if isinstance(given, dict) else ""
        known = [name for kind in HEURISTICS.values() for name in kind.file_names]
        return f"{path[0]}.{path[1]}.name: {UnknownName('heuristic', str(named), known)}"
    if path[:1] == ("heuristics",) and len(path) > 2:
        own = {"name", "parameters", *_HEURISTICS[path[2]].model_fields}
        return explain({**error, "loc": (*path[:2], *path[3:])}, own)
    return explain(error, _KEYS)


def _algorithm(data: Any) -> str:
    """The name of the algorithm, if there is one."""
    algorithm = data.get("algorithm") if isinstance(data, dict) else None
    name = algorithm.get("name") if isinstance(algorithm, dict) else None
    return name.lower() if isinstance(name, str) else ""


def _read_agent(name: str, file: Any) -> AgentConfig:
    algorithm = file.algorithm
    if algorithm.name == "auto":
        seconds = read_section(AutoConfig, algorithm.parameters, "parameters")
        parallel = Parallel(**read_section(Parallel, algorithm.parallel))
        is_named = "method" in algorithm.parallel.model_fields_set
        return replace(auto_config(name, parallel, is_named=is_named), **seconds)
    if algorithm.name in (MT_MCTS, UCT):
        given = read_section(MultiTreeSettings, algorithm.parameters)
        multitree = MultiTreeSettings(decomposed=algorithm.name == MT_MCTS, **given)
        return MultiTreeConfig(name, multitree=multitree)
    cluster = file.cluster and ClusterSettings(**read_section(ClusterSettings, file.cluster))
    return MctsConfig(name, settings=_read_settings(file), cluster=cluster)


def _read_settings(file: Any) -> Settings:
    algorithm, parameters = file.algorithm, file.algorithm.parameters
    has_groups = algorithm.tree_strategy == GROUPS
    if has_groups and not parameters.groups:
        raise BadConfiguration("algorithm.parameters.groups: a tree of groups needs groupings")
    tree = Tree.ORTHODOX if has_groups else algorithm.tree_strategy
    simulation = algorithm.simulation_strategy
    if simulation is None:
        simulation = usual_simulation(tree)
    splits = tree != Tree.ORTHODOX or simulation != Simulation.ORTHODOX
    used = _read_heuristics(file.heuristics, tree, simulation)
    final = Final.GREEDY if parameters.greedy_choice else Final.ROLLUP
    given = {
        "exploration": usual_exploration(has_rave="rave" in used),
        **read_section(Settings, file.general, "general"),
        **read_section(Settings, parameters, "parameters"),
    }
    return Settings(
        tree,
        simulation,
        SplitStrategy.parse(algorithm.split_strategy or "Mod") if splits else None,
        final=Final.ROBUST if parameters.robust_choice else final,
        groups=_read_groups(parameters),
        parallel=Parallel(**read_section(Parallel, algorithm.parallel)),
        policies=algorithm.policies and _read_policies(algorithm.policies),
        **used,
        **given,
    )


def _read_groups(parameters: Any) -> Groups | None:
    if not parameters.groups:
        return None
    return Groups(parse_layers(parameters.groups), **read_section(Groups, parameters))


def _read_policies(given: Any) -> Policies:
    return Policies(tuple(given.among), **read_section(Policies, given))


def _read_heuristics(given: list[Any], tree: Tree, simulation: Simulation) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, one in enumerate(given):
        field = _field_of_heuristic({"name": one.name})
        assert field
        if field in found:
            raise BadConfiguration(
                f"heuristics.{number}.name: there is a heuristic of this kind already"
            )
        kind = HEURISTICS[field]
        found[field] = kind.from_file(
            one.name,
            read_section(kind, one.parameters),
            splits_tree=tree != Tree.ORTHODOX,
            same_domain=tree.value == simulation.value,
        )
    return found


# Writing: matches are known by what is written here.


def write_config(config: AgentConfig) -> dict[str, Any]:
    """An agent that searches as data in the schema of configuration files."""
    settings = config.settings if isinstance(config, MctsConfig) else Settings()
    general = write_section(config, "general") | write_section(settings, "general")
    written: dict[str, Any] = {"general": general, "heuristics": []}
    match config:
        case AutoConfig():
            written["algorithm"] = _write_auto(config)
        case MultiTreeConfig(multitree=multitree):
            parameters = write_section(multitree)
            written["algorithm"] = {"name": multitree_name(multitree), "parameters": parameters}
        case MctsConfig(cluster=cluster):
            written["algorithm"] = _write_search(settings)
            written["heuristics"] = _write_heuristics(settings)
            if cluster:
                method = {"method": name_of(cluster.method)}
                written["cluster"] = write_section(cluster) | method
    return written


def _write_auto(config: AutoConfig) -> dict[str, Any]:
    parallel = config.parallel
    written = _write_parallel(parallel)
    if config.chooses_method:
        written = {"parallel": {"threads": parallel.threads}}
    return {"name": "auto", "parameters": write_section(config, "parameters"), **written}


def _write_search(settings: Settings) -> dict[str, Any]:
    groups, policies = settings.groups, settings.policies
    parameters = {
        **write_section(settings, "parameters"),
        "greedy_choice": settings.final != Final.ROLLUP,
        "robust_choice": settings.final == Final.ROBUST,
    }
    if groups:
        parameters |= {"groups": write_layers(groups), **write_section(groups)}
    algorithm = {
        "name": "MCTS",
        "tree_strategy": settings.tree.name.lower(),
        "simulation_strategy": settings.simulation.name.lower(),
        "split_strategy": str(settings.split or ""),
        "parameters": parameters,
        **_write_parallel(settings.parallel),
    }
    if groups and settings.tree == Tree.ORTHODOX:
        algorithm["tree_strategy"] = GROUPS
    if policies:
        among = [policy.name.lower() for policy in policies.among]
        algorithm["policies"] = {"among": among, **write_section(policies)}
    return algorithm


def _write_parallel(parallel: Parallel) -> dict[str, Any]:
    """What is done at the same time; nothing if that is nothing."""
    return {} if parallel == Parallel() else {"parallel": write_section(parallel)}


def _write_heuristics(settings: Settings) -> list[dict[str, Any]]:
    return [
        {"name": heuristic.file_name, "parameters": write_section(heuristic)}
        for heuristic in settings.heuristics
    ]
