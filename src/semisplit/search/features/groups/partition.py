"""Dividing the moves of a state into groups, in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from semisplit.core.errors import UnknownName
from semisplit.core.steps import Position, Steps
from semisplit.language.rules import Rules
from semisplit.search.features.groups.functions import Grouping
from semisplit.search.features.groups.situation import Situation, describe_game, describe_move
from semisplit.search.features.groups.users import groupings, installed, load_installed

OTHER = "other"
"""The name of the group of all that no grouping has put into another."""


@dataclass(frozen=True)
class Part:
    """A grouping as a part of a layer."""

    grouping: Grouping
    first: int
    """The number of its first group in the layer."""


class Partition:
    """The layers of groups of an agent in a game."""

    def __init__(self, rules: Rules, layers: Sequence[Sequence[str]]):
        known = groupings(rules)
        for name in (name for layer in layers for name in layer):
            if name not in known:
                if name not in installed():
                    raise UnknownName("grouping", name, [*known, *installed()])
                known[name] = load_installed(name)
        self._rules = rules
        self.layers: list[list[Part]] = []
        self.names: list[list[str]] = []
        """Those of the groups of each layer."""
        for layer in layers:
            parts: list[Part] = []
            names: list[str] = []
            for name in layer:
                parts.append(Part(known[name], len(names)))
                names += known[name].groups
            self.layers.append(parts)
            self.names.append([*names, OTHER])

    @cached_property
    def game(self) -> Situation:
        """What groupings get to know about every state."""
        return describe_game(self._rules)

    @property
    def seen_traits(self) -> list[int]:
        """The traits at which groupings look."""
        parts = [part for layer in self.layers for part in layer]
        every = range(self.game.traits)
        seen = (every if part.grouping.sees is None else part.grouping.sees for part in parts)
        return sorted({trait for traits in seen for trait in traits})

    @property
    def sees_pieces(self) -> bool:
        """Whether a grouping looks at the pieces on the board."""
        return any(part.grouping.sees_pieces for layer in self.layers for part in layer)

    @property
    def sees_captures(self) -> bool:
        """Whether a grouping asks if a move captures."""
        return any(part.grouping.sees_captures for layer in self.layers for part in layer)

    def divide(
        self,
        position: Position,
        previous: Steps,
        moves: Sequence[Steps],
        follow: Callable[[Steps], Position],
    ) -> list[tuple[int, ...]]:
        """The group of each (semi)move, in every layer.

        Args:
            position: The state.
            previous: The last move; nothing at the beginning of a game.
            moves: What can be done.
            follow: Makes one of them, and what follows without a choice.
        """
        pieces = self._pieces(position)
        state = replace(self.game, player=position.player, pieces=pieces)
        before = describe_move(self._rules, previous)
        rows = [describe_move(self._rules, steps) for steps in moves]
        if self.sees_captures and pieces:
            for steps, row in zip(moves, rows):
                row[-1] = int(self._others(follow(steps), state) < self._others(position, state))
        return [tuple(_group(parts, state, before, row) for parts in self.layers) for row in rows]

    def _pieces(self, position: Position) -> list[int]:
        put = self._rules.traits.get("put")
        if put is None:
            return []
        numbers = {piece: number for number, piece in enumerate(put.values)}
        return [numbers[piece] for piece in self._rules.pieces(position)]

    def _others(self, position: Position, state: Situation) -> int:
        """How many pieces belong to others than the player who is to move in a state."""
        owners = (state.owners[piece] for piece in self._pieces(position))
        return sum(owner not in (0, state.player) for owner in owners)


def _group(parts: Sequence[Part], state: Situation, previous: list[int], row: list[int]) -> int:
    """The number of a move's group in a layer; the first grouping that has one decides."""
    for part in parts:
        found = part.grouping.decide(state, previous, row)
        if 0 <= found < len(part.grouping.groups):
            return part.first + found
    return parts[-1].first + len(parts[-1].grouping.groups)
