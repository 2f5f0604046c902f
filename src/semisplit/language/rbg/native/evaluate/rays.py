"""Rays: lines of squares up to the first that fails a test, found by a table and without a loop."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i1, i64
from semisplit.language.rbg.native.analysis.expression import On, Repeat, Static
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.sets import Squareset
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.places import Many, Place, Places, Row

_NARROW = 2
"""Words up to which a ray is looked up as a set."""


@dataclass(frozen=True)
class Ray:
    """A line of squares that is followed as long as a piece of some kinds is there."""

    squares: Relation
    """All squares in the direction, from each square."""
    free: frozenset[int]
    direction: int
    """Whether it leads to higher bits (1) or lower ones (-1)."""
    inclusive: bool
    """Whether the square that stops it belongs to it."""


def find_ray(places: Places, repeat: Repeat, place: Place) -> Ray | None:
    """The ray that a repetition follows from a place, if there is a table for it.

    `(step {e})*` stops before the first square that is not empty. In `step ({e} step)*` the
    place is one step ahead already, and the first such square is included.
    """
    code = places.code
    if not isinstance(place, Row) or code.words > _NARROW:
        return None
    match repeat.body.factors:
        case (Static(relation=step), On(pieces=free)):
            inclusive = False
            fits = place.relation == places.identity
        case (On(pieces=free), Static(relation=step)):
            inclusive = True
            fits = place.relation == step and repeat.least == 0
        case _:
            return None
    direction = _direction(step)
    if not fits or direction is None:
        return None
    squares = step.then(step.closure(code.squares.board))
    return Ray(squares, free, direction, inclusive)


def along(places: Places, ray: Ray, repeat: Repeat, place: Row) -> Place:
    """The squares of a ray up to the first that fails its test."""
    code = places.code
    squares = code.only_if(place.condition, code.row(ray.squares, place.square))
    line = code.as_set(squares)
    blockers = code.as_set(code.without(line, code.pieces_set(ray.free)))
    reach: Squareset = _up_to(code, line, blockers, ray.direction, ray.inclusive)
    if not ray.inclusive and repeat.least == 0:
        reach = code.either(reach, places.squares(place))
    return Many(reach, ray.squares.most)


def _up_to(code: StateCode, ray: Value, blockers: Value, direction: int, inclusive: bool) -> Value:
    b, zero, one = code.b, code.as_set(0), code.as_set(1)
    if direction > 0:
        # Without a blocker, `lowest` is 0 and all bits below it are all there are.
        lowest = b.and_(blockers, b.sub(zero, blockers))
        below = b.sub(lowest, one)
        return b.and_(ray, b.or_(below, lowest) if inclusive else below)
    last = code.words * 64 - 1
    leading = b.ctlz(blockers, ir.Constant(i1, 0))
    width = code.set_type
    # All bits up to the highest blocker, or to the one below it if that one is reached.
    everything = ir.Constant(width, (1 << last + 1) - 1)
    none = b.icmp_unsigned("==", blockers, zero)
    if code.module.gpu and code.words > 1:
        # See `single`.
        highest = b.sub(constant(last), b.trunc(b.select(none, zero, leading), i64))
        top = code.single(highest)
        beyond = b.sub(top, one)
        if not inclusive:
            beyond = b.or_(beyond, top)
    else:
        beyond = b.lshr(everything, b.select(none, zero, leading))
        if inclusive:
            beyond = b.lshr(beyond, one)
    return b.and_(ray, b.not_(b.select(none, zero, beyond)))


def _direction(step: Relation) -> int | None:
    """Whether a function leads to higher bits (1) or to lower ones (-1) everywhere."""
    if not step.is_function:
        return None
    signs = {1 if distance > 0 else -1 if distance < 0 else 0 for distance in step.shifts}
    return signs.pop() if signs in ({1}, {-1}) else None
