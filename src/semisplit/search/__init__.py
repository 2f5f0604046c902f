"""Monte-Carlo Tree Search on orthodox, semisplit and rolled-up trees."""

from semisplit.search.budget import Budget
from semisplit.search.result import Result, Statistics
from semisplit.search.search import Search
from semisplit.search.settings import (
    BadSettings,
    Decay,
    Final,
    Mast,
    Policy,
    Rave,
    Settings,
    Simulation,
    Tree,
    Variant,
)

__all__ = [
    "BadSettings",
    "Budget",
    "Decay",
    "Final",
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
