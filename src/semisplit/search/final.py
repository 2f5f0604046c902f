"""Selecting the move to be played when the search is over."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from semisplit.rbg.interpret import Steps
from semisplit.runtime.compiled import CompiledGame
from semisplit.search.kernels.memory import ROOT
from semisplit.search.settings import Final, Settings
from semisplit.search.view import View, without_dots


def select_final(
    view: View, settings: Settings, random: Random, complete: Callable[[Steps], Steps]
) -> tuple[Steps, float]:
    """The move to be played and its average score.

    Args:
        view: The tree.
        settings: How to select.
        random: Breaks ties.
        complete: Makes a move of its beginning, for trees that end within a move: raw ones, and
            those that had no memory to grow.
    """
    robust = settings.final == Final.ROBUST
    node, score, visits = ROOT, 0.0, 0
    steps: Steps = ()
    while edge := view.best_edge(node, robust, random):
        node, score, visits = edge.number, edge.score, edge.visits
        steps += without_dots(edge.steps)
        if view.is_nodal(node):
            break
    if not steps or not view.is_nodal(node):
        return complete(steps), score
    if settings.final == Final.ROLLUP:
        enough = math.ceil(visits * settings.final_rollup_factor)
        better = [one for one in view.moves(least=enough) if one[1].score > score]
        if better:
            steps, edge = max(better, key=lambda one: (one[1].score, one[1].visits))
            score = edge.score
    return steps, score


def complete_at_random(game: CompiledGame, state: bytes, random: Random) -> Steps:
    """Steps from a state within a move to the next nodal one, drawn with backtracking."""
    stack: list[tuple[bytes, Steps]] = [(state, ())]
    while True:
        here, before = stack.pop()
        if before and game.is_nodal(here):
            return before
        semimoves = game.semimoves(here)
        random.shuffle(semimoves)
        for semimove in semimoves:
            following = game.play(here, semimove)
            assert following is not None
            stack.append((following, before + without_dots(semimove)))
