"""In which order the gates of a circuit are computed: for moves, for what is next, for goals.

Loops make layers: a layer's loop computes variables from what is known of the layers below, and
what depends on the variables follows. Loops of one layer do not depend on each other, and are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from semisplit.language.gdl.ground.rows import Flags
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.network import Network, needed_gates

LARGE = 200_000
"""Gates that are never compiled: LLVM would take a minute."""


class Variable(NamedTuple):
    """A variable of a loop."""

    node: int
    definition: int
    """The literal that it becomes."""


@dataclass(frozen=True)
class Block:
    """Gates in the order in which they are computed, again and again if there are variables."""

    gates: tuple[int, ...]
    variables: tuple[Variable, ...] = ()


@dataclass(frozen=True)
class Schedule:
    """The blocks of each section. What follows `moves` uses what was computed there."""

    moves: tuple[Block, ...]
    """Which moves are legal, and whether the game is over."""
    next: tuple[Block, ...]
    goals: tuple[Block, ...]

    def __iter__(self) -> Iterator[tuple[Block, ...]]:
        return iter((self.moves, self.next, self.goals))


def make_schedule(circuit: Circuit) -> Schedule:
    """Find an order in which few values wait for being used; in large networks, any order."""
    if len(circuit.network.gates) > LARGE and not circuit.network.loops:
        return _schedule_by_depth(circuit)
    cones = _Cones(circuit)
    moves = cones.cone([*circuit.legal.tolist(), circuit.terminal])
    next_, goals = cones.cone(circuit.next.tolist()), cones.cone(circuit.goals.tolist())
    moves |= next_ & goals
    return Schedule(
        cones.blocks(moves, [*circuit.legal.tolist(), circuit.terminal]),
        cones.blocks(next_ - moves, circuit.next.tolist()),
        cones.blocks(goals - moves, circuit.goals.tolist()),
    )


def _schedule_by_depth(circuit: Circuit) -> Schedule:
    """Gates in the order of their numbers, which is that of their depths."""
    network = circuit.network
    moves, next_, goals = (
        needed_gates(replace(network, outputs=outputs))
        for outputs in (np.append(circuit.legal, circuit.terminal), circuit.next, circuit.goals)
    )
    moves |= next_ & goals
    sections = (moves, next_ & ~moves, goals & ~moves)
    return Schedule(*((_by_depth(network, gates),) for gates in sections))


def _by_depth(network: Network, gates: Flags) -> Block:
    """A block of some gates."""
    return Block(tuple((1 + network.inputs + np.flatnonzero(gates)).tolist()))


def goal_blocks(circuit: Circuit) -> tuple[Block, ...]:
    """All that goals depend on, for who needs nothing else."""
    network = replace(circuit.network, outputs=circuit.goals)
    if len(network.gates) > LARGE and not network.loops:
        return (_by_depth(network, needed_gates(network)),)
    cones, goals = _Cones(circuit), circuit.goals.tolist()
    return cones.blocks(cones.cone(goals), goals)


class _Cones:
    def __init__(self, circuit: Circuit):
        network = circuit.network
        self._first = 1 + network.inputs
        self._children = children(network)
        loops = [loop.tolist() for loop in network.loops]
        nodes = [node for loop in loops for node in loop]
        self._definitions = dict(zip(nodes, circuit.definitions.tolist()))
        self._layers = self._find_layers(loops)

    def _find_layers(self, loops: list[list[int]]) -> list[int]:
        """The layer of each node; that of a gate is the highest of what it depends on."""
        layers = [0] * (self._first + len(self._children))
        for loop in loops:
            # Loops on which others depend come first.
            cone = self.cone([self._definitions[node] for node in loop], within=set(loop))
            layer = 1 + max((layers[node] for node in cone if node in self._definitions), default=0)
            for node in loop:
                layers[node] = layer
        for number, (left, right) in enumerate(self._children):
            layers[self._first + number] = max(layers[left >> 1], layers[right >> 1])
        return layers

    def cone(self, literals: Sequence[int], within: set[int] | None = None) -> set[int]:
        """The gates and variables on which literals depend; not through some variables."""
        found: set[int] = set()
        left = [literal >> 1 for literal in literals]
        while left:
            node = left.pop()
            if node in found:
                continue
            if node >= self._first:
                found.add(node)
                left += [child >> 1 for child in self._children[node - self._first]]
            elif node in self._definitions and not (within and node in within):
                found.add(node)
                left.append(self._definitions[node] >> 1)
        return found

    def blocks(self, nodes: set[int], outputs: list[int]) -> tuple[Block, ...]:
        """Gates and loops in order."""
        blocks: list[Block] = []
        layers = sorted({self._layers[node] for node in nodes})
        for layer in layers:
            here = {node for node in nodes if self._layers[node] == layer}
            variables = sorted(node for node in here if node in self._definitions)
            definitions = [self._definitions[node] for node in variables]
            body = self._ordered(definitions, here)
            if variables:
                blocks.append(Block(tuple(body), tuple(map(Variable, variables, definitions))))
            rest = here - set(body) - set(variables)
            if gates := self._ordered([*outputs, *(2 * node for node in sorted(rest))], rest):
                blocks.append(Block(tuple(gates)))
        return tuple(blocks)

    def _ordered(self, roots: list[int], among: set[int]) -> list[int]:
        """The gates that roots need, depth first, so that few values are needed much later."""
        first, children, order = self._first, self._children, []
        done: set[int] = set()
        for root in roots:
            stack = [root >> 1]
            while stack:
                node = stack[-1]
                if node < first or node in done or node not in among:
                    stack.pop()
                    continue
                waiting = [
                    child >> 1
                    for child in children[node - first]
                    if child >> 1 >= first and child >> 1 not in done and child >> 1 in among
                ]
                if waiting:
                    stack += waiting
                else:
                    done.add(node)
                    order.append(node)
                    stack.pop()
        return order


def children(network: Network) -> list[tuple[int, int]]:
    """The two literals of each gate."""
    pairs = network.gates.literals.reshape(-1, 2)
    assert len(pairs) == len(network.gates), "gates must have two inputs"
    return [(int(left), int(right)) for left, right in pairs.tolist()]


def evaluate(circuit: Circuit, schedule: Schedule, inputs: Flags, section: str = "goals") -> Flags:
    """The values of all nodes, for many states at once: the plainest way, to compare with.

    Args:
        circuit: The circuit.
        schedule: Its order.
        inputs: A row for each fluent and each move, with a truth value for each state.
        section: What is asked for besides moves: "next" or "goals".
    """
    network = circuit.network
    first, pairs = 1 + network.inputs, children(network)
    values = np.zeros((first + len(pairs), inputs.shape[1]), bool)
    values[1 : 1 + len(inputs)] = inputs

    def value(literal: int) -> Flags:
        found: Flags = values[literal >> 1] ^ bool(literal & 1)
        return found

    for block in (*schedule.moves, *getattr(schedule, section)):
        while True:
            for gate in block.gates:
                left, right = pairs[gate - first]
                values[gate] = value(left) & value(right)
            changed = False
            for variable in block.variables:
                new = value(variable.definition)
                changed |= bool((values[variable.node] != new).any())
                values[variable.node] = new
            if not changed:
                break
    return values
