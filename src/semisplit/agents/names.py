"""The names of agents: those that have one, the papers' notation, and files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from semisplit.agents.config import (
    AgentConfig,
    AutoConfig,
    FlatConfig,
    MctsConfig,
    MultiTreeConfig,
    RandomConfig,
    auto_config,
)
from semisplit.agents.files import read_config
from semisplit.core.errors import InputError, UnknownName
from semisplit.core.settings.parameters import BadSettings, read_options
from semisplit.search.cluster.settings import take_cluster, write_cluster
from semisplit.search.multitree.notation import is_multitree, parse_multitree, write_multitree
from semisplit.search.notation import GROUPS, MINI, parse_settings, write_settings
from semisplit.search.parallel.settings import Parallel
from semisplit.search.settings import Tree

_MAX_SIZE = 1 << 20
_SIMPLE_KINDS = {kind.kind: kind for kind in (RandomConfig, FlatConfig)}
SIMPLE = {
    RandomConfig.kind: "a legal move at random, each as likely as the others",
    FlatConfig.kind: "simulations shared out evenly over all moves, no tree",
}
"""Agents that do not search, and what they do."""
AUTO = AutoConfig.kind
NAMED = {
    AUTO: "chooses the search that suits the game; also auto,preparation=0.5,threads=2",
    "orthodox": "the usual Monte-Carlo Tree Search, on whole moves",
    "orthodox+mast+rave": "the same with the usual heuristics",
    "orthodox/semisplit@Mod": "whole moves in the tree, split moves in simulations",
    "semisplit-raw/orthodox@Mod": "split moves in the tree, whole moves in simulations",
    "semisplit-nodal/orthodox@Mod": "the same, adding all nodes of a move at once",
    "semisplit-raw@Mod": "split moves everywhere, one new node at a time",
    "semisplit-nodal@Mod": "split moves everywhere, adding all nodes of a move at once",
    "semisplit-nodal@ModPlus": "the same with finer semimoves",
    "semisplit-nodal@ModShift": "the same, squares chosen by row and column",
    "semisplit-nodal@ModPlusShift": "the same with the finest semimoves",
    "groups[proximity,border]": "whole moves in groups: near the last move, on the border, others",
    "rollup-nodal@Mod": "split moves that are put together where the tree is fully expanded",
    "rollup-nodal@ModPlus": "the same with finer semimoves",
    "rollup-nodal/orthodox@Mod": "the same with whole moves in simulations",
    "orthodox/semisplit+mast-split+rave-join@Mod": "heuristics for split simulations",
    "orthodox/semisplit+mast-context+rave-join@Mod": "the same, steps in their context",
    "orthodox/semisplit+mast-mix+rave-join@Mod": "the same, both mixed",
    "semisplit-nodal+mast-split@Mod": "split moves with statistics of single steps",
    "semisplit-nodal+mast-context@Mod": "split moves with statistics of steps in their context",
    "semisplit-nodal+mast-mix@Mod": "both mixed",
    "semisplit-nodal+mast-split+rave-split@Mod": "split moves with both heuristics",
    "semisplit-nodal+mast-context+rave-context@Mod": "the same, in context",
    "semisplit-nodal+mast-mix+rave-mix@Mod": "the same, mixed",
    "rollup-nodal+mast-split@Mod": "roll-up with statistics of single steps",
    "rollup-nodal+mast-mix@Mod": "roll-up with mixed statistics",
    "rollup-nodal+mast-split+rave-context@Mod": "roll-up with both heuristics",
    "rollup-nodal+mast-mix+rave-context@Mod": "the same, MAST mixed",
    "orthodox+mobility": "simulations follow a policy: random, age, history, mobility, ...",
    MINI: "MINI-Player: each player follows the policy that has done best for it",
    "mt-mcts": "a tree for each sub-game of a game in GDL; also mt-mcts,alpha=0.5,C=0.4",
    "uct-transpositions": "one tree, with transpositions and without what is fully explored",
}
"""Agents of the papers, in their notation, and what they do; other combinations work as well."""


def parse_agent(text: str) -> AgentConfig:
    """The agent with a name, in the papers' notation, or in a file (`.json`).

    Whatever it is, `,cluster=root-tree` or `,cluster=limited` behind it puts it on a cluster.
    """
    alone, cluster = take_cluster(text)
    config = _parse_alone(alone)
    if cluster is None:
        return config
    if not isinstance(config, MctsConfig):
        raise BadSettings(f"the agent {text} has no tree that machines could share out")
    return replace(config, name=text, cluster=cluster)


def _parse_alone(text: str) -> AgentConfig:
    if text in _SIMPLE_KINDS:
        return _SIMPLE_KINDS[text](text)
    if text.endswith(".json"):
        path = Path(text)
        try:
            with path.open(encoding="utf-8") as file:
                content = file.read(_MAX_SIZE + 1)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error
        if len(content) > _MAX_SIZE:
            raise InputError(f"{path} is too large for a configuration")
        return read_config(content, path.stem)
    if text.partition(",")[0].strip().lower() == AUTO:
        return _parse_auto(text)
    if is_multitree(text):
        return MultiTreeConfig(text, multitree=parse_multitree(text))
    if re.fullmatch(r"[a-z]+(-mc)?", text, re.IGNORECASE) and not _is_tree(text):
        raise UnknownName("agent", text, [*SIMPLE, *NAMED])
    return MctsConfig(text, settings=parse_settings(text))


def _parse_auto(text: str) -> AgentConfig:
    """An agent that chooses how to search; it can be told how long to do so, and its threads."""
    options = [option.strip() for option in text.split(",")[1:]]
    try:
        given = read_options([AutoConfig, Parallel], options)
    except UnknownName as error:
        raise BadSettings(
            f"'{text}': this agent chooses how to search; it can be told preparation=SECONDS,"
            " threads=N and what else threads do"
        ) from error
    parallel = given[Parallel]
    config = auto_config(text, Parallel(**parallel), is_named="method" in parallel)
    return replace(config, **given[AutoConfig])


def write_agent(config: AgentConfig) -> str:
    """An agent in the notation that `parse_agent` reads, less what only files can hold."""
    match config:
        case AutoConfig(parallel=parallel):
            own = config.differences(AutoConfig("")) + parallel.differences(Parallel())
            is_named = parallel.threads > 1 and parallel == Parallel(threads=parallel.threads)
            usual = ["parallel=tree"] if is_named and not config.chooses_method else []
            return ",".join([AUTO, *own, *usual])
        case MultiTreeConfig(multitree=multitree):
            return write_multitree(multitree)
        case MctsConfig(settings=settings, cluster=cluster):
            return write_settings(settings) + (write_cluster(cluster) if cluster else "")
    return config.kind


def _is_tree(text: str) -> bool:
    return text.lower() in (GROUPS, MINI) or text.upper() in Tree.__members__
