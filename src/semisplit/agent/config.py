"""The configuration of an agent, and its form as JSON.

The schema is that of the thesis that introduced these agents, so that files written for its program
can be used. What that program lacks has keys of its own, which may be left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from semisplit.cluster.settings import (
    ClusterPart,
    ClusterSettings,
    check_search,
    write_cluster,
)
from semisplit.core.errors import SemisplitError, UnknownName
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.strategy import SplitStrategy
from semisplit.core.validation import explain
from semisplit.search.multitree.notation import MT_MCTS, UCT, multitree_name
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.notation import (
    GROUPS,
    parse_layers,
    usual_exploration,
    usual_simulation,
    write_layers,
)
from semisplit.search.parallel import Merge, Method, Parallel
from semisplit.search.policies.settings import MAX_SAMPLE, Policies, SimulationPolicy
from semisplit.search.settings import (
    BadSettings,
    Decay,
    Final,
    Groups,
    Mast,
    Policy,
    Rave,
    Settings,
    Simulation,
    Tree,
    Variant,
)

E = TypeVar("E", bound=IntEnum)
AgentKind = Literal["mcts", "auto", "random", "flat-mc"]
MAX_PREPARATION = 600.0


class BadConfiguration(SemisplitError):
    """A configuration that cannot be used; the message names the key and the reason."""


@dataclass(frozen=True)
class AgentConfig:
    """All there is to say about an agent."""

    name: str
    """How it is called in tables."""
    kind: AgentKind = "mcts"
    settings: Settings = field(default_factory=Settings)
    """How it searches, if it does."""
    buffer: float | None = None
    """Seconds of a manager's deadline that it always keeps back; None if it learns how many."""
    ponders: bool = False
    """Whether it searches during the opponents' turns."""
    preparation: float = 2.0
    """Seconds in which it chooses how to search, if it does so."""
    chooses_method: bool = False
    """Whether it chooses as well what its threads do."""
    multitree: MultiTreeSettings | None = None
    """How it searches in several trees, if it does; its settings are for games of one piece."""
    cluster: ClusterSettings | None = None
    """Who searches with it, if it is on a cluster."""

    def __post_init__(self) -> None:
        if not 0 < self.preparation <= MAX_PREPARATION:
            raise BadSettings(f"a preparation takes up to {MAX_PREPARATION:g} seconds")
        if self.cluster is None:
            return
        if self.kind != "mcts" or self.multitree is not None:
            raise BadSettings(f"the agent {self.name} has no tree that machines could share out")
        check_search(self.cluster, self.settings)


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


_Name = Annotated[str, BeforeValidator(_lower)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _General(_Part):
    buffer_time: int | None = Field(default=None, ge=0)
    simulate_during_opp_turn: bool = False
    reasoning_overhead: int = Field(default=1, ge=1, le=1000)
    budget_share: float = Field(default=1.0, gt=0, le=1)


class _Parameters(_Part):
    exploration_constant: float | None = Field(default=None, ge=0)
    max_semidepth: int = Field(default=MAX_MOVE_LENGTH, ge=1)
    is_nodal: bool = True
    greedy_choice: bool = True
    robust_choice: bool = False
    final_rollup_factor: float = Field(default=1.0, ge=0)
    min_simulations_factor: float = Field(default=1.0, ge=0)
    min_score_diff: float = Field(default=0.0, ge=0, le=100)
    groups: str = ""
    group_threshold: int | None = Field(default=None, ge=0)
    group_least: int = Field(default=1, ge=0)
    expansion_threshold: Literal["children"] | Annotated[int, Field(ge=0)] = 0


class _Parallel(_Part):
    method: _Name = "tree"
    threads: int = Field(default=1, ge=1)
    virtual_loss: int = Field(default=1, ge=1)
    lock: bool = False
    merge: _Name = "sum"
    playouts: int = Field(default=1, ge=1)
    batch: int = Field(default=1, ge=1)
    gpu: bool = False


class _Policies(_Part):
    among: list[_Name] = [policy.name.lower() for policy in SimulationPolicy]
    chance: float = Field(default=Policies.chance, ge=0, le=1)
    sample: int = Field(default=Policies.sample, ge=1, le=MAX_SAMPLE)
    exploration_constant: float = Field(default=Policies.exploration, ge=0)


class _Algorithm(_Part):
    name: Annotated[Literal["mcts"], BeforeValidator(_lower)]
    tree_strategy: _Name
    simulation_strategy: _Name | None = None
    split_strategy: str = ""
    parameters: _Parameters = _Parameters()
    parallel: _Parallel = _Parallel()
    policies: _Policies | None = None


class _MultiTreeParameters(_Part):
    exploration_constant: float = Field(default=0.4, ge=0)
    alpha: float = Field(default=0.5, ge=0, le=1)
    overlapping: bool = False


class _MultiTreeAlgorithm(_Part):
    name: Annotated[Literal["mt-mcts", "uct-transpositions"], BeforeValidator(_lower)]
    parameters: _MultiTreeParameters = _MultiTreeParameters()


class _AutoParameters(_Part):
    preparation_time: int = Field(default=2000, ge=1, le=round(1000 * MAX_PREPARATION))


class _AutoAlgorithm(_Part):
    name: Annotated[Literal["auto"], BeforeValidator(_lower)]
    parameters: _AutoParameters = _AutoParameters()
    parallel: _Parallel = _Parallel()


class _HeuristicParameters(_Part):
    epsilon: float | None = Field(default=None, ge=0, le=1)
    decay_factor: float | None = Field(default=None, ge=0, le=1)
    tree_only: bool | None = None
    mastmix_threshold: float | None = Field(default=None, ge=0)
    policy: _Name | None = None
    temperature: float | None = Field(default=None, gt=0)
    decay: _Name | None = None
    batch: int | None = Field(default=None, ge=1)
    in_expansion: bool | None = None
    equivalence_parameter: float | None = Field(default=None, ge=0)
    ref: int | None = Field(default=None, ge=0)
    ravemix_threshold: int | None = Field(default=None, ge=0)


class _Heuristic(_Part):
    name: _Name
    parameters: _HeuristicParameters = _HeuristicParameters()


class _Configuration(_Part):
    general: _General = _General()
    algorithm: _Algorithm
    heuristics: list[_Heuristic] = []
    cluster: ClusterPart | None = None


class _AutoConfiguration(_Part):
    general: _General = _General()
    algorithm: _AutoAlgorithm
    heuristics: list[_Heuristic] = Field(default=[], max_length=0)


class _MultiTreeConfiguration(_Part):
    general: _General = _General()
    algorithm: _MultiTreeAlgorithm
    heuristics: list[_Heuristic] = Field(default=[], max_length=0)


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
        read: _Configuration | _MultiTreeConfiguration | _AutoConfiguration
        if (algorithm := _algorithm(data)) == "auto":
            read = _AutoConfiguration.model_validate(data)
            seconds = read.algorithm.parameters.preparation_time / 1000
            given = read.algorithm.parallel
            is_named = "method" in given.model_fields_set
            config = auto_config(name, _parallel(given), seconds, is_named=is_named)
        elif algorithm in (MT_MCTS, UCT):
            read = _MultiTreeConfiguration.model_validate(data)
            config = multitree_config(name, _multitree(read.algorithm))
        else:
            read = _Configuration.model_validate(data)
            cluster = read.cluster.settings() if read.cluster else None
            config = AgentConfig(name, settings=_settings(read), cluster=cluster)
        milliseconds = read.general.buffer_time
        return replace(
            config,
            buffer=None if milliseconds is None else milliseconds / 1000,
            ponders=read.general.simulate_during_opp_turn,
        )
    except ValidationError as error:
        messages = (
            f"{name}: {explain(dict(one), _keys_at(one['loc'], data))}" for one in error.errors()
        )
        raise BadConfiguration("\n".join(messages)) from None
    except (BadSettings, UnknownName) as error:
        raise BadConfiguration(f"{name}: {error}") from error


_PARTS = (
    _Configuration,
    _General,
    _Algorithm,
    _Parameters,
    _Heuristic,
    _HeuristicParameters,
    _MultiTreeParameters,
    _AutoParameters,
    _Parallel,
    _Policies,
    ClusterPart,
)
_KEYS = {key for part in _PARTS for key in part.model_fields}


def _keys_at(path: tuple[int | str, ...], data: Any) -> Iterable[str]:
    """The keys that could have been meant by an unknown one: a heuristic knows its own."""
    match path:
        case ("heuristics", int(number), "parameters", _):
            name = str(data["heuristics"][number].get("name")).lower()
            return _RAVE_KEYS if name in _RAVE else _MAST_KEYS if name in _MAST else _KEYS
    return _KEYS


def _algorithm(data: Any) -> str:
    """The name of the algorithm, if there is one."""
    algorithm = data.get("algorithm") if isinstance(data, dict) else None
    name = algorithm.get("name") if isinstance(algorithm, dict) else None
    return name.lower() if isinstance(name, str) else ""


def _multitree(algorithm: _MultiTreeAlgorithm) -> MultiTreeSettings:
    given = algorithm.parameters
    return MultiTreeSettings(
        alpha=given.alpha,
        exploration=given.exploration_constant,
        decomposed=algorithm.name != UCT,
        overlapping=given.overlapping,
    )


def auto_config(
    name: str, parallel: Parallel, preparation: float, *, is_named: bool
) -> AgentConfig:
    """An agent that chooses how to search.

    If no more is said than how many threads there are, it chooses what these do, too.

    Args:
        name: Its name.
        parallel: What is done at the same time.
        preparation: The seconds in which it chooses.
        is_named: Whether it was said what threads do, though that may be what they do usually.
    """
    chooses = (
        parallel.threads > 1 and not is_named and parallel == Parallel(threads=parallel.threads)
    )
    settings = Settings(parallel=parallel)
    return AgentConfig(
        name, kind="auto", settings=settings, preparation=preparation, chooses_method=chooses
    )


def multitree_config(name: str, multitree: MultiTreeSettings) -> AgentConfig:
    """An agent that searches in several trees."""
    settings = Settings(exploration=multitree.exploration)
    return AgentConfig(name, settings=settings, multitree=multitree)


def _member(kind: type[E], path: str, name: str) -> E:
    members = {member.name.lower(): member for member in kind}
    key = name.replace("-", "_").lower()
    if key not in members:
        known = ", ".join(members)
        raise BadConfiguration(f"{path}: there is no '{name}', only {known}")
    return members[key]


def _settings(read: _Configuration) -> Settings:
    algorithm, parameters = read.algorithm, read.algorithm.parameters
    tree = _tree(algorithm)
    given = algorithm.simulation_strategy or usual_simulation(tree).name
    simulation = _member(Simulation, "algorithm.simulation_strategy", given)
    splits = tree != Tree.ORTHODOX or simulation != Simulation.ORTHODOX
    mast, rave = _heuristics(read.heuristics, tree, simulation)
    final = Final.GREEDY if parameters.greedy_choice else Final.ROLLUP
    expansion, exploration = parameters.expansion_threshold, parameters.exploration_constant
    return Settings(
        tree,
        simulation,
        SplitStrategy.parse(algorithm.split_strategy or "Mod") if splits else None,
        parameters.is_nodal,
        usual_exploration(rave) if exploration is None else exploration,
        mast,
        rave,
        parameters.min_simulations_factor,
        parameters.min_score_diff / 100,
        Final.ROBUST if parameters.robust_choice else final,
        parameters.final_rollup_factor,
        parameters.max_semidepth,
        read.general.reasoning_overhead,
        _groups(parameters),
        read.general.budget_share,
        _parallel(algorithm.parallel),
        _policies(algorithm.policies),
        None if expansion == "children" else expansion,
    )


def _tree(algorithm: _Algorithm) -> Tree:
    if algorithm.tree_strategy != GROUPS:
        return _member(Tree, "algorithm.tree_strategy", algorithm.tree_strategy)
    if not algorithm.parameters.groups:
        raise BadConfiguration("algorithm.parameters.groups: a tree of groups needs groupings")
    return Tree.ORTHODOX


def _groups(parameters: _Parameters) -> Groups | None:
    if not parameters.groups:
        return None
    layers = parse_layers(parameters.groups)
    return Groups(layers, parameters.group_threshold, parameters.group_least)


def _parallel(given: _Parallel) -> Parallel:
    path = "algorithm.parallel"
    return Parallel(
        method=_member(Method, f"{path}.method", given.method),
        threads=given.threads,
        loss=given.virtual_loss,
        locked=given.lock,
        merge=_member(Merge, f"{path}.merge", given.merge),
        playouts=given.playouts,
        batch=given.batch,
        gpu=given.gpu,
    )


def _policies(given: _Policies | None) -> Policies | None:
    if given is None:
        return None
    path = "algorithm.policies.among"
    among = tuple(_member(SimulationPolicy, path, name) for name in given.among)
    return Policies(among, given.chance, given.sample, given.exploration_constant)


_MAST = {"mast": Variant.STANDARD} | {
    f"mast{variant.name.lower()}": variant for variant in Variant if variant != Variant.STANDARD
}
_RAVE = {"rave": Variant.STANDARD, "tgrave": Variant.STANDARD} | {
    f"rave{variant.name.lower()}": variant for variant in Variant if variant != Variant.STANDARD
}


_MAST_KEYS = {
    "epsilon": "epsilon",
    "decay_factor": "decay_factor",
    "tree_only": "tree_only",
    "mastmix_threshold": "threshold",
    "policy": "policy",
    "temperature": "temperature",
    "decay": "decay",
    "batch": "batch",
    "in_expansion": "in_expansion",
}
_RAVE_KEYS = {
    "equivalence_parameter": "equivalence",
    "ref": "reference",
    "ravemix_threshold": "threshold",
}


def _heuristics(
    heuristics: list[_Heuristic], tree: Tree, simulation: Simulation
) -> tuple[Mast | None, Rave | None]:
    mast: Mast | None = None
    rave: Rave | None = None
    for number, one in enumerate(heuristics):
        path = f"heuristics.{number}"
        if one.name in _MAST and mast is None:
            mast = _mast(one, tree, path)
        elif one.name in _RAVE and rave is None:
            rave = _rave(one, tree, simulation, path)
        elif one.name in _MAST or one.name in _RAVE:
            raise BadConfiguration(f"{path}.name: there is a heuristic of this kind already")
        else:
            unknown = UnknownName("heuristic", one.name, [*_MAST, *_RAVE])
            raise BadConfiguration(f"{path}.name: {unknown}")
    return mast, rave


def _given(one: _Heuristic, names: dict[str, str], path: str) -> dict[str, Any]:
    """The parameters that are given, by the names they have here."""
    given = one.parameters.model_dump(exclude_none=True)
    if strange := given.keys() - names.keys():
        raise BadConfiguration(f"{path}.parameters.{min(strange)} does not belong to {one.name}")
    return {names[key]: value for key, value in given.items()}


def _mast(one: _Heuristic, tree: Tree, path: str) -> Mast:
    given = _given(one, _MAST_KEYS, path)
    if "policy" in given:
        given["policy"] = _member(Policy, f"{path}.parameters.policy", given["policy"])
    if "decay" in given:
        given["decay"] = _member(Decay, f"{path}.parameters.decay", given["decay"])
    variant = _MAST[one.name]
    if variant == Variant.JOIN and tree != Tree.ORTHODOX:
        given.setdefault("in_expansion", False)
    return Mast(variant, **given)


def _rave(one: _Heuristic, tree: Tree, simulation: Simulation, path: str) -> Rave:
    variant = _RAVE[one.name]
    if one.name == "tgrave" and tree.value != simulation.value:
        # The thesis' program means by it what fits the tree.
        variant = Variant.JOIN if tree == Tree.ORTHODOX else Variant.SPLIT
    return Rave(variant, **_given(one, _RAVE_KEYS, path))


def write_config(config: AgentConfig) -> dict[str, Any]:
    """An agent that searches as data in the schema of configuration files."""
    settings, multitree = config.settings, config.multitree
    algorithm: dict[str, Any]
    parameters: dict[str, Any]
    general = {
        **({} if config.buffer is None else {"buffer_time": round(1000 * config.buffer)}),
        "simulate_during_opp_turn": config.ponders,
        "reasoning_overhead": settings.overhead,
        # What is as always is left out: matches are known by what is written here.
        **({"budget_share": settings.share} if settings.share != 1 else {}),
    }
    if config.kind == "auto":
        parameters = {"preparation_time": round(1000 * config.preparation)}
        parallel = _written_parallel(settings.parallel)
        if config.chooses_method:
            parallel = {"parallel": {"threads": settings.parallel.threads}}
        algorithm = {"name": "auto", "parameters": parameters, **parallel}
        return {"general": general, "algorithm": algorithm, "heuristics": []}
    if multitree:
        written = {
            "exploration_constant": multitree.exploration,
            "alpha": multitree.alpha,
            "overlapping": multitree.overlapping,
        }
        algorithm = {"name": multitree_name(multitree), "parameters": written}
        return {"general": general, "algorithm": algorithm, "heuristics": []}
    groups, has_groups = settings.groups, settings.groups and settings.tree == Tree.ORTHODOX
    parameters = {
        "exploration_constant": settings.exploration,
        "max_semidepth": settings.max_semidepth,
        "is_nodal": settings.nodal,
        "greedy_choice": settings.final != Final.ROLLUP,
        "robust_choice": settings.final == Final.ROBUST,
        "final_rollup_factor": settings.final_rollup_factor,
        "min_simulations_factor": settings.min_simulations_factor,
        "min_score_diff": 100 * settings.min_score_difference,
    }
    if groups:
        parameters |= {"groups": write_layers(groups), "group_least": groups.least}
        parameters |= {"group_threshold": groups.threshold}
    if (expansion := settings.expansion_threshold) != 0:
        parameters |= {"expansion_threshold": "children" if expansion is None else expansion}
    return {
        "general": general,
        "algorithm": {
            "name": "MCTS",
            "tree_strategy": GROUPS if has_groups else settings.tree.name.lower(),
            "simulation_strategy": settings.simulation.name.lower(),
            "split_strategy": str(settings.split or ""),
            "parameters": parameters,
            **_written_parallel(settings.parallel),
            **_written_policies(settings.policies),
        },
        "heuristics": _written_heuristics(settings),
        **({"cluster": write_cluster(config.cluster)} if config.cluster else {}),
    }


def _written_parallel(parallel: Parallel) -> dict[str, Any]:
    """What is done at the same time; nothing if that is nothing, as before there was such a key."""
    if parallel == Parallel():
        return {}
    return {
        "parallel": {
            "method": parallel.method.name.lower(),
            "threads": parallel.threads,
            "virtual_loss": parallel.loss,
            "lock": parallel.locked,
            "merge": parallel.merge.name.lower(),
            "playouts": parallel.playouts,
            "batch": parallel.batch,
            **({"gpu": True} if parallel.gpu else {}),
        }
    }


def _written_policies(policies: Policies | None) -> dict[str, Any]:
    if policies is None:
        return {}
    return {
        "policies": {
            "among": [policy.name.lower() for policy in policies.among],
            "chance": policies.chance,
            "sample": policies.sample,
            "exploration_constant": policies.exploration,
        }
    }


def _written_heuristics(settings: Settings) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = []
    if mast := settings.mast:
        variant = "" if mast.variant == Variant.STANDARD else mast.variant.name
        parameters: dict[str, Any] = {
            "epsilon": mast.epsilon,
            "decay_factor": mast.decay_factor,
            "tree_only": mast.tree_only,
            "mastmix_threshold": mast.threshold,
            "policy": mast.policy.name.lower(),
            "temperature": mast.temperature,
            "decay": mast.decay.name.lower(),
            "batch": mast.batch,
            "in_expansion": mast.in_expansion,
        }
        written.append({"name": f"MAST{variant}", "parameters": parameters})
    if rave := settings.rave:
        variant = "" if rave.variant == Variant.STANDARD else rave.variant.name
        parameters = {
            "equivalence_parameter": rave.equivalence,
            "ref": rave.reference,
            "ravemix_threshold": rave.threshold,
        }
        written.append({"name": f"RAVE{variant}", "parameters": parameters})
    return written
