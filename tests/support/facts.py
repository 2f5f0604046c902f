"""What is known about the bundled games, and where from."""

import json
from pathlib import Path
from typing import Any

from semisplit import State, load

FACTS: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data/facts.json").read_text())
"""Exact counts, and averages of many random games with their standard errors."""


def probe_state(name: str) -> State:
    game, probe = load(name), FACTS[name]["probe"]
    if "diagram" in probe:
        return game.parse_state("\n".join(probe["diagram"]))
    state = game.initial_state()
    for move in probe["moves"]:
        state = state.apply(move)
    return state
