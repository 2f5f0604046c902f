"""Budgets as people type them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from semisplit.agents import AgentConfig, make_agent, parse_agent
from semisplit.agents.config import RandomConfig
from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.search import Budget

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0}
_MEASURED_SECONDS = 3.0
_OF_SIMULATIONS = ":sims"
_MOST_DIGITS = 30
N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Like:
    """As many states or simulations as another agent computes in a time."""

    agent: AgentConfig
    seconds: float
    of_simulations: bool = False

    def measure(self, game: Game) -> Budget:
        """Find out how many that are on this machine: on the first move of a game."""
        agent = make_agent(self.agent, game, seed=0, player=game.rules.seats[0])
        # The first iteration may have to compile something.
        agent.think(Budget(simulations=1))
        thought = agent.think(Budget(seconds=max(_MEASURED_SECONDS, self.seconds)))
        counted = thought.simulations if self.of_simulations else thought.states
        number = max(1, round(counted / thought.seconds * self.seconds))
        return Budget(simulations=number) if self.of_simulations else Budget(states=number)


def parse_budget(text: str, folder: Path = Path()) -> Budget | Like:
    """Read `500ms`, `2s`, `10000sims`, `1000000states` or `like:AGENT:500ms`, also with `:sims`.

    Args:
        text: The budget.
        folder: Where the path of an agent starts.
    """
    if text.startswith("like:"):
        alike = text.removesuffix(_OF_SIMULATIONS)
        agent, _, duration = alike.removeprefix("like:").rpartition(":")
        limit = parse_budget(duration)
        config = parse_agent(str(folder / agent) if agent.endswith(".json") else agent)
        if isinstance(limit, Like) or limit.seconds is None:
            raise InputError(f"'{duration}' is not a time, as in like:orthodox:500ms")
        if isinstance(config, RandomConfig):
            raise InputError("a random agent computes no states")
        return Like(config, limit.seconds, of_simulations=alike != text)
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*([a-z]+)", text.strip().lower())
    if match is not None and len(match[1]) <= _MOST_DIGITS:
        number, unit = float(match[1]), match[2]
        if unit in _UNITS:
            return Budget(seconds=_positive(number, text) * _UNITS[unit])
        if unit in ("sims", "simulations"):
            return Budget(simulations=_positive(int(number), text))
        if unit == "states":
            return Budget(states=_positive(int(number), text))
    raise InputError(
        f"'{text}' is not a budget; 500ms, 2s, 10000sims, 1000000states and like:orthodox:500ms are"
    )


def _positive(number: N, text: str) -> N:
    if not number:
        raise InputError(f"nobody can think with a budget of '{text}'; it has to be more than 0")
    return number


def write_budget(budget: Budget) -> str:
    """A budget as text that `parse_budget` reads."""
    if budget.simulations is not None:
        return f"{budget.simulations}sims"
    if budget.states is not None:
        return f"{budget.states}states"
    assert budget.seconds is not None
    return f"{budget.seconds * 1000:.6f}".rstrip("0").rstrip(".") + "ms"
