"""semisplit: a general game player that splits moves.

>>> import semisplit
>>> state = semisplit.load("breakthrough").initial_state()
>>> state.player_name, len(state.moves())
('white', 22)
>>> state.apply("b2-b3").player_name
'black'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from semisplit.core.errors import SemisplitError
from semisplit.game import Game, Move, State
from semisplit.loading import load, read_description

if TYPE_CHECKING:
    from semisplit.agents.agent import Agent
    from semisplit.lab.matches.library import play_match
    from semisplit.search.budget import Budget
    from semisplit.search.search import Search
    from semisplit.search.settings import Settings

__all__ = [
    "Agent",
    "Budget",
    "Game",
    "Move",
    "Search",
    "SemisplitError",
    "Settings",
    "State",
    "load",
    "play_match",
    "read_description",
]
__version__ = "0.1.0"

_WHEN_NEEDED = {
    "Agent": "semisplit.agents.agent",
    "Budget": "semisplit.search.budget",
    "Search": "semisplit.search.search",
    "Settings": "semisplit.search.settings",
    "play_match": "semisplit.lab.matches.library",
}
"""Where the rest is. A search takes a while to load, and not everybody searches."""


def __getattr__(name: str) -> Any:
    if name not in _WHEN_NEEDED:
        raise AttributeError(f"module 'semisplit' has no attribute '{name}'")
    return getattr(import_module(_WHEN_NEEDED[name]), name)
