"""From a ground program to its circuit: the passes in their order, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from semisplit.language.gdl.ground.program import GroundProgram
from semisplit.language.gdl.ground.rows import Integers
from semisplit.language.gdl.network.network import Network, flatten, halve, network_of, share
from semisplit.language.gdl.network.pairs import extract_pairs
from semisplit.language.gdl.network.recursion import cut_recursion
from semisplit.language.gdl.network.sums import Sums, factor, fold, group, reach, sums_of

ON_SUMS: tuple[Callable[[Sums], Sums], ...] = (
    fold,
    reach,
    group,
    fold,
    cut_recursion,
    factor,
    fold,
    reach,
)
ON_NETWORKS: tuple[Callable[[Network], Network], ...] = (
    share,
    flatten,
    extract_pairs,
    halve,
)


@dataclass(frozen=True, eq=False)
class Circuit:
    """A game as a network of gates with two inputs.

    The inputs are its fluents, its moves and the variables of loops, in this order.
    """

    program: GroundProgram
    network: Network
    history: tuple[tuple[str, int], ...]
    """Each pass, and the number of gates with two inputs after it."""

    @property
    def legal(self) -> Integers:
        """The literals that say whether moves are legal."""
        return self.network.outputs[: len(self.program.moves)]

    @property
    def terminal(self) -> int:
        """The literal that says whether the game is over."""
        return int(self.network.outputs[len(self.program.moves)])

    @property
    def next(self) -> Integers:
        """The literals that say which fluents are next."""
        first = len(self.program.moves) + 1
        return self.network.outputs[first : first + len(self.program.fluents)]

    @property
    def goals(self) -> Integers:
        """The literals of the program's goals."""
        first = len(self.program.moves) + 1 + len(self.program.fluents)
        return self.network.outputs[first : first + len(self.program.goals)]

    @property
    def definitions(self) -> Integers:
        """What the variables of loops become."""
        first = len(self.program.moves) + 1 + len(self.program.fluents) + len(self.program.goals)
        return self.network.outputs[first:]


def reductions(program: GroundProgram) -> Iterator[tuple[str, Sums | Network]]:
    """The name of each pass, and what there is after it: the last one is the network of a game."""
    sums = sums_of(program)
    yield "rules", sums
    for on_sums in ON_SUMS:
        sums = on_sums(sums)
        yield on_sums.__name__, sums
    inputs = np.concatenate([program.fluent_atoms, program.move_atoms, *sums.loops])
    network = network_of(sums, inputs)
    for on_network in ON_NETWORKS:
        network = on_network(network)
        yield on_network.__name__, network


def build_circuit(program: GroundProgram) -> Circuit:
    """Reduce a ground program to few gates."""
    history = []
    for name, reached in reductions(program):
        history.append((name, reached.size))
    assert isinstance(reached, Network)
    return Circuit(program, reached, tuple(history))
