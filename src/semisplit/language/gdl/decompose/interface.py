"""Interfaces: what some rules see of the parts of a state.

A *wire* is a value that depends on one part alone, and is used by a gate that depends on others,
too. All wires of a part are its interface. It is *narrow* if less than half of what there is to
know of a part shows, in bits: the wires tell fewer states apart than the square root of their
number. So it does not matter of how many like pieces a part is made.
"""

from __future__ import annotations

import numpy as np

from semisplit.language.gdl.decompose.lanes import Lanes, make_values, pack, set_inputs, unpack
from semisplit.language.gdl.decompose.parts import Parts
from semisplit.language.gdl.decompose.play import count_distinct
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers


class Interfaces:
    """The rules for some outputs, and their values in some states."""

    def __init__(self, structure: Structure, outputs: Integers, states: Flags, control: Flags):
        self.states = states
        self._free = ~control
        self.fluents = structure.supports[:, : len(control)] & self._free
        """Which fluents each node depends on, without those of control."""
        self.values = make_values(structure, states.shape[1] // 64)
        set_inputs(self.values, structure.fluents, pack(states))
        Lanes(structure, outputs).compute(self.values, known=True)
        self._users, self._used = structure.uses(outputs)

    def wide(self, parts: Parts) -> dict[int, list[Integers]]:
        """The parts without narrow interfaces, and with which fluents each meets others first."""
        number, owner = self._owners(parts)
        crossing = (number[self._users] > 1) & (owner[self._used >> 1] >= 0)
        users, used = self._users[crossing], self._used[crossing]
        owners = owner[used >> 1]
        found: dict[int, list[Integers]] = {}
        for part in np.unique(owners).tolist():
            mine = owners == part
            if not self._is_narrow(parts, part, users[mine], used[mine]):
                meets = np.unique(users[mine])
                first = meets[number[meets] == number[meets].min()]
                found[part] = [np.flatnonzero(self.fluents[node]) for node in first]
        return found

    def _owners(self, parts: Parts) -> tuple[Integers, Integers]:
        """For each node the number of parts it depends on, and which if it is one, otherwise -1."""
        free = np.flatnonzero(self._free)
        free = free[np.argsort(parts.labels[free], kind="stable")]
        labels, starts = np.unique(parts.labels[free], return_index=True)
        # Not a product of matrices: threads of a library would burn time on ones so small.
        touched = np.logical_or.reduceat(self.fluents.T[free], starts)
        number = touched.sum(axis=0)
        return number, np.where(number == 1, labels @ touched, -1)

    def _is_narrow(self, parts: Parts, part: int, users: Integers, used: Integers) -> bool:
        # What one gate uses is one wire: a conjunction does not tell which of its literals fails.
        order = np.argsort(users, kind="stable")
        starts = np.flatnonzero(np.diff(users[order], prepend=-1))
        wires = np.bitwise_and.reduceat(self.values[used[order]], starts)
        seen = count_distinct(unpack(wires))
        return seen**2 < count_distinct(self.states[parts.labels == part])
