"""What groupings get to know about states and moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from semisplit.core.board.diagram import empty_piece
from semisplit.core.steps import Steps
from semisplit.language.rules import Rules

FAR = 1 << 20
"""The distance between places that no way connects."""


@dataclass
class Situation:
    """A state, and the board on which it is. Places and pieces are numbers."""

    traits: int
    """The number of traits of moves; after them a move says whether it captures."""
    places: int
    """The number of places of the board, 0 if there is none."""
    neighbours: Sequence[int]
    """How many each place has."""
    most_neighbours: int
    distances: Sequence[int]
    """Between two places a and b, at a * places + b; after them that of each to the centre."""
    coordinates: Sequence[int]
    """In games of terms: the numbers that values of traits are, or the places of letters in the
    alphabet; -1 for others."""
    empty: int
    """The piece that stands for an empty place; -1 if there is none."""
    owners: Sequence[int]
    """The player to whom each kind of piece belongs, from 1; 0 if the rules do not say."""
    player: int = 0
    """Who is to move."""
    pieces: Sequence[int] = ()
    """The piece on each place."""


def describe_game(rules: Rules) -> Situation:
    """What does not change during a game."""
    neighbours, traits = rules.neighbours, rules.traits
    counts = [len(others) for others in neighbours]
    if not neighbours:
        values = next(iter(traits.values())).values
        return Situation(len(traits), 0, (), 0, (), [_coordinate(text) for text in values], -1, ())
    between = [_distances(neighbours, place) for place in range(len(neighbours))]
    radius = min(map(max, between))
    centre = [row for row in between if max(row) == radius]
    to_centre = [min(column) for column in zip(*centre)]
    pieces, players = list(traits["put"].values), list(rules.players)
    empty = empty_piece(pieces)
    owners = rules.appearance.owners if rules.appearance else {}
    return Situation(
        traits=len(traits),
        places=len(neighbours),
        neighbours=counts,
        most_neighbours=max(counts),
        distances=[distance for row in [*between, to_centre] for distance in row],
        coordinates=(),
        empty=-1 if empty is None else pieces.index(empty),
        owners=[players.index(owners[piece]) + 1 if piece in owners else 0 for piece in pieces],
    )


def describe_move(rules: Rules, steps: Steps) -> list[int]:
    """The traits of a move, -1 for those it does not have, and that it is not known to capture.

    Where several players decide at once, it is the last one's part that counts.
    """
    steps = steps[-1:] if rules.simultaneous else steps
    row = []
    for trait in rules.traits.values():
        values = [value for step in steps if (value := trait.of(step)) >= 0]
        row.append(values[-1 if trait.last else 0] if values else -1)
    return [*row, 0]


def _distances(neighbours: Sequence[Collection[int]], place: int) -> list[int]:
    """From a place to all, in steps."""
    found = [FAR] * len(neighbours)
    found[place] = 0
    queue = deque([place])
    while queue:
        here = queue.popleft()
        for other in neighbours[here]:
            if found[other] == FAR:
                found[other] = found[here] + 1
                queue.append(other)
    return found


def _coordinate(text: str) -> int:
    if text.isdecimal():
        return int(text) if len(text) < 6 else -1
    return ord(text.lower()) - ord("a") if len(text) == 1 and text.isascii() else -1
