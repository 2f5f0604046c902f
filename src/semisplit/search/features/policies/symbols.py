"""Statistical Symbols Counting: how many there are of what goes with high scores.

Symbols are the pieces on a board, or the constants in each argument of fluents; how often each of
them occurs in a state is a feature for `linear.py`.
"""

from __future__ import annotations

from semisplit.search.features.policies.linear import find_values, take_sample
from semisplit.search.features.policies.record import PolicyRecord


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    find_values(p, p.symbols[0], player)


def learn(p: PolicyRecord, _: int) -> None:
    """Learn from a simulation."""
    take_sample(p, p.symbols[0])
