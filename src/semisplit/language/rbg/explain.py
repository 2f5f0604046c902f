"""What a split strategy does to the rules of a game and to random play."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from semisplit.core.errors import WorkLimit
from semisplit.core.work import doing
from semisplit.language.answers import SplitExplanation
from semisplit.language.rbg.check.printer import layout_rule
from semisplit.language.rbg.play.interpret import Interpreter
from semisplit.language.rbg.play.simulate import SimulationCounts, random_move

if TYPE_CHECKING:
    from semisplit.language.rbg.rules import RbgRules

_MAX_VISITS = 2_000_000
"""How much work goes into the moves of one position."""


def explain_split(rules: RbgRules, seconds: float) -> SplitExplanation:
    """Play at random for so long with whole moves, and as long with split ones."""
    description = rules.description

    def layout(width: int) -> str:
        with doing(f"laying out the rules of {rules.source.name} ({description.size})"):
            return layout_rule(rules.divided, description.pieces, width)

    statistics = [_statistics(one, seconds) for one in (rules.split(None), rules)]
    return SplitExplanation(len(rules.automaton.dots), statistics, layout)


def _statistics(rules: RbgRules, seconds: float) -> dict[str, Any]:
    """Averages of random play, per game over those that ended in time, otherwise over all moves."""
    game = Interpreter(rules.description, rules.divided, _MAX_VISITS)
    strategy = rules.strategy
    mod, mode = (strategy.mod, str(strategy)) if strategy else (None, "orthodox")
    statistics, ended = SimulationCounts(), SimulationCounts()
    deadline = time.monotonic() + seconds

    def play() -> None:
        nonlocal ended
        while True:
            position = game.run_keeper(game.start)
            random = Random(statistics.games)
            while after := random_move(game, position, random, statistics, mod=mod):
                if not time.monotonic() <= deadline:
                    return
                position = game.run_keeper(after)
            statistics.games += 1
            ended = replace(statistics)
            if not time.monotonic() <= deadline:
                return

    least = 1
    try:
        with doing(f"playing at random ({mode})"):
            play()
    except WorkLimit:
        # If it was the first position that takes too long, nothing is known.
        least = 0
    moves, states = max(least, statistics.moves), max(least, statistics.states)
    return {
        "mode": mode,
        "games": ended.games,
        "moves_per_game": ended.moves / ended.games if ended.games else None,
        "states_per_game": ended.states / ended.games if ended.games else None,
        "semimoves_per_move": statistics.semimoves / moves if moves else None,
        "branching": statistics.choices / states if states else None,
    }
