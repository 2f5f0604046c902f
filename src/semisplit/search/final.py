"""Selecting the move to be played when the search is over."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import TypeAlias

from semisplit.compiler.runtime.compiled import Codes, CompiledGame
from semisplit.search.engine.layout import ROOT
from semisplit.search.settings import Final, Settings
from semisplit.search.view import View, VisitedEdge, by_score, by_visits

Votes: TypeAlias = Counter[tuple[int, Codes]]
"""How many trees vote for some steps of a player, or of 0 if only one player decides."""


def select_final(
    view: View,
    settings: Settings,
    random: Random,
    complete: Callable[[Codes], Codes],
    votes: Votes,
) -> tuple[Codes, float]:
    """The move to be played and its average score.

    Args:
        view: The tree.
        settings: How to select.
        random: Breaks ties.
        complete: Makes a move of its beginning, for trees that end within a move: raw ones, and
            those that had no memory to grow.
        votes: Those of several trees, which decide if there are any.
    """
    if elected := _elect(votes, 0, view.moves() if votes else (), settings):
        return elected[0], elected[1].score
    robust = settings.final == Final.ROBUST
    node, score, visits = ROOT, 0.0, 0
    codes: Codes = ()
    while edge := view.best_edge(node, robust, random):
        node, score, visits = edge.number, edge.score, edge.visits
        codes += view.changing(edge.codes)
        if view.is_nodal(node):
            break
    if not codes or not view.is_nodal(node):
        return complete(codes), score
    if settings.final == Final.ROLLUP:
        enough = math.ceil(visits * settings.final_rollup_factor)
        better = [one for one in view.moves(least=enough) if one[1].score > score]
        if better:
            codes, edge = max(better, key=lambda one: (one[1].score, one[1].visits))
            score = edge.score
    return codes, score


def select_jointly(
    view: View, player: int, settings: Settings, random: Random, votes: Votes
) -> dict[int, VisitedEdge]:
    """What each player should choose who decides at the root, the first of whom is given."""
    robust = settings.final == Final.ROBUST
    found = {}
    for chooser, node in {player: ROOT, **view.choosers()}.items():
        known = ((edge.codes, edge) for edge in (view.members(node) if votes else ()))
        if elected := _elect(votes, chooser, known, settings):
            found[chooser] = elected[1]
            continue
        edge = view.best_edge(node, robust, random)
        while edge and view.group(edge.number):
            edge = view.best_edge(edge.number, robust, random)
        if edge:
            found[chooser] = edge
    return found


def cast_votes(view: View, player: int, settings: Settings, random: Random) -> Votes:
    """What a tree votes for: the move that it would play, if it goes to the end of one."""
    if view.choosers():
        chosen = select_jointly(view, player, settings, random, Counter())
        return Counter((chooser, edge.codes) for chooser, edge in chosen.items())
    codes, _ = select_final(view, settings, random, lambda begun: begun, Counter())
    return Counter([(0, codes)])


def _elect(
    votes: Votes, player: int, known: Iterable[tuple[Codes, VisitedEdge]], settings: Settings
) -> tuple[Codes, VisitedEdge] | None:
    """What a player has most votes for; ties are broken by what all trees know together."""
    order = by_visits if settings.final == Final.ROBUST else by_score
    return max(
        (one for one in known if votes[player, one[0]]),
        key=lambda one: (votes[player, one[0]], order(one[1])),
        default=None,
    )


def complete_at_random(game: CompiledGame, state: bytes, random: Random) -> Codes:
    """The way from a state within a move to the next nodal one, drawn with backtracking."""
    stack: list[tuple[bytes, Codes]] = [(state, ())]
    while True:
        here, before = stack.pop()
        if before and game.is_nodal(here):
            return before
        semimoves = game.semimoves(here)
        random.shuffle(semimoves)
        for semimove in semimoves:
            following = game.play(here, semimove)
            assert following is not None
            changing = tuple(code for code in semimove if code >= game.facts.silent)
            stack.append((following, before + changing))
