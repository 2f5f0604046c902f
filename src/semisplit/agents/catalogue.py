"""All parameters of agents, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from semisplit.agents.config import AutoConfig
from semisplit.core.settings.parameters import Component, Parameter, parameters
from semisplit.search.cluster.settings import ClusterSettings
from semisplit.search.features.groups.settings import Groups
from semisplit.search.features.mast.settings import Mast
from semisplit.search.features.policies.settings import Policies
from semisplit.search.features.rave.settings import Rave
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.parallel.settings import Parallel
from semisplit.search.settings import Settings

COMPONENTS: dict[type[Component], tuple[str, str]] = {
    Settings: ("Search", "algorithm"),
    Mast: ("MAST", "heuristics[].parameters"),
    Rave: ("RAVE and GRAVE", "heuristics[].parameters"),
    Groups: ("Groups", "algorithm.parameters"),
    Policies: ("Policies of simulations", "algorithm.policies"),
    Parallel: ("Threads and batches", "algorithm.parallel"),
    MultiTreeSettings: ("Several trees", "algorithm.parameters"),
    ClusterSettings: ("Clusters", "cluster"),
    AutoConfig: ("Agents", "algorithm"),
}
"""What has parameters, what it is called, and in which section of a file they are."""


class Row(NamedTuple):
    """A parameter in words."""

    notation: str
    key: str
    values: str
    usual: str
    meaning: str


def rows(kind: type[Component]) -> Iterator[Row]:
    """The parameters of a component."""
    for one in parameters(kind).values():
        yield Row(one.letter, _key(kind, one), one.values, one.write(one.default), one.meaning)


def _key(kind: type[Component], one: Parameter) -> str:
    """The place of a parameter in files, from the top."""
    if not one.key:
        return ""
    _, section = COMPONENTS[kind]
    return one.key if one.key.startswith("general.") else f"{section}.{one.key}"
