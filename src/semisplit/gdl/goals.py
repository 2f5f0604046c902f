"""The goals of a game as a circuit, for who wants to know how nearly they are reached."""

from __future__ import annotations

from semisplit.core.features import Gate, GateBlock, Goal, GoalCircuit
from semisplit.gdl.network.circuit import Circuit
from semisplit.gdl.network.schedule import children, goal_blocks


def goal_circuit(circuit: Circuit, first_bit: int) -> GoalCircuit:
    """What goals depend on, of a game whose states have a bit for each fluent, in order."""
    program, first = circuit.program, 1 + circuit.network.inputs
    pairs, blocks = children(circuit.network), goal_blocks(circuit)
    number: dict[int, int] = {0: 0}

    def literal(old: int) -> int:
        return 2 * number.setdefault(old >> 1, len(number)) + (old & 1)

    made = tuple(
        GateBlock(
            tuple(
                Gate(literal(2 * gate) >> 1, *map(literal, pairs[gate - first]))
                for gate in block.gates
            ),
            tuple((literal(2 * one.node) >> 1, literal(one.definition)) for one in block.variables),
        )
        for block in blocks
    )
    goals = tuple(
        Goal(literal(held), role + 1, value)
        for (role, value, _), held in zip(program.goals, circuit.goals.tolist())
    )
    inputs = tuple(
        (new, first_bit + old - 1) for old, new in number.items() if 0 < old <= len(program.fluents)
    )
    return GoalCircuit(len(number), inputs, made, goals)
