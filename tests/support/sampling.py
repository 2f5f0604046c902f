"""Which games are tested with which split strategies: all pairs are too many for every day.

`pytest -m ""` runs them all.
"""

import pytest

from semisplit import games
from semisplit.core.strategy import STRATEGIES

exhaustive = pytest.mark.exhaustive


def sampled_strategies(name: str, count: int) -> list[str]:
    """Some strategies for a game, such that each of them has its turn."""
    first = games.names("rbg").index(name)
    return [STRATEGIES[(first + 3 * i) % len(STRATEGIES)] for i in range(count)]
