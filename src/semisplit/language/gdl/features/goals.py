"""The goals of a game as a circuit, for who wants to know how nearly they are reached."""

from __future__ import annotations

from collections.abc import Iterator

from semisplit.core.features import Gate, GateBlock, Goal, GoalCircuit
from semisplit.language.gdl.ground.rows import TRUE
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.schedule import Block, children, goal_blocks


def goal_circuit(circuit: Circuit, first_bit: int) -> GoalCircuit:
    """What goals depend on, of a game whose states have a bit for each fluent, in order."""
    program, first = circuit.program, 1 + circuit.network.inputs
    pairs, blocks = children(circuit.network), goal_blocks(circuit)
    number: dict[int, int] = {0: 0}

    def literal(old: int) -> int:
        return 2 * number.setdefault(old >> 1, len(number)) + (old & 1)

    def gates(block: Block) -> Iterator[Gate]:
        """The gates of a block; its variables are such, too, each as soon as it is known."""
        become: dict[int, list[Gate]] = {}
        for node, definition in block.variables:
            known = Gate(literal(2 * node) >> 1, literal(definition), TRUE)
            become.setdefault(definition >> 1, []).append(known)
        for gate in block.gates:
            left, right = pairs[gate - first]
            yield Gate(literal(2 * gate) >> 1, literal(left), literal(right))
            yield from become.pop(gate, ())
        for rest in become.values():
            yield from rest

    made = tuple(GateBlock(tuple(gates(block)), bool(block.variables)) for block in blocks)
    goals = tuple(
        Goal(literal(held), role + 1, value)
        for (role, value, _), held in zip(program.goals, circuit.goals.tolist())
    )
    inputs = tuple(
        (new, first_bit + old - 1) for old, new in number.items() if 0 < old <= len(program.fluents)
    )
    return GoalCircuit(len(number), inputs, made, goals)
