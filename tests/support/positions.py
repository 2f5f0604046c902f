"""Positions with known best moves."""

import tomllib
from pathlib import Path
from typing import Any

POSITIONS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent.parent / "data/positions.toml").read_text(encoding="utf-8")
)["position"]


def title(position: dict[str, Any]) -> str:
    """The name of a position in the list of tests."""
    return f"{position['game']}: {position['name']}"
