"""What can be read off the states of a game in Regular Boardgames."""

from __future__ import annotations

from collections.abc import Iterator

from semisplit.compiler.runtime.codec import Codec
from semisplit.core.features import Feature, Features
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Compare,
    Concat,
    Count,
    Operation,
    Rule,
    Variable,
    parts,
)

_FIRST_VALUE = 3
"""The first integer of a state that is the value of a score or variable."""


def find_features(description: Description, codec: Codec) -> Features:
    """The features of a game."""
    places = range(len(description.board.edges))
    bits = {
        piece: tuple((codec.piece_bit(number, place), 1) for place in places)
        for number, piece in enumerate(description.pieces)
    }
    values = [*description.players, *description.variables]
    return Features(
        marks=tuple(sorted(bit for terms in bits.values() for bit, _ in terms)),
        symbols=tuple(Feature(piece, terms) for piece, terms in bits.items()),
        numbers=tuple(
            Feature(f"{{{one.piece}}}", bits[one.piece])
            if isinstance(one, Count)
            else Feature(one.name, place=_FIRST_VALUE + values.index(one.name))
            for one in _counted(description)
        ),
    )


def _counted(description: Description) -> list[Variable | Count]:
    """The values by which the rules decide about scores, or of which they are made up.

    They stand in what is assigned to a score or is compared before that, in the same sequence; or
    in what is assigned to such a variable.
    """
    parts_ = list(parts(description.rules))
    sequences = [part.members for part in parts_ if isinstance(part, Concat)]
    assignments = [part for part in parts_ if isinstance(part, Assign)]
    found: dict[Variable | Count, None] = {}
    for members in sequences:
        scored = [i for i, member in enumerate(members) if _scores(member, description)]
        for member in members[: max(scored, default=-1) + 1]:
            if isinstance(member, Compare):
                found |= dict.fromkeys([*_leaves(member.left), *_leaves(member.right)])
    left = list(description.players)
    known = set(left)
    while left:
        name = left.pop()
        for one in assignments:
            if one.variable == name:
                found |= dict.fromkeys(_leaves(one.value))
        new = {leaf.name for leaf in found if isinstance(leaf, Variable)} - known
        left += sorted(new)
        known |= new
    return list(found)


def _scores(member: Rule, description: Description) -> bool:
    return isinstance(member, Assign) and member.variable in description.players


def _leaves(value: Arithmetic) -> Iterator[Variable | Count]:
    if isinstance(value, Operation):
        yield from _leaves(value.left)
        yield from _leaves(value.right)
    elif isinstance(value, Variable | Count):
        yield value
