"""The configuration of an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from semisplit.core.settings.parameters import MILLISECONDS, BadSettings, Component, parameter
from semisplit.search.cluster.settings import ClusterSettings, check_search
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.parallel.settings import Parallel
from semisplit.search.settings import Settings

AgentKind = Literal["mcts", "auto", "random", "flat-mc"]


@dataclass(frozen=True)
class AgentConfig(Component):
    """All there is to say about an agent."""

    name: str
    """How it is called in tables."""
    kind: AgentKind = "mcts"
    settings: Settings = field(default_factory=Settings)
    """How it searches, if it does."""
    buffer: float | None = parameter(
        None,
        "the seconds of a manager's deadline that are always kept back; usually learnt",
        key="general.buffer_time",
        scale=MILLISECONDS,
        brief=True,
    )
    ponders: bool = parameter(
        False,
        "whether the agent searches during its opponents' turns",
        key="general.simulate_during_opp_turn",
    )
    preparation: float = parameter(
        2.0,
        "the seconds in which the agent chooses how to search",
        "preparation",
        "parameters.preparation_time",
        low=0.001,
        high=600,
        scale=MILLISECONDS,
    )
    chooses_method: bool = False
    """Whether it chooses as well what its threads do."""
    multitree: MultiTreeSettings | None = None
    """How it searches in several trees, if it does; its settings are for games of one piece."""
    cluster: ClusterSettings | None = None
    """Who searches with it, if it is on a cluster."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cluster is None:
            return
        if self.kind != "mcts" or self.multitree is not None:
            raise BadSettings(f"the agent {self.name} has no tree that machines could share out")
        check_search(self.cluster, self.settings)


def auto_config(name: str, parallel: Parallel, *, is_named: bool) -> AgentConfig:
    """An agent that chooses how to search.

    If no more is said than how many threads there are, it chooses what these do, too.

    Args:
        name: Its name.
        parallel: What is done at the same time.
        is_named: Whether it was said what threads do, though that may be what they do usually.
    """
    chooses = (
        parallel.threads > 1 and not is_named and parallel == Parallel(threads=parallel.threads)
    )
    return AgentConfig(
        name, kind="auto", settings=Settings(parallel=parallel), chooses_method=chooses
    )


def multitree_config(name: str, multitree: MultiTreeSettings) -> AgentConfig:
    """An agent that searches in several trees."""
    settings = Settings(exploration=multitree.exploration)
    return AgentConfig(name, settings=settings, multitree=multitree)
