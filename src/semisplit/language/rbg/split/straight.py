"""Straightness: how many offs and assignments one piece of play can contain at most.

A piece of play lies between two delimiters, like the switches around a move. For every expression
four bounds are computed, each none (no such path), a number, or infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from semisplit.language.rbg.text.ast import (
    Assign,
    Concat,
    Dot,
    Off,
    Pattern,
    Rule,
    Star,
    Sum,
    Switch,
)

PieceOfPlay = Literal["applicational", "main", "move", "semimove"]
KINDS: tuple[PieceOfPlay, ...] = ("applicational", "main", "move", "semimove")
NONE = -math.inf


@dataclass(frozen=True)
class _Bounds:
    complete: float = NONE
    """In a piece delimited on both sides inside the expression."""
    opened: float = NONE
    """In a piece that begins inside and is open at the expression's end."""
    closed: float = NONE
    """In a piece that is open at the expression's start and ends inside."""
    through: float = NONE
    """On a path through the expression without delimiter."""


def straightness(rules: Rule, kind: PieceOfPlay = "move") -> float:
    """The most offs and assignments in one piece of play, `math.inf` if unbounded, or `NONE`."""
    bounds = _bounds(rules, kind)
    if kind in ("move", "semimove"):
        return bounds.complete
    return max(bounds.complete, bounds.opened, bounds.closed, bounds.through)


def _bounds(rule: Rule, kind: PieceOfPlay) -> _Bounds:
    delimiter = _Bounds(opened=0, closed=0)
    match rule:
        case Off() | Assign():
            return _Bounds(through=1)
        case Switch(player):
            # What follows a keeper switch is the keeper's, so it starts no player's move.
            if player is None and kind in ("move", "semimove"):
                return _Bounds(closed=0)
            return delimiter
        case Dot() if kind == "semimove":
            return delimiter
        case Pattern(_, body) if kind == "applicational":
            inside = _bounds(body, kind)
            return _Bounds(closed=max(inside.closed, inside.through), through=0)
        case Sum(members):
            result = _Bounds()
            for member in members:
                result = _either(result, _bounds(member, kind))
            return result
        case Concat(members):
            result = _Bounds(through=0)
            for member in members:
                result = _then(result, _bounds(member, kind))
            return result
        case Star(body):
            return _repeat(_bounds(body, kind))
        case _:
            return _Bounds(through=0)


def _add(*counts: float) -> float:
    """A sum in which "none" wins even over infinity."""
    return NONE if NONE in counts else sum(counts)


def _either(x: _Bounds, y: _Bounds) -> _Bounds:
    return _Bounds(
        max(x.complete, y.complete),
        max(x.opened, y.opened),
        max(x.closed, y.closed),
        max(x.through, y.through),
    )


def _then(x: _Bounds, y: _Bounds) -> _Bounds:
    return _Bounds(
        max(x.complete, y.complete, _add(x.opened, y.closed)),
        max(_add(x.opened, y.through), y.opened),
        max(_add(x.through, y.closed), x.closed),
        _add(x.through, y.through),
    )


def _repeat(x: _Bounds) -> _Bounds:
    through = 0 if x.through <= 0 else math.inf
    return _Bounds(
        max(x.complete, _add(x.opened, through, x.closed)),
        _add(x.opened, through),
        _add(through, x.closed),
        through,
    )
