"""Counting what rules generate, whatever their language."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from semisplit.core.steps import NOBODY, Position
from semisplit.core.work import Stage
from semisplit.language.rules import Reasoner, Rules


class Perft(NamedTuple):
    """What there is at a depth of the game tree."""

    leaves: int
    """Sequences of so many moves whose proper beginnings do not end the game."""
    states: int
    """The different states they lead to."""
    terminal: int
    """Sequences that end the game."""
    goals: tuple[int, ...]
    """The sums of the scores of these, by player."""


def perft(reasoner: Reasoner, rules: Rules, depth: int, stage: Stage | None = None) -> Perft:
    """Count what there is after `depth` moves.

    Equal states are counted together, so that numbers may become large. The stage tells how far it
    is.
    """
    layer: Counter[Position] = Counter({reasoner.run_keeper(reasoner.start): 1})
    for done in range(depth):
        below: Counter[Position] = Counter()
        for number, (position, count) in enumerate(layer.items()):
            if stage is not None and number % 100 == 0:
                stage.words = f"counting move {done + 1}: {number:,} of {len(layer):,} states"
            for steps in reasoner.list_moves(position) if position.player != NOBODY else ():
                after = reasoner.follow(position, steps)
                assert after is not None
                below[reasoner.run_keeper(after)] += count
        layer = below
    ended = {position: count for position, count in layer.items() if position.player == NOBODY}
    goals = [0] * len(rules.players)
    for position, count in ended.items():
        for role, goal in enumerate(rules.scores(position)):
            goals[role] += count * goal
    return Perft(sum(layer.values()), len(layer), sum(ended.values()), tuple(goals))
