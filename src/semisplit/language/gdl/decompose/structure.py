"""The network of a game as it is written: what depends on what, by the rules alone.

The passes that make networks fast also rearrange them. Here each rule is still a gate, so that
gates are what authors thought of: that a line is full, that a board is won.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from semisplit.core.errors import CompileLimit
from semisplit.language.gdl.ground.program import GroundProgram
from semisplit.language.gdl.ground.rows import Flags, Integers, spread
from semisplit.language.gdl.network.network import Network, network_of, share
from semisplit.language.gdl.network.recursion import cut_recursion
from semisplit.language.gdl.network.sums import fold, group, reach, sums_of

_MOST_BITS = 1 << 30
"""What is kept of which node depends on which fluent and move."""


class Structure:
    """A game's network, and the fluents and moves that its nodes depend on."""

    def __init__(self, program: GroundProgram):
        self.program = program
        sums = sums_of(program)
        for on_sums in (fold, reach, group, fold, cut_recursion, fold, reach):
            sums = on_sums(sums)
        inputs = np.concatenate([program.fluent_atoms, program.move_atoms, *sums.loops])
        self.network: Network = share(network_of(sums, inputs))
        fluents, moves = len(program.fluents), len(program.moves)
        ends = np.cumsum([moves, 1, fluents, len(program.goals)])
        self.legal, terminal, self.next, self.goals, self.definitions = np.split(
            self.network.outputs, ends
        )
        self.terminal = int(terminal[0])
        self.fluents = slice(1, 1 + fluents)
        """The nodes that are fluents."""
        self.moves = slice(1 + fluents, 1 + fluents + moves)
        """The nodes that are moves."""
        self.first_gate = 1 + self.network.inputs
        self.nodes = self.first_gate + len(self.network.gates)
        if self.nodes * (fluents + moves) > _MOST_BITS:
            raise CompileLimit(
                f"{program.name} is too large to be decomposed: {self.nodes:,} gates, "
                f"{fluents:,} fluents and {moves:,} moves"
            )

    def inputs_of(self, gate: int) -> Integers:
        """The literals of a gate, given by its node."""
        gates, number = self.network.gates, gate - self.first_gate
        return gates.literals[gates.starts[number] : gates.starts[number + 1]]

    @cached_property
    def loops(self) -> list[tuple[Integers, Integers]]:
        """The variables of each loop, and the literals that they become."""
        loops = self.network.loops
        ends = np.cumsum([len(loop) for loop in loops])
        return [*zip(loops, np.split(self.definitions, ends[:-1]))] if loops else []

    def cone(self, literals: Integers, *, through_loops: bool = True) -> Flags:
        """Which nodes some literals depend on."""
        gates, first = self.network.gates, self.first_gate
        found = np.zeros(self.nodes, bool)
        new = np.unique(literals >> 1)
        while len(new):
            found[new] = True
            rows = new[new >= first] - first
            below = gates.literals[spread(gates.starts[:-1][rows], gates.counts[rows])] >> 1
            if through_loops:
                becomes = [to >> 1 for loop, to in self.loops if np.isin(loop, new).any()]
                below = np.concatenate([below, *becomes])
            below = np.unique(below)
            new = below[~found[below]]
        return found

    def uses(self, outputs: Integers) -> tuple[Integers, Integers]:
        """Where literals are used on the way to outputs: the gate or variable, and the literal."""
        cone, gates = self.cone(outputs), self.network.gates
        rows = np.flatnonzero(cone[self.first_gate :])
        counts = gates.counts[rows]
        loops = [(loop, to) for loop, to in self.loops if cone[loop].any()]
        users = [np.repeat(self.first_gate + rows, counts), *(loop for loop, _ in loops)]
        used = [gates.literals[spread(gates.starts[rows], counts)], *(to for _, to in loops)]
        return np.concatenate(users), np.concatenate(used)

    @cached_property
    def levels(self) -> list[Integers]:
        """The gates, those of each level above all that they depend on."""
        depths = self.network.depths[self.first_gate :]
        order = np.argsort(depths, kind="stable")
        ends = np.cumsum(np.bincount(depths[order], minlength=1))
        return [level for level in np.split(order, ends[:-1]) if len(level)]

    @cached_property
    def supports(self) -> Flags:
        """A row for each node: which fluents and moves it depends on."""
        gates, inputs = self.network.gates, self.moves.stop - 1
        packed = np.zeros((self.nodes, -(-inputs // 8)), np.uint8)
        packed[1 : 1 + inputs] = np.packbits(np.eye(inputs, dtype=bool), axis=1)
        while True:
            for level in self.levels:
                counts = gates.counts[level]
                below = packed[gates.literals[spread(gates.starts[level], counts)] >> 1]
                packed[self.first_gate + level] = np.bitwise_or.reduceat(
                    below, np.cumsum(counts) - counts
                )
            changed = False
            for loop, to in self.loops:
                together = np.bitwise_or.reduce(packed[to >> 1])
                changed |= bool((packed[loop] != together).any())
                packed[loop] = together
            if not changed:
                return np.unpackbits(packed, axis=1, count=inputs).astype(bool)

    def fluents_of(self, literals: Integers) -> Flags:
        """A row for each literal: which fluents it depends on."""
        rows: Flags = self.supports[literals >> 1, : len(self.program.fluents)]
        return rows

    def moves_of(self, literals: Integers) -> Flags:
        """A row for each literal: which moves it depends on."""
        rows: Flags = self.supports[literals >> 1, len(self.program.fluents) :]
        return rows
