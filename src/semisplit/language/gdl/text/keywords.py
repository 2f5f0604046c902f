"""The words with a meaning of their own."""

from __future__ import annotations

IMPLIED = "<="
LOGICAL = frozenset({IMPLIED, "not", "or", "and", "distinct"})
"""What bodies are made of; never the name of anything else."""
CHANCE = "random"
"""The role that draws its moves by lot."""
ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "sees": 2,
}
"""The predicates through which a description says what the game is, and their arguments."""
NOT_IN_HEADS = {"true": "the state", "does": "the moves"}
"""What rules read and never say."""
NOT_IN_BODIES = frozenset({"init", "next", "base", "input", "sees"})
NEEDED = {
    "role": "say who plays: (role white)",
    "legal": "say what players may do: (<= (legal ?role MOVE) ...)",
    "terminal": "say when the game is over: (<= terminal ...)",
    "goal": "say what players get: (<= (goal ?role 100) ...)",
}
"""Predicates without which there is no game, and what to do about it."""
