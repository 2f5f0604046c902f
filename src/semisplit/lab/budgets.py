"""Budgets as people type them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from semisplit.agent import AgentConfig, make_agent, parse_agent
from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.search import Budget

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0}
_MEASURED_SECONDS = 3.0


@dataclass(frozen=True)
class Like:
    """As many states as another agent computes in a time."""

    agent: AgentConfig
    seconds: float

    def measure(self, game: Game) -> Budget:
        """Find out how many that are on this machine: on the first move of a game."""
        agent = make_agent(self.agent, game, seed=0)
        # The first iteration may have to compile something.
        agent.think(Budget(simulations=1))
        thought = agent.think(Budget(seconds=max(_MEASURED_SECONDS, self.seconds)))
        return Budget(states=max(1, round(thought.states / thought.seconds * self.seconds)))


def parse_budget(text: str) -> Budget | Like:
    """Read `500ms`, `2s`, `10000sims`, `1000000states` or `like:AGENT:500ms`."""
    if text.startswith("like:"):
        agent, _, duration = text.removeprefix("like:").rpartition(":")
        limit = parse_budget(duration)
        config = parse_agent(agent)
        if isinstance(limit, Like) or limit.seconds is None:
            raise InputError(f"'{duration}' is not a time, as in like:orthodox:500ms")
        if config.kind == "random":
            raise InputError("a random agent computes no states")
        return Like(config, limit.seconds)
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*([a-z]+)", text.strip().lower())
    if match is not None and math.isfinite(float(match[1])):
        number, unit = float(match[1]), match[2]
        if unit in _UNITS:
            return Budget(seconds=number * _UNITS[unit])
        if unit in ("sims", "simulations"):
            return Budget(simulations=int(number))
        if unit == "states":
            return Budget(states=int(number))
    raise InputError(
        f"'{text}' is not a budget; 500ms, 2s, 10000sims, 1000000states and like:orthodox:500ms are"
    )


def write_budget(budget: Budget) -> str:
    """A budget as text that `parse_budget` reads."""
    if budget.simulations is not None:
        return f"{budget.simulations}sims"
    if budget.states is not None:
        return f"{budget.states}states"
    assert budget.seconds is not None
    return f"{budget.seconds * 1000:g}ms"
