"""Where things lie: in states, and in the memory that functions work in.

In that memory each fluent, move and gate is a *word*, one bit for each lane. A lane is a state of
its own; functions for single states use the first one. A processor has words of 256 lanes, a thread
of a GPU of 32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from semisplit.compiler.runtime.abi import SCORES, THREAD_LANES

if TYPE_CHECKING:
    from semisplit.language.gdl.network.circuit import Circuit
    from semisplit.language.gdl.network.turns import Turns


@dataclass(frozen=True)
class Words:
    """How wide words are: vectors of some integers."""

    integers: int
    bits: int

    @property
    def lanes(self) -> int:
        """The bits of a word."""
        return self.integers * self.bits

    @property
    def bytes(self) -> int:
        """The size of a word."""
        return self.lanes // 8

    def __str__(self) -> str:
        """Their type in LLVM's language."""
        return f"<{self.integers} x i{self.bits}>"


WIDE, NARROW = Words(4, 64), Words(1, THREAD_LANES)
LANES, WORD = WIDE.lanes, WIDE.bytes
MOST_IN_CHUNK = 16
"""Moves that are looked at together when one is drawn."""
ALIGN = 64
SWITCH = "switch_"
"""Before the name of a section of gates: the variable that points to its function."""
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


@dataclass(frozen=True)
class Choice:
    """Moves among which one is drawn: those of a role, or of whichever role's turn it is.

    A *slot* is a move of each role that takes part. They lie behind each other.
    """

    roles: tuple[int, ...]
    firsts: tuple[int, ...]
    """The move of each role, counted from its first one, that is the first slot."""
    slots: int

    @property
    def chunks(self) -> int:
        """Slots are looked at in chunks; so many there are."""
        return -(-self.slots // MOST_IN_CHUNK)

    @property
    def chunk(self) -> int:
        """Slots in a chunk; the last one is filled up."""
        return -(-self.slots // self.chunks)

    @property
    def bits(self) -> int:
        """Bits of a number of slots."""
        return self.slots.bit_length()


def choices(turns: Turns, moves: Sequence[int]) -> list[Choice]:
    """What is drawn in each step, given the number of moves of each role."""
    if not turns.slots:
        return [Choice((role,), (0,), number) for role, number in enumerate(moves) if number > 1]
    before = [sum(moves[:role]) for role in range(len(moves))]
    roles = tuple(role for role, codes in enumerate(turns.slots) if len(codes))
    firsts = tuple(int(turns.slots[role][0]) - before[role] for role in roles)
    lengths = (int(turns.slots[role][-1] - turns.slots[role][0]) + 1 for role in roles)
    return [Choice(roles, firsts, max(lengths))]


class ChoiceMemory:
    """Where the words are that a choice works with."""

    def __init__(self, choice: Choice, words: Callable[[int], int]):
        self.prefixes = words(choice.chunks * choice.bits)
        """The number of legal slots up to the end of each chunk."""
        self.found = words(choice.chunks)
        """The lanes whose slot is in each chunk."""
        self.controls = [words(1) for _ in choice.roles]
        """The lanes in which it is the turn of each role."""
        self.slots = words(choice.chunks * choice.chunk)
        """The legal slots, if there are several roles."""


class Frame:
    """The memory that functions work in."""

    def __init__(
        self, circuit: Circuit, turns: Turns, slots: int, values: int, words: Words = WIDE
    ):
        """Lay it out.

        Args:
            circuit: The game.
            turns: What is known about whose turn it is.
            slots: The number of gates whose values are kept from one function to another.
            values: The number of words in which gates are interpreted.
            words: How wide they are.
        """
        self.word = words.bytes
        program = circuit.program
        self.roles, self.fluents = len(program.roles), len(program.fluents)
        moves = [sum(role == r for role, _ in program.moves) for r in range(self.roles)]
        self.moves = moves
        """The number of moves of each role."""
        self.choices = choices(turns, moves)
        self._end = 0
        self.states = [self._words(self.fluents) for _ in range(2)]
        self.start = self._words(self.fluents)
        """The state with which playouts begin."""
        sizes = [max(number, *self._slots_end(role)) for role, number in enumerate(moves)]
        self.legal = [self._words(size) for size in sizes]
        """Which moves of each role are legal. Those that fill up chunks never are: their words have
        to be zero before anything else is done."""
        self.fillers = [
            place + self.word * move
            for place, number, size in zip(self.legal, moves, sizes)
            for move in range(number, size)
        ]
        """Where those are."""
        self.does = [self._words(size) for size in sizes]
        """Which moves roles make."""
        variables = sum(map(len, circuit.network.loops))
        self.variables = self._words(variables)
        self.slots = self._words(slots)
        self.values = self._words(values)
        self._goals = len(program.goals)
        self.goals = self._words(self._goals)
        self.tallies = self._words(self._goals)
        """How often goals have been reached, in as many parts as words have."""
        self.terminal = self._words(1)
        self.live = self._words(1)
        """The lanes that make a move."""
        self.waiting = self._words(1)
        """Those that have ended and have not been scored yet."""
        self.fresh = self._words(1)
        """Those that begin anew."""
        self.old = self._words(1)
        """Those that have not ended since it was last looked whether a game is too long."""
        self.steps = self._words(1)
        """How many moves have been made, in such parts."""
        self.rest = self._integers(1)
        """How many playouts are still to begin."""
        self.last = self._integers(1)
        """The lane of the playout that has begun last."""
        self.some = [self._words(1) for _ in range(self.roles)]
        """The lanes in which a role has a move."""
        self.many = [self._words(1) for _ in range(self.roles)]
        """The lanes in which a role has several."""
        self.random = self._words(4)
        """The state of the generator."""
        self.choosing = [ChoiceMemory(choice, self._words) for choice in self.choices]
        self.made = self._integers(self.roles)
        """Where the moves are that each role makes."""
        self.owners = self._integers(words.lanes)
        """The state from which each lane plays, when there are several."""
        self.block = self._words(64)
        """Where bits of states are turned into words."""
        self.spare = self._integers(StateLayout(self.roles, self.fluents).bytes // 8 + 1)
        """A state."""
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
            return [self.goals + self.word * number for number in range(self._goals)]
        if section == "next":
            return [self.word * number for number in range(self.fluents)]
        legal = [
            self.legal[role] + self.word * number
            for role in range(self.roles)
            for number in range(self.moves[role])
        ]
        return [*legal, self.terminal]

    @property
    def bytes(self) -> int:
        """The size of it, with room to begin at a round address."""
        return self._end + ALIGN

    def _slots_end(self, role: int) -> list[int]:
        """Behind which moves of a role, or places for one, there are no slots."""
        return [0] + [
            first + choice.chunks * choice.chunk
            for choice in self.choices
            for one, first in zip(choice.roles, choice.firsts)
            if one == role
        ]

    def reserve(self, words: int) -> int:
        """Room for so many words more."""
        return self._words(words)

    def _words(self, number: int) -> int:
        place = self._end
        self._end += self.word * number
        return place

    def _integers(self, number: int) -> int:
        self._end = -(-self._end // 8) * 8
        place = self._end
        self._end += -(-8 * number // self.word) * self.word
        return place
