"""Approximate Goal Evaluation: how far goals are reached.

Where states tell at any time what players would get, that is their value. Elsewhere goals are
evaluated in fuzzy logic, so that it counts what is half done. A fluent that is true holds to the
degree of `TRUE`, another one to 1 - `TRUE`. Of a conjunction this is the product (a t-norm), of a
disjunction the probabilistic sum (its t-conorm). What depends on itself is computed by a loop, in
which sums would count the same again and again; there a disjunction holds as far as its best part,
so that of a way, for instance, the best one counts. A state is worth the mean of all scores that a
player may get, weighted by how far their goals are reached.
"""

from __future__ import annotations

import numpy as np

from semisplit.core.features import GoalCircuit
from semisplit.runtime.abi import SCORES
from semisplit.runtime.compiled import CompiledGame
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.record import integers_at
from semisplit.search.memory.arrays import Arrays
from semisplit.search.policies.record import CircuitRecord, PolicyRecord, after
from semisplit.search.policies.reference import Candidate, Simulated

TRUE = 0.9
"""How far a fluent holds that is true."""
_MOST_ROUNDS = 8
"""Of loops: what has not come to an end then is taken as it is."""
_WIDTH = 8
"""States that are evaluated at once."""


class ReferenceGoals:
    """What the policy is."""

    def __init__(self, game: CompiledGame, bounds: list[int], circuit: GoalCircuit | None):
        self._game = game
        self._bounds = bounds
        self._circuit = circuit

    def values(self, player: int, candidates: list[Candidate]) -> list[float]:
        """What can be expected of goals, or what players would get now."""
        return [self._value(player, one.after) for one in candidates]

    def _value(self, player: int, state: bytes) -> float:
        if self._circuit is None:
            return self._game.scores(state)[player - 1] / self._bounds[player - 1]
        degrees = _degrees(self._circuit, int.from_bytes(state, "little"))
        goals = [goal for goal in self._circuit.goals if goal.player == player]
        total = sum(degrees[goal.literal] for goal in goals)
        weighted = sum(degrees[goal.literal] * goal.value for goal in goals)
        return weighted / total / self._bounds[player - 1] if total else 0.0

    def reach(self, state: bytes) -> None:
        """Only what comes next matters."""

    def learn(self, simulated: Simulated) -> None:
        """There is nothing to learn."""


def _degrees(circuit: GoalCircuit, bits: int) -> list[float]:
    """How far each literal holds."""
    degrees = [0.0, 1.0] * circuit.nodes
    for node, bit in circuit.inputs:
        truth = TRUE if bits >> bit & 1 else 1 - TRUE
        degrees[2 * node], degrees[2 * node + 1] = truth, 1 - truth
    for block in circuit.blocks:
        for _ in range(_MOST_ROUNDS if block.variables else 1):
            for node, left, right in block.gates:
                a, b = degrees[left ^ 1], degrees[right ^ 1]
                degrees[2 * node] = degrees[left] * degrees[right]
                degrees[2 * node + 1] = max(a, b) if block.variables else a + b - a * b
            before = [degrees[2 * node : 2 * node + 2] for node, _ in block.variables]
            after = [[degrees[literal], degrees[literal ^ 1]] for _, literal in block.variables]
            if before == after:
                break
            for node, literal in block.variables:
                degrees[2 * node], degrees[2 * node + 1] = degrees[literal], degrees[literal ^ 1]
    return degrees


def fill_circuit(record: CircuitRecord, circuit: GoalCircuit) -> Arrays:
    """Prepare the record for a game; whoever has it keeps the arrays."""
    arrays = Arrays(record)
    record.nodes, record.input_count = circuit.nodes, len(circuit.inputs)
    record.block_count, record.goal_count = len(circuit.blocks), len(circuit.goals)
    gates = [gate for block in circuit.blocks for gate in block.gates]
    variables = [one for block in circuit.blocks for one in block.variables]
    sizes = [(len(block.gates), len(block.variables)) for block in circuit.blocks]
    arrays.put("blocks", np.cumsum(np.array(sizes, "i4").reshape(-1, 2), 0).astype("i4"))
    for name, rows in {
        "inputs": circuit.inputs,
        "gates": gates,
        "variables": variables,
        "goals": circuit.goals,
    }.items():
        arrays.put(name, np.array(rows, "i4").ravel())
    for name in ("holds", "fails"):
        arrays.allocate(name, circuit.nodes * _WIDTH)
    return arrays


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    circuit, rules = p.circuit[0], p.rules[0]
    if circuit.nodes == 0:
        for i in range(p.count):
            score = integers_at(after(p, i) + SCORES)[player - 1]
            p.values[i] = score / rules.bounds[player - 1]
        return
    for first in range(0, p.count, _WIDTH):
        _set_inputs(p, circuit, first)
        gate, variable = 0, 0
        for block in range(circuit.block_count):
            gate_end, variable_end = circuit.blocks[2 * block], circuit.blocks[2 * block + 1]
            if variable == variable_end:
                _compute_gates(circuit, gate, gate_end)
            else:
                _compute_loop(circuit, gate, gate_end, variable, variable_end)
            gate, variable = gate_end, variable_end
        for i in range(first, min(first + _WIDTH, p.count)):
            p.values[i] = _expected(circuit, player, i - first) / rules.bounds[player - 1]


@kernel
def _set_inputs(p: PolicyRecord, circuit: CircuitRecord, first: int) -> None:
    """Take what is true from states; nothing else is known to hold."""
    holds, fails = circuit.holds, circuit.fails
    for i in range(circuit.nodes * _WIDTH):
        holds[i] = 0.0
        fails[i] = 1.0
    for number in range(circuit.input_count):
        node, bit = circuit.inputs[2 * number], circuit.inputs[2 * number + 1]
        for lane in range(min(_WIDTH, p.count - first)):
            state = integers_at(after(p, first + lane))
            truth = TRUE if (state[bit >> 5] >> (bit & 31)) & 1 else 1.0 - TRUE
            holds[node * _WIDTH + lane] = truth
            fails[node * _WIDTH + lane] = 1.0 - truth


@kernel
def _degree(circuit: CircuitRecord, literal: int, lane: int) -> float:
    """How far a literal holds."""
    place = (literal >> 1) * _WIDTH + lane
    return circuit.fails[place] if literal & 1 else circuit.holds[place]


@kernel
def _compute_gates(circuit: CircuitRecord, begin: int, end: int) -> None:
    for gate in range(begin, end):
        node, left, right = (
            circuit.gates[3 * gate],
            circuit.gates[3 * gate + 1],
            circuit.gates[3 * gate + 2],
        )
        for lane in range(_WIDTH):
            a, b = _degree(circuit, left ^ 1, lane), _degree(circuit, right ^ 1, lane)
            both = _degree(circuit, left, lane) * _degree(circuit, right, lane)
            circuit.holds[node * _WIDTH + lane] = both
            circuit.fails[node * _WIDTH + lane] = a + b - a * b


@kernel
def _compute_loop(
    circuit: CircuitRecord, begin: int, end: int, variable: int, variable_end: int
) -> None:
    for _ in range(_MOST_ROUNDS):
        for gate in range(begin, end):
            node, left, right = (
                circuit.gates[3 * gate],
                circuit.gates[3 * gate + 1],
                circuit.gates[3 * gate + 2],
            )
            for lane in range(_WIDTH):
                a, b = _degree(circuit, left ^ 1, lane), _degree(circuit, right ^ 1, lane)
                both = _degree(circuit, left, lane) * _degree(circuit, right, lane)
                circuit.holds[node * _WIDTH + lane] = both
                circuit.fails[node * _WIDTH + lane] = max(a, b)
        changed = False
        for i in range(variable, variable_end):
            node, literal = circuit.variables[2 * i], circuit.variables[2 * i + 1]
            for lane in range(_WIDTH):
                place = node * _WIDTH + lane
                holds, fails = _degree(circuit, literal, lane), _degree(circuit, literal ^ 1, lane)
                changed |= holds != circuit.holds[place] or fails != circuit.fails[place]
                circuit.holds[place] = holds
                circuit.fails[place] = fails
        if not changed:
            break


@kernel
def _expected(circuit: CircuitRecord, player: int, lane: int) -> float:
    """The mean of the scores that a player may get, by how far their goals are reached."""
    total, weighted = 0.0, 0.0
    for goal in range(circuit.goal_count):
        if circuit.goals[3 * goal + 1] == player:
            degree = _degree(circuit, circuit.goals[3 * goal], lane)
            total += degree
            weighted += degree * circuit.goals[3 * goal + 2]
    return weighted / total if total > 0.0 else 0.0
