"""Computing networks for many states at once, also where some of the inputs are not known.

Each literal of the network has a row of bits, one for each *lane*, which is a state of its own. The
bit says whether the literal can be true. If all inputs are known, so is everything, and the row
of a negated literal is the opposite. If not, both a literal and its negation may be possible, as in
Kleene's logic of three values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers, spread

Words = NDArray[np.uint64]
"""Bits of lanes, 64 in each integer."""
ONES = np.uint64(2**64 - 1)


class Lanes:
    """Computes some outputs of a network."""

    def __init__(self, structure: Structure, outputs: Integers):
        self._structure = structure
        cone = structure.cone(outputs)
        self._steps = [
            (loop, to, self._levels(structure.cone(to, through_loops=False)))
            for loop, to in structure.loops
            if cone[loop].any()
        ]
        self._levels_ = self._levels(cone)

    def _levels(self, cone: Flags) -> list[tuple[Integers, Integers, Integers]]:
        """Of each level the nodes, their literals, and where those of each node begin."""
        structure, levels = self._structure, []
        gates, first = structure.network.gates, structure.first_gate
        for level in structure.levels:
            here = level[cone[first + level]]
            if len(here):
                counts = gates.counts[here]
                literals = gates.literals[spread(gates.starts[here], counts)]
                levels.append((first + here, literals, np.cumsum(counts) - counts))
        return levels

    def compute(self, values: Words, *, known: bool) -> None:
        """Fill in the rows of literals that follow from those of the inputs.

        Args:
            values: A row for each literal.
            known: Whether all inputs are known.
        """
        for loop, to, levels in self._steps:
            values[2 * loop], values[2 * loop + 1] = 0, ONES
            while True:
                _compute(values, levels, known)
                new, opposite = values[to], values[to ^ 1]
                if np.array_equal(values[2 * loop], new) and np.array_equal(
                    values[2 * loop + 1], opposite
                ):
                    break
                values[2 * loop], values[2 * loop + 1] = new, opposite
        _compute(values, self._levels_, known)


def _compute(values: Words, levels: list[tuple[Integers, Integers, Integers]], known: bool) -> None:
    for nodes, literals, starts in levels:
        holds = np.bitwise_and.reduceat(values[literals], starts)
        values[2 * nodes] = holds
        if known:
            values[2 * nodes + 1] = ~holds
        else:
            values[2 * nodes + 1] = np.bitwise_or.reduceat(values[literals ^ 1], starts)


def make_values(structure: Structure, words: int) -> Words:
    """Rows for all literals, of which so far only those of node 0, which never holds, are known."""
    values = np.zeros((2 * structure.nodes, words), np.uint64)
    values[1] = ONES
    return values


def set_inputs(values: Words, nodes: slice, rows: Words) -> None:
    """Say which inputs hold."""
    values[2 * nodes.start : 2 * nodes.stop : 2] = rows
    values[2 * nodes.start + 1 : 2 * nodes.stop : 2] = ~rows


def pack(bits: Flags) -> Words:
    """Truth values as words; the number of columns has to be a multiple of 64."""
    packed: Words = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little")).view(
        np.uint64
    )
    return packed


def unpack(words: Words) -> Flags:
    """Words as truth values."""
    flat = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(flat, axis=1, bitorder="little").astype(bool)
