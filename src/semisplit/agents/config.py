"""The configurations of agents: one class for each kind, which `AgentConfig` lists."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, TypeAlias

from semisplit.core.settings.parameters import MILLISECONDS, Component, parameter
from semisplit.search.cluster.settings import ClusterSettings, check_search
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.parallel.settings import Parallel
from semisplit.search.settings import Settings


@dataclass(frozen=True)
class CommonConfig(Component):
    """What there is to say about any agent."""

    name: str
    """How it is called in tables."""
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
    kind: ClassVar[str] = ""
    searches: ClassVar[bool] = True
    """Whether it searches, so that kernels have to be loaded."""

    @property
    def share(self) -> float:
        """The part of its budget that it uses."""
        return 1.0

    @property
    def threads(self) -> int:
        """How many threads it has."""
        return 1

    @property
    def on_cluster(self) -> bool:
        """Whether other machines search with it."""
        return False

    def prepared_within(self, seconds: float) -> Self:
        """Return this agent, but that it chooses how to search within some seconds."""
        return self


@dataclass(frozen=True)
class RandomConfig(CommonConfig):
    """An agent that draws legal moves."""

    kind: ClassVar[str] = "random"
    searches: ClassVar[bool] = False


@dataclass(frozen=True)
class FlatConfig(CommonConfig):
    """An agent that shares simulations out evenly over all moves."""

    kind: ClassVar[str] = "flat-mc"
    searches: ClassVar[bool] = False


@dataclass(frozen=True)
class MctsConfig(CommonConfig):
    """An agent that searches in a tree."""

    kind: ClassVar[str] = "mcts"
    settings: Settings = field(default_factory=Settings)
    """How it searches."""
    cluster: ClusterSettings | None = None
    """Which machines search with it, if it is on a cluster."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cluster:
            check_search(self.cluster, self.settings)

    @property
    def share(self) -> float:
        """The part of its budget that it uses."""
        return self.settings.share

    @property
    def threads(self) -> int:
        """How many threads it has."""
        return self.settings.parallel.threads

    @property
    def on_cluster(self) -> bool:
        """Whether other machines search with it."""
        return self.cluster is not None


@dataclass(frozen=True)
class MultiTreeConfig(CommonConfig):
    """An agent that searches in a tree for each sub-game."""

    kind: ClassVar[str] = "multitree"
    multitree: MultiTreeSettings = field(default_factory=MultiTreeSettings)
    """How it searches."""

    @property
    def threads(self) -> int:
        """How many threads it has."""
        return self.multitree.threads


@dataclass(frozen=True)
class AutoConfig(CommonConfig):
    """An agent that chooses how to search."""

    kind: ClassVar[str] = "auto"
    preparation: float = parameter(
        2.0,
        "the seconds in which the agent chooses how to search",
        "preparation",
        "parameters.preparation_time",
        low=0.001,
        high=600,
        scale=MILLISECONDS,
    )
    parallel: Parallel = field(default_factory=Parallel)
    """What is done at the same time, as far as that has been chosen for it."""
    chooses_method: bool = False
    """Whether it chooses as well what its threads do."""

    @property
    def threads(self) -> int:
        """How many threads it has."""
        return self.parallel.threads

    def prepared_within(self, seconds: float) -> Self:
        """Return this agent, but that it chooses how to search within some seconds."""
        return replace(self, preparation=min(self.preparation, seconds))


AgentConfig: TypeAlias = RandomConfig | FlatConfig | MctsConfig | MultiTreeConfig | AutoConfig


def auto_config(name: str, parallel: Parallel, *, is_named: bool) -> AutoConfig:
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
    return AutoConfig(name, parallel=parallel, chooses_method=chooses)
