"""Selecting the move to be played when the search is over."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random

from semisplit.native.compiled import CompiledGame
from semisplit.rbg.interpret import Steps
from semisplit.search.settings import Final, Settings
from semisplit.search.view import Edge, View, without_dots

Order = Callable[[Edge], tuple[float, float]]


def _by_score(edge: Edge) -> tuple[float, float]:
    return edge.score, edge.visits


def by_visits(edge: Edge) -> tuple[float, float]:
    """The order of the robust child."""
    return edge.visits, edge.score


def best(edges: Iterable[Edge], order: Order, random: Random) -> Edge:
    """The best edge in an order; ties are broken at random."""
    edges = list(edges)
    top = max(map(order, edges))
    return random.choice([edge for edge in edges if order(edge) == top])


def select_final(
    view: View, settings: Settings, random: Random, complete: Callable[[Steps], Steps]
) -> tuple[Steps, float]:
    """The move to be played and its average score.

    Args:
        view: The tree; its root has been visited.
        settings: How to select.
        random: Breaks ties.
        complete: Makes a move of its beginning, for raw trees, which may end within a move.
    """
    order = by_visits if settings.final == Final.ROBUST else _by_score
    node = 0
    steps: Steps = ()
    while edges := view.edges(node):
        edge = best(edges, order, random)
        node, steps = edge.node, steps + without_dots(edge.steps)
        if view.is_nodal(node):
            break
    if not view.is_nodal(node):
        return complete(steps), edge.score
    if settings.final == Final.ROLLUP:
        enough = math.ceil(edge.visits * settings.final_rollup_factor)
        rolled = _roll_up(view, 0, (), enough)
        better = [(steps, other) for steps, other in rolled if other.score > edge.score]
        if better:
            steps, edge = max(better, key=lambda one: _by_score(one[1]))
    return steps, edge.score


def _roll_up(view: View, node: int, before: Steps, enough: int) -> list[tuple[Steps, Edge]]:
    """Final roll-up: all moves whose edges have been visited often enough."""
    found: list[tuple[Steps, Edge]] = []
    for edge in view.edges(node):
        if edge.visits >= enough:
            steps = before + without_dots(edge.steps)
            if view.is_nodal(edge.node):
                found.append((steps, edge))
            else:
                found += _roll_up(view, edge.node, steps, enough)
    return found


def complete_at_random(game: CompiledGame, state: bytes, random: Random) -> Steps | None:
    """Steps from a state within a move to the next nodal one, drawn with backtracking."""
    semimoves = game.semimoves(state)
    random.shuffle(semimoves)
    for steps in semimoves:
        following = game.play(state, steps)
        assert following is not None
        if game.is_nodal(following):
            return steps
        rest = complete_at_random(game, following, random)
        if rest is not None:
            return without_dots(steps) + rest
    return None
