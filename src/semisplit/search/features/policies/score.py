"""Score: numbers that the rules count towards the goal.

Which numbers that are is found in the rules: variables on which scores depend, or fluents with a
number in them on which goals depend. Whether more of them is better, and for whom, is learnt: they
are features for `linear.py`.
"""

from __future__ import annotations

from semisplit.search.features.policies.linear import find_values, take_sample
from semisplit.search.features.policies.record import PolicyRecord


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    find_values(p, p.numbers[0], player)


def learn(p: PolicyRecord, _: int) -> None:
    """Learn from a simulation."""
    take_sample(p, p.numbers[0])
