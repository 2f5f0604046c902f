"""A sub-game of a puzzle on its own: its states, and what moves do there.

What becomes of a sub-game follows from itself, control and the move. So its states are found by
time, layer by layer, without a look at the other sub-games: there are far fewer than of the whole.
What others decide is left open, in Kleene's logic of three values: a move is followed if it can be
legal, and a state is a goal if the game can end there with the highest score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.decompose.lanes import (
    ONES,
    Lanes,
    Words,
    make_values,
    pack,
    set_inputs,
    unpack,
)
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers

Numbers = NDArray[np.int64]

FAR = 1 << 30
"""So many moves to a goal that there is no way."""
NONE = -1
"""What a move leads to that cannot be legal."""
_WORDS = 1 << 23
"""Words that are computed at a time."""


class LocalGame:
    """The states of a sub-game, in layers by time, and what leads from one to another."""

    def __init__(self, structure: Structure, fluents: Flags, control: Flags, classes: Integers):
        """Begin with the initial state.

        Args:
            structure: The rules.
            fluents: Those of the sub-game.
            control: Those that no move has an influence on.
            classes: For each move the number of its class. Moves of a class do the same here; those
                of class 0 do nothing.
        """
        self.classes = classes
        self.layers: list[Numbers] = [np.zeros(1, np.int64)]
        """The numbers of the states of each layer, in order."""
        self.edges: list[Numbers] = []
        """For each layer and state the state behind the moves of each class; NONE if none is."""
        self._structure, self._fluents, self._control = structure, fluents, control
        self._rows = np.flatnonzero(fluents)
        self._next = Lanes(structure, structure.next[fluents])
        goals = [(score, goal) for goal, (_, score, _) in enumerate(structure.program.goals)]
        self._goal = int(structure.goals[max(goals)[1]])
        ends = np.array([structure.terminal, self._goal])
        self._legal = Lanes(structure, np.append(structure.legal, ends))
        self._examples = np.unique(classes, return_index=True)
        self._numbers: dict[bytes, int] = {}
        self._states = np.zeros((0, len(self._rows)), bool)
        self._number(structure.program.initial[None, fluents])

    @property
    def count(self) -> int:
        """How many states were found."""
        return len(self._numbers)

    def advance(self, control: Flags) -> None:
        """Find the next layer, given what the control fluents are in the last one."""
        layer = self.layers[-1]
        kinds, examples = self._examples
        edges = np.full((len(layer), int(kinds.max()) + 1), NONE)
        size = max(1, _WORDS // (2 * self._structure.nodes) * 64 // len(kinds))
        for begin in range(0, len(layer), size):
            some = self._states[layer[begin : begin + size]]
            legal, can_go_on, _ = self._look(some, control)
            possible = np.array([legal[self.classes == kind].any(axis=0) for kind in kinds])
            possible &= can_go_on
            which, of = np.nonzero(possible)
            after = self._after(some[of], control, examples[which])
            edges[begin + of, kinds[which]] = self._number(after)
        self.edges.append(edges)
        self.layers.append(np.unique(edges[edges != NONE]))

    def needs(self, control: Flags, *, counts: bool) -> list[Numbers]:
        """For each layer and state how many moves here are needed to a goal in the last layer.

        Args:
            control: What the control fluents are in the last layer.
            counts: Whether moves count; otherwise it is only told whether there is a way.
        """
        last = self.layers[-1]
        found = [np.full(len(last), FAR)]
        size = max(1, _WORDS // (2 * self._structure.nodes) * 64)
        for begin in range(0, len(last), size):
            _, _, goals = self._look(self._states[last[begin : begin + size]], control)
            found[0][begin : begin + size][goals] = 0
        for later, edges in zip(self.layers[::-1], self.edges[::-1]):
            places = np.searchsorted(later, np.maximum(edges, 0))
            costs = np.where(edges == NONE, FAR, found[-1][np.minimum(places, len(later) - 1)])
            costs[:, 1:] += counts
            found.append(np.minimum(costs.min(axis=1), FAR))
        return found[::-1]

    def fill(self, state: int, into: Flags) -> None:
        """Enter the fluents of a state given by number."""
        into[self._rows] = self._states[state]

    def _look(self, states: Flags, control: Flags) -> tuple[Flags, Flags, Flags]:
        """Of states which moves can be legal, whether the game can go on, and whether be won."""
        structure, lanes = self._structure, len(states)
        known = self._fluents | self._control
        values = self._values(states, control)
        for row in np.flatnonzero(~known).tolist():
            node = structure.fluents.start + row
            values[2 * node : 2 * node + 2] = ONES
        self._legal.compute(values, known=False)
        legal = unpack(values[structure.legal])[:, :lanes]
        goes, ends, wins = unpack(values[[structure.terminal ^ 1, structure.terminal, self._goal]])[
            :, :lanes
        ]
        return legal, goes, ends & wins

    def _after(self, states: Flags, control: Flags, moves: Integers) -> Flags:
        """What becomes of states by moves, one for each."""
        structure = self._structure
        values = self._values(states, control)
        made = np.zeros((len(structure.program.moves), 64 * values.shape[1]), bool)
        made[moves, np.arange(len(moves))] = True
        set_inputs(values, structure.moves, pack(made))
        self._next.compute(values, known=True)
        return unpack(values[structure.next[self._fluents]])[:, : len(states)].T

    def _values(self, states: Flags, control: Flags) -> Words:
        structure, words = self._structure, -(-len(states) // 64)
        whole = np.zeros((len(self._fluents), 64 * words), bool)
        whole[self._rows, : len(states)] = states.T
        whole[self._control] = control[self._control, None]
        values = make_values(structure, words)
        set_inputs(values, structure.fluents, pack(whole))
        return values

    def _number(self, states: Flags) -> Numbers:
        """The numbers of states; those that are new get one."""
        numbers: list[int] = []
        new: list[Flags] = []
        for state, packed in zip(states, np.packbits(states, axis=1)):
            number = self._numbers.setdefault(packed.tobytes(), len(self._numbers))
            if number == len(self._states) + len(new):
                new.append(state)
            numbers.append(number)
        if new:
            self._states = np.concatenate([self._states, new])
        return np.array(numbers, np.int64)
