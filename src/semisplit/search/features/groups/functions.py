"""The groupings that come with the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from semisplit.language.rules import Rules

INSTRUCTION, PUT, START, TARGET = range(4)
"""Where in the array of a move its traits are, in games with a board; see `Rules.traits`."""
NAME = 0
"""The index of a move's name in games of terms; its arguments are at 1, 2, ..."""
_NEAR = 2

Decide: TypeAlias = Callable[[Any, Any, Any], int]
"""From a state, the previous move and a move to the number of its group; -1 if it has none."""


@dataclass(frozen=True)
class Grouping:
    """A way to put moves into groups."""

    decide: Decide
    groups: tuple[str, ...]
    """What its groups are called."""
    sees: tuple[int, ...] | None = None
    """The traits at which it looks; None if that may be all."""
    sees_pieces: bool = False
    """Whether it looks at the pieces on the board."""
    sees_captures: bool = False
    """Whether it asks if a move captures, for which each move has to be made."""


# On a board


def proximity(state: Any, previous: Any, move: Any) -> int:
    """Moves that end at most two steps from where the last one ended, or else from the centre."""
    target = move[TARGET]
    last = previous[TARGET] if previous[TARGET] >= 0 else state.places
    return 0 if target >= 0 and state.distances[last * state.places + target] <= _NEAR else -1


def border(state: Any, previous: Any, move: Any) -> int:
    """Moves that end on a place with fewer neighbours than others have."""
    target = move[TARGET]
    return 0 if target >= 0 and state.neighbours[target] < state.most_neighbours else -1


def piece(state: Any, previous: Any, move: Any) -> int:
    """The piece on the place where a move starts; if that is empty, the piece that is put."""
    start = move[START]
    if start >= 0 and state.pieces[start] != state.empty:
        return int(state.pieces[start])
    return int(move[PUT])


def capture(state: Any, previous: Any, move: Any) -> int:
    """Moves after which there are fewer pieces of others on the board."""
    return 0 if move[state.traits] > 0 else -1


# In games of terms


def closeness(state: Any, previous: Any, move: Any) -> int:
    """Moves whose arguments, as far as they are coordinates, are at most two from the last ones."""
    compared, total = 0, 0
    for place in range(1, state.traits):
        if previous[place] >= 0 and move[place] >= 0:
            before = state.coordinates[previous[place]]
            now = state.coordinates[move[place]]
            if before >= 0 and now >= 0:
                compared += 1
                total += abs(now - before)
    return 0 if compared > 0 and total <= _NEAR else -1


# Anywhere


@cache
def value_of(place: int) -> Decide:
    """The grouping by a trait, given by its place."""

    def value(state: Any, previous: Any, move: Any) -> int:
        return int(move[place])

    return value


def bundled(rules: Rules) -> dict[str, Grouping]:
    """Those that can be used in a game, by name."""
    traits = rules.traits
    by_trait = {
        name: Grouping(value_of(place), tuple(trait.values), (place,))
        for place, (name, trait) in enumerate(traits.items())
    }
    if not rules.neighbours:
        return {"proximity": Grouping(closeness, ("near",)), **by_trait}
    put = by_trait.pop("put")
    return {
        "proximity": Grouping(proximity, ("near",), (TARGET,)),
        "border": Grouping(border, ("border",), (TARGET,)),
        "capture": Grouping(capture, ("capture",), (), sees_captures=True),
        "piece": Grouping(piece, put.groups, (START, PUT), sees_pieces=True),
        **by_trait,
    }
