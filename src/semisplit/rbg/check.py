"""Warnings: what is legal but surely not meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from semisplit.core.diagnostics import Diagnostic
from semisplit.core.errors import PlayLimit, WorkLimit
from semisplit.rbg.ast import (
    Assign,
    Compare,
    Number,
    On,
    Rule,
    Shift,
    Star,
    Switch,
    parts,
)
from semisplit.rbg.automaton import Edge, build_automaton
from semisplit.rbg.boards import Board
from semisplit.rbg.description import Description
from semisplit.rbg.interpret import KEEPER, Interpreter, Position
from semisplit.rbg.limits import MAX_PRODUCT
from semisplit.rbg.report import Report

_GAMES = 3
_MOVES_PER_GAME = 60
_KEEPER_MOVES = 50
"""How many moves of the keeper are compared at a position."""
_PLAYER_MOVES = 100
"""Among how many moves a player's move is drawn."""
_MAX_WALKS = 20_000
"""How much work goes into one position, and how much may be done before taking another."""


def check(description: Description) -> list[Diagnostic]:
    """All warnings about a description, those found while reading it included."""
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
    """Whether a modifier lies on a cycle of edges that always succeed."""
    automaton = build_automaton(star)
    size = len(board.names)
    if len(automaton.edges) * size > MAX_PRODUCT:
        return False
    onward: dict[int, list[int]] = {}
    modified: list[tuple[int, int]] = []
    for node, edges in enumerate(automaton.edges):
        for edge in filter(_always_succeeds, edges):
            for vertex in range(size):
                target = vertex
                if isinstance(edge.action, Shift):
                    if edge.action.label not in board.edges[vertex]:
                        continue
                    target = board.edges[vertex][edge.action.label]
                source, target = node * size + vertex, edge.target * size + target
                onward.setdefault(source, []).append(target)
                if edge.number > 0:
                    modified.append((source, target))
    return any(_leads_to(onward, target, source) for source, target in modified)


def _always_succeeds(edge: Edge) -> bool:
    match edge.action:
        case On() | Compare() | Switch():
            return False
        case Assign(_, value):
            return isinstance(value, Number)
        case _:
            return edge.pattern is None


def _leads_to(onward: dict[int, list[int]], start: int, goal: int) -> bool:
    stack, seen = [start], {start}
    while stack:
        node = stack.pop()
        if node == goal:
            return True
        for target in onward.get(node, ()):
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return False


def warn_keeper_choice(description: Description, report: Report) -> None:
    """Play a little at random and warn where the keeper's moves lead to different states."""
    game = Interpreter(description, description.rules, _MAX_WALKS)
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
        if game.walks > _MAX_WALKS:
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
