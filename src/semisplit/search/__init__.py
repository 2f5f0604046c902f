"""Monte-Carlo Tree Search on orthodox, semisplit and rolled-up trees.

What is in which file: docs/files.md.
"""

from typing import TYPE_CHECKING, Any

from semisplit.core.settings.parameters import BadSettings
from semisplit.search.budget import Budget
from semisplit.search.features.groups.settings import Groups
from semisplit.search.features.mast.settings import Decay, Mast, Policy
from semisplit.search.features.rave.settings import Rave
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.result import Result, Statistics
from semisplit.search.settings import Final, Settings, Simulation, Tree

if TYPE_CHECKING:
    from semisplit.search.search import Search

__all__ = [
    "BadSettings",
    "Budget",
    "Decay",
    "Final",
    "Groups",
    "Mast",
    "Policy",
    "Rave",
    "Result",
    "Search",
    "Settings",
    "Simulation",
    "Statistics",
    "Tree",
    "Variant",
]


def __getattr__(name: str) -> Any:
    # Numba takes a while to load, and settings do without it.
    if name != "Search":
        raise AttributeError(f"module 'semisplit.search' has no attribute '{name}'")
    from semisplit.search.search import Search

    return Search
