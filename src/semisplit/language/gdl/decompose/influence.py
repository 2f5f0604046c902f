"""Which fluents have an influence on which.

What becomes of a fluent when moves are given is told by the rules: `supports`. What can become of
it, whatever legal moves are made, also depends on what makes those moves legal. That is found by
trial: in states that occur one fluent is changed, and all moves that are then legal are left open.
So it is not asked which moves are legal, but what they could do. If a move is a pair of moves in
two games, what it can do in the first does not depend on what is possible in the second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semisplit.language.gdl.decompose.lanes import ONES, Lanes, Words, make_values, pack, set_inputs
from semisplit.language.gdl.decompose.play import Log, count_distinct, sample
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers

STATES = 1024
"""States in which each fluent is changed, if that is not too much work."""
_WORK = 1 << 27
"""Words that may be computed."""
_MEMORY = 1 << 23
"""Words in which changed states are computed at a time."""


def find_control(structure: Structure) -> Flags:
    """The fluents that depend on no move, not even by other fluents."""
    on_fluents = structure.fluents_of(structure.next)
    control = np.array([not moves.any() for moves in structure.moves_of(structure.next)], bool)
    while True:
        fewer: Flags = control & ~(on_fluents & ~control).any(axis=1)
        if np.array_equal(fewer, control):
            return control
        control = fewer


@dataclass(frozen=True, eq=False)
class Options:
    """What the options of fluents depend on, as far as was tried."""

    depends: Flags
    """A row for each fluent: which fluents decide what can become of it."""
    states: int
    """States in which fluents were changed."""
    tests: int
    """Changes that led to possible states."""


def find_options(structure: Structure, log: Log, control: Flags, seed: int) -> Options:
    """Change fluents one by one in states that occur, and see what can become of all others."""
    depends = np.zeros((len(control), len(control)), bool)
    if not log.states.size:
        return Options(depends, 0, 0)
    changed = np.flatnonzero(~control)
    most = _WORK // (2 * structure.nodes * max(1, len(changed))) * 64
    states = sample(log.states, min(max(64, most), STATES), seed)
    options = _Options(structure, pack(states))
    tests = 0
    at_once = max(1, _MEMORY // (2 * structure.nodes * (states.shape[1] // 64)))
    for begin in range(0, len(changed), at_once):
        some = changed[begin : begin + at_once]
        depends[:, some], possible = options.change(some)
        tests += possible
    depends[control] = False
    return Options(depends, count_distinct(states), tests)


class _Options:
    """What can become of fluents in some states."""

    def __init__(self, structure: Structure, states: Words):
        self._structure = structure
        self._moves = Lanes(structure, np.append(structure.legal, structure.terminal))
        self._next = Lanes(structure, structure.next)
        roles = np.array([role for role, _ in structure.program.moves], np.int64)
        self._roles = [np.flatnonzero(roles == r) for r in range(len(structure.program.roles))]
        self._states = states
        self._before, _ = self._find(states)

    def _find(self, states: Words) -> tuple[Words, Words]:
        """What each fluent can become, true in the first rows, and where states are possible."""
        structure = self._structure
        values = make_values(structure, states.shape[1])
        set_inputs(values, structure.fluents, states)
        self._moves.compute(values, known=True)
        legal = values[structure.legal]
        possible = ~values[structure.terminal]
        for rows in self._roles:
            # By the rules of the language everybody always has a move.
            possible &= np.bitwise_or.reduce(legal[rows], axis=0)
        set_inputs(values, structure.moves, legal)
        # Whether a move is made is left open even if there is no other.
        values[2 * structure.moves.start + 1 : 2 * structure.moves.stop : 2] = ONES
        self._next.compute(values, known=False)
        return np.concatenate([values[structure.next], values[structure.next ^ 1]]), possible

    def change(self, fluents: Integers) -> tuple[Flags, int]:
        """Change each of some fluents in all states.

        Returns whose options it makes different, a column for each, and how many of the changed
        states are possible.
        """
        number, words = len(fluents), self._states.shape[1]
        states = np.repeat(self._states[:, None], number, axis=1)
        states[fluents, np.arange(number)] ^= ONES
        after, possible = self._find(states.reshape(len(states), -1))
        differs = (after.reshape(-1, number, words) ^ self._before[:, None]) & possible.reshape(
            number, words
        )
        found: Flags = np.asarray(differs.any(axis=2))
        half = len(found) // 2
        return found[:half] | found[half:], int(np.bitwise_count(possible).sum())
