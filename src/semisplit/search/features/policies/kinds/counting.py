"""Policies that count: symbols on the board, and numbers that the rules count.

Statistical Symbols Counting looks at how many there are of what goes with high scores: pieces, or
the constants in each argument of fluents. Score looks at numbers that the rules count towards the
goal: variables on which scores depend, or fluents with a number in them on which goals depend.
Whether more of them is better, and for which player, is learnt: both are features for `linear.py`.
"""

from __future__ import annotations

from semisplit.search.features.policies.kinds.linear import find_values, take_sample
from semisplit.search.features.policies.record import PolicyRecord


def evaluate_symbols(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates by symbols."""
    find_values(p, p.symbols[0], player)


def learn_symbols(p: PolicyRecord, _: int) -> None:
    """Learn from a simulation what symbols are worth."""
    take_sample(p, p.symbols[0])


def evaluate_numbers(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates by numbers."""
    find_values(p, p.numbers[0], player)


def learn_numbers(p: PolicyRecord, _: int) -> None:
    """Learn from a simulation what numbers are worth."""
    take_sample(p, p.numbers[0])
