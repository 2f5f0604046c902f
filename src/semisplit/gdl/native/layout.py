"""Where things lie: in states, and in the memory that functions work in.

In that memory each fluent, move and gate is a *word* of 256 bits, one for each lane. A lane is a
state of its own; functions for single states use the first one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from semisplit.runtime.abi import SCORES

if TYPE_CHECKING:
    from semisplit.gdl.network.circuit import Circuit

LANES = 256
WORD = LANES // 8
"""Bytes of a word."""
CHUNK = 16
"""Moves of a role are looked at in chunks of so many; the last one is filled up."""
ALIGN = 64
INSIDE = 1
"""Where a state is in which some role has chosen, and not all who have a choice."""


@dataclass(frozen=True)
class StateLayout:
    """The state of a game: the head of every state, the moves chosen so far, and the fluents."""

    roles: int
    fluents: int

    @property
    def chosen(self) -> int:
        """Where it says what each role has chosen: one more than the code, 0 for nothing."""
        return SCORES + 4 * self.roles

    @property
    def bits(self) -> int:
        """Where the fluents begin, 64 in each integer."""
        return -(-(self.chosen + 4 * self.roles) // 8) * 8

    @property
    def words(self) -> int:
        """How many integers they are."""
        return -(-self.fluents // 64)

    @property
    def bytes(self) -> int:
        """The size of a state."""
        return self.bits + 8 * self.words


class Frame:
    """The memory that functions work in."""

    def __init__(self, circuit: Circuit, slots: int, values: int):
        """Lay it out.

        Args:
            circuit: The game.
            slots: The number of gates whose values are kept from one function to another.
            values: The number of words in which gates are interpreted.
        """
        program = circuit.program
        self.roles, self.fluents = len(program.roles), len(program.fluents)
        moves = [sum(role == r for role, _ in program.moves) for r in range(self.roles)]
        self.moves = moves
        """The number of moves of each role."""
        self.chunks = [max(1, -(-number // CHUNK)) for number in moves]
        self._end = 0
        self.states = [self._words(self.fluents) for _ in range(2)]
        self.legal = [self._words(chunks * CHUNK) for chunks in self.chunks]
        """Which moves of each role are legal; those that fill up chunks never are."""
        self.does = [self._words(chunks * CHUNK) for chunks in self.chunks]
        """Which moves roles make."""
        variables = sum(map(len, circuit.network.loops))
        self.variables = self._words(variables)
        self.slots = self._words(slots)
        self.values = self._words(values)
        self._goals = len(program.goals)
        self.goals = self._words(self._goals)
        self.terminal = self._words(1)
        self.live = self._words(1)
        """The lanes that play on."""
        self.some = [self._words(1) for _ in range(self.roles)]
        """The lanes in which a role has a move."""
        self.many = [self._words(1) for _ in range(self.roles)]
        """The lanes in which a role has several."""
        self.random = self._words(4)
        """The state of the generator."""
        self.bits = max(1, *map(int.bit_length, moves))
        """Bits of the number of moves of a role."""
        self.prefixes = self._words(max(self.chunks) * self.bits)
        self.found = self._words(max(self.chunks))
        """Memory of the choice: see there."""
        self.made = self._integers(self.roles)
        """Where the moves are that each role makes."""
        self.lists = [self._integers(number) for number in moves]
        """The codes that are legal, when moves are listed."""
        self.counts = self._integers(self.roles)
        self.digits = self._integers(self.roles)

    @cached_property
    def first_codes(self) -> list[int]:
        """The code of the first move of each role."""
        return [sum(self.moves[:role]) for role in range(self.roles)]

    def output_places(self, section: str) -> list[int]:
        """Where the outputs of a section go; those of `next` into a state."""
        if section == "goals":
            return [self.goals + WORD * number for number in range(self._goals)]
        if section == "next":
            return [WORD * number for number in range(self.fluents)]
        legal = [
            self.legal[role] + WORD * number
            for role in range(self.roles)
            for number in range(self.moves[role])
        ]
        return [*legal, self.terminal]

    @property
    def bytes(self) -> int:
        """The size of it, with room to begin at a round address."""
        return self._end + ALIGN

    def reserve(self, words: int) -> int:
        """Room for so many words more."""
        return self._words(words)

    def _words(self, number: int) -> int:
        place = self._end
        self._end += WORD * number
        return place

    def _integers(self, number: int) -> int:
        place = self._end
        self._end += -(-8 * number // WORD) * WORD
        return place
