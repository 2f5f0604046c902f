"""The names of agents: those that have one, the papers' notation, and files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from semisplit.agent.config import (
    AgentConfig,
    AgentKind,
    auto_config,
    multitree_config,
    read_config,
)
from semisplit.cluster.settings import take_cluster
from semisplit.core.errors import InputError, UnknownName
from semisplit.search.multitree.notation import is_multitree, parse_multitree
from semisplit.search.notation import GROUPS, MINI, parse_settings
from semisplit.search.settings import BadSettings, Settings, Tree

_MAX_SIZE = 1 << 20
_PREPARATION = "preparation="
SIMPLE: dict[AgentKind, str] = {
    "random": "a legal move at random, each as likely as the others",
    "flat-mc": "simulations shared out evenly over all moves, no tree",
}
"""Agents that do not search, and what they do."""
AUTO = "auto"
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
    return config if cluster is None else replace(config, name=text, cluster=cluster)


def _parse_alone(text: str) -> AgentConfig:
    if text in SIMPLE:
        return AgentConfig(text, kind=text)
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
        return multitree_config(text, parse_multitree(text))
    if re.fullmatch(r"[a-z]+(-mc)?", text, re.IGNORECASE) and not _is_tree(text):
        raise UnknownName("agent", text, [*SIMPLE, *NAMED])
    return AgentConfig(text, settings=parse_settings(text))


def _parse_auto(text: str) -> AgentConfig:
    """An agent that chooses how to search; it can be told how long to do so, and its threads."""
    options = [option.strip() for option in text.split(",")[1:]]
    own = [option for option in options if option.lower().startswith(_PREPARATION)]
    settings = parse_settings(",".join(["orthodox", *(one for one in options if one not in own)]))
    if settings != Settings(parallel=settings.parallel) or len(own) > 1:
        raise BadSettings(
            f"'{text}': this agent chooses how to search; it can be told {_PREPARATION}SECONDS,"
            " threads=N and what else threads do"
        )
    is_named = re.search(r"\bparallel=", text, re.IGNORECASE) is not None
    return auto_config(text, settings.parallel, _seconds(own), is_named=is_named)


def _seconds(options: list[str]) -> float:
    """How long to prepare, if an option says so."""
    if not options:
        return AgentConfig.preparation
    given = options[0][len(_PREPARATION) :]
    try:
        return float(given)
    except ValueError:
        raise BadSettings(f"'{given}' is not a number of seconds") from None


def _is_tree(text: str) -> bool:
    return text.lower() in (GROUPS, MINI) or text.upper() in Tree.__members__
