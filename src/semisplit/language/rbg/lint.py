"""Warnings: what is legal but surely not meant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random

from semisplit.core.diagnostics import Diagnostic
from semisplit.core.errors import PlayLimit, WorkLimit
from semisplit.core.limits import Allowance
from semisplit.core.work import doing
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.automaton import Edge, build_automaton
from semisplit.language.rbg.play.interpret import KEEPER, Interpreter, Position
from semisplit.language.rbg.split.static import StaticArc, Vertices, arcs_of, members
from semisplit.language.rbg.text.ast import (
    Assign,
    Compare,
    Number,
    On,
    Rule,
    Star,
    Switch,
    parts,
)
from semisplit.language.rbg.text.boards import Board
from semisplit.language.rbg.text.report import Report

_GAMES = 3
_MOVES_PER_GAME = 60
_KEEPER_MOVES = 50
"""How many moves of the keeper are compared at a position."""
_PLAYER_MOVES = 100
"""Among how many moves a player's move is drawn."""
_MAX_VISITS = 300_000
"""How much work goes into one position, and how much may be done before taking another."""
_MAX_ARCS = 2_000_000
"""How much work goes into one star."""


def check(description: Description) -> list[Diagnostic]:
    """All warnings about a description, those found while reading it included."""
    with doing(f"looking for warnings about {description.source.name} ({description.size})"):
        return _check(description)


def _check(description: Description) -> list[Diagnostic]:
    report = Report(description.source)
    warn_endless(description.rules, description.board, report)
    if not any(isinstance(rule, Switch) for rule in parts(description.rules)):
        report.warning(report.start(), "the rules have no switch, so nobody ever moves")
    elif not report.warnings:
        warn_keeper_choice(description, report)
    warnings = [*description.warnings, *report.warnings]
    return sorted(warnings, key=lambda warning: warning.span.start)


def warn_endless(rules: Rule, board: Board, report: Report) -> None:
    """Warn of stars that repeat a modifier for ever, as nothing in them can fail."""
    stars = {rule.at: rule for rule in parts(rules) if isinstance(rule, Star) and rule.at}
    endless = {at: star for at, star in stars.items() if _is_endless(star, board)}
    for at, star in endless.items():
        inner = any(isinstance(rule, Star) and rule.at in endless for rule in parts(star.body))
        if not inner:
            report.warning(
                at,
                "the rules are not straight: this repeats a modifier for ever",
                "a test inside the brackets must be able to end it",
            )


def _is_endless(star: Star, board: Board) -> bool:
    """Whether rounds that cannot fail lead back to where they began, a modifier on the way.

    Only circles that go through the star itself are found; others are those of stars inside it.
    """
    automaton = build_automaton(star)
    arcs = [
        [arc for arc, edge in zip(leaving, edges) if _always_succeeds(edge)]
        for leaving, edges in zip(arcs_of(automaton, board), automaton.edges)
    ]
    first = automaton.edges[0][0].target
    work = Allowance(_MAX_ARCS, "")
    vertices, before = (1 << len(board.names)) - 1, 0
    with suppress(WorkLimit):
        while vertices != before:
            before = vertices
            vertices &= _after_modifiers(arcs, first, vertices, work)
        return any(
            _after_modifiers(arcs, first, 1 << vertex, work) >> vertex & 1
            for vertex in members(vertices)
        )
    return False


def _after_modifiers(
    arcs: list[list[StaticArc]], first: int, vertices: Vertices, work: Allowance
) -> Vertices:
    """Where rounds from a node back to it lead that carry out a modifier."""
    reached = {(first, False): vertices}
    fresh = dict(reached)
    while fresh:
        (node, is_modified), vertices = fresh.popitem()
        work.spend(len(arcs[node]))
        for arc in arcs[node]:
            target = arc.target, is_modified or arc.number > 0
            if new := arc.forward(vertices) & ~reached.get(target, 0):
                reached[target] = reached.get(target, 0) | new
                fresh[target] = fresh.get(target, 0) | new
    return reached.get((first, True), 0)


def _always_succeeds(edge: Edge) -> bool:
    match edge.action:
        case On() | Compare() | Switch():
            return False
        case Assign(_, value):
            return isinstance(value, Number)
        case _:
            return edge.pattern is None


def warn_keeper_choice(description: Description, report: Report) -> None:
    """Play a little at random and warn where the keeper's moves lead to different states."""
    game = Interpreter(description, description.rules, _MAX_VISITS)
    switches = {0: report.start()}
    for edge in game.automaton.modifiers:
        if isinstance(edge.action, Switch) and edge.action.at:
            switches[edge.number] = edge.action.at
    warned: set[int] = set()
    try:
        for seed in range(_GAMES):
            for position in _keeper_positions(game, Random(seed)):
                outcomes = {after for _, after in islice(game.moves(position), _KEEPER_MOVES)}
                if len(outcomes) > 1 and position.at not in warned:
                    warned.add(position.at)
                    report.warning(
                        switches[position.at],
                        "behind this the keeper has a real choice",
                        "he takes the first move he finds; other programs may choose differently",
                    )
    except WorkLimit:
        return
    except PlayLimit as limit:
        report.warning(report.start(), str(limit))


def _keeper_positions(game: Interpreter, random: Random) -> Iterator[Position]:
    """The positions of one random game in which the keeper is to move."""
    position = game.start
    for _ in range(_MOVES_PER_GAME):
        if game.visits > _MAX_VISITS:
            return
        if position.player == KEEPER:
            yield position
            move = next(game.moves(position), None)
            moves = [move] if move else []
        else:
            moves = list(islice(game.moves(position), _PLAYER_MOVES))
        if not moves:
            return
        _, position = random.choice(moves)
