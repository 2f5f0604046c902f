"""What can be read off the states of a compiled game, for evaluating them.

A bit of a state is counted from its beginning, as if the state were a little-endian integer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Feature:
    """A number that a state has."""

    name: str
    bits: tuple[tuple[int, int], ...] = ()
    """Bits, and what each of them that is set adds to the number."""
    place: int | None = None
    """The place of an integer of 32 bits, counted in such, if that is the number."""


@dataclass(frozen=True)
class Features:
    """What there is to be seen in states."""

    marks: tuple[int, ...]
    """The bits that say what holds: fluents, or pieces on places."""
    symbols: tuple[Feature, ...]
    """How often each symbol occurs: a piece, or a constant in an argument of a fluent."""
    numbers: tuple[Feature, ...]
    """Numbers that the rules count towards the goal."""


class Gate(NamedTuple):
    """The conjunction of two literals: twice a node, one more if it is negated."""

    node: int
    left: int
    right: int


class GateBlock(NamedTuple):
    """Gates in their order."""

    gates: tuple[Gate, ...]
    is_loop: bool
    """Whether they depend on themselves: all are computed again until none changes. At first none
    of them holds."""


class Goal(NamedTuple):
    """A score that a player gets if a literal holds."""

    literal: int
    player: int
    """From 1."""
    value: int


@dataclass(frozen=True)
class GoalCircuit:
    """The goals of a game as a circuit. Node 0 never holds."""

    nodes: int
    inputs: tuple[tuple[int, int], ...]
    """Nodes, and the bits of a state that they are."""
    blocks: tuple[GateBlock, ...]
    goals: tuple[Goal, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return vars(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> GoalCircuit:
        """Back from plain data."""
        return GoalCircuit(
            data["nodes"],
            tuple((node, bit) for node, bit in data["inputs"]),
            tuple(
                GateBlock(tuple(Gate(*gate) for gate in gates), is_loop)
                for gates, is_loop in data["blocks"]
            ),
            tuple(Goal(*goal) for goal in data["goals"]),
        )
