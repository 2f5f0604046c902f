"""Approximate Goal Evaluation: how far goals are reached.

Where states say at any time what players would get, that is their value. Elsewhere goals are
evaluated in fuzzy logic, so that it counts what is half done. A fluent that is true holds to the
degree of `TRUE`, another one to 1 - `TRUE`. Conjunctions are Hamacher products, ab / (a + b - ab),
and disjunctions the dual of it: of t-norms that say whether two or three of four conditions hold,
it is the one that does not fade where there are many. With odds, 1 / a - 1, it is nothing but a
sum, so odds are what is computed; those of a negation are the inverse.

What depends on itself is computed by a loop, in which a disjunction would count the same again and
again. There it holds as far as its best part: of ways from here to there the best one counts.

A state is worth the mean of all scores that a player may get, weighted by how far their goals are
reached.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from semisplit.compiler.runtime.abi import SCORES
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.core.features import GoalCircuit
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.lanes import (
    LANES,
    everywhere,
    lanes_equal,
    larger,
    load_lanes,
    store_lanes,
)
from semisplit.search.engine.toolkit.record import Array, address_of, f4, integers_at, size_of
from semisplit.search.features.policies.record import CircuitRecord, PolicyRecord, after
from semisplit.search.features.policies.reference import Candidate, Simulated

TRUE = 0.9
"""How far a fluent holds that is true."""
_TRUE_ODDS, _FALSE_ODDS = 1 / TRUE - 1, 1 / (1 - TRUE) - 1
_ALWAYS = 1
"""The literal that always holds, and with which gates do nothing but take a value over."""
_ALL, _VECTOR = (1 << LANES) - 1, LANES * size_of(f4)
_MOST_ROUNDS = 16
"""Of loops: what has not come to an end then is taken as it is."""


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
        odds = _odds(self._circuit, int.from_bytes(state, "little"))
        goals = [goal for goal in self._circuit.goals if goal.player == player]
        degrees = [1 / (1 + odds[goal.literal]) for goal in goals]
        weighted = sum(degree * goal.value for degree, goal in zip(degrees, goals))
        return weighted / sum(degrees) / self._bounds[player - 1] if any(degrees) else 0.0

    def reach(self, state: bytes) -> None:
        """Only what comes next matters."""

    def learn(self, simulated: Simulated) -> None:
        """There is nothing to learn."""


def _odds(circuit: GoalCircuit, bits: int) -> list[float]:
    """The odds against each literal."""
    odds = [math.inf, 0.0] * circuit.nodes
    for node, bit in circuit.inputs:
        against = _TRUE_ODDS if bits >> bit & 1 else _FALSE_ODDS
        odds[2 * node], odds[2 * node + 1] = against, 1 / against
    for block in circuit.blocks:
        before: list[float] = []
        rounds = 0
        while before != odds and rounds < (_MOST_ROUNDS if block.is_loop else 1):
            before, rounds = odds[:], rounds + 1
            for node, left, right in block.gates:
                against = odds[left] + odds[right]
                odds[2 * node] = against
                odds[2 * node + 1] = 1 / against if against else math.inf
                if block.is_loop and right != _ALWAYS:
                    odds[2 * node + 1] = min(odds[left ^ 1], odds[right ^ 1])
    return odds


def fill_circuit(record: CircuitRecord, circuit: GoalCircuit) -> Arrays:
    """Prepare the record for a game; the caller keeps the arrays."""
    arrays = Arrays(record)
    record.nodes, record.input_count = circuit.nodes, len(circuit.inputs)
    record.block_count, record.goal_count = len(circuit.blocks), len(circuit.goals)
    ends = np.cumsum([len(block.gates) for block in circuit.blocks])
    loops = [block.is_loop for block in circuit.blocks]
    gates = [gate for block in circuit.blocks for gate in block.gates]
    arrays.put("blocks", np.column_stack([ends, loops]).astype("i4"))
    for name, rows in {"inputs": circuit.inputs, "gates": gates, "goals": circuit.goals}.items():
        arrays.put(name, np.array(rows, "i4").ravel())
    # Nothing holds at first; node 0 never does.
    arrays.allocate("odds", 2 * circuit.nodes * LANES)[:] = circuit.nodes * (
        [math.inf] * LANES + [0.0] * LANES
    )
    return arrays


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    circuit, rules = p.circuit[0], p.rules[0]
    if circuit.nodes == 0:
        for i in range(p.count):
            score = integers_at(after(p, i) + SCORES)[player - 1]
            p.values[i] = score / rules.bounds[player - 1]
        return
    for first in range(0, p.count, LANES):
        _set_inputs(p, circuit, first)
        begin = 0
        for block in range(circuit.block_count):
            end, is_loop = circuit.blocks[2 * block], circuit.blocks[2 * block + 1] != 0
            if is_loop:
                _forget_gates(circuit, begin, end)
            for _ in range(_MOST_ROUNDS if is_loop else 1):
                if not _compute_gates(circuit, begin, end, is_loop):
                    break
            begin = end
        for i in range(first, min(first + LANES, p.count)):
            p.values[i] = _expected(circuit, player, i - first) / rules.bounds[player - 1]


@kernel
def _set_inputs(p: PolicyRecord, circuit: CircuitRecord, first: int) -> None:
    """Take what is true from states."""
    odds = circuit.odds
    for number in range(circuit.input_count):
        node, bit = circuit.inputs[2 * number], circuit.inputs[2 * number + 1]
        for lane in range(min(LANES, p.count - first)):
            state = integers_at(after(p, first + lane))
            against = _TRUE_ODDS if (state[bit >> 5] >> (bit & 31)) & 1 else _FALSE_ODDS
            odds[2 * node * LANES + lane] = against
            odds[(2 * node + 1) * LANES + lane] = 1.0 / against


@kernel
def _forget_gates(circuit: CircuitRecord, begin: int, end: int) -> None:
    """Let no gate of a loop hold."""
    for gate in range(begin, end):
        place = address_of(circuit.odds, 2 * circuit.gates[3 * gate] * LANES)
        store_lanes(place, everywhere(math.inf))
        store_lanes(place + _VECTOR, everywhere(0.0))


@kernel
def _compute_gates(circuit: CircuitRecord, begin: int, end: int, in_loop: bool) -> bool:
    """Compute the odds of some gates; has any of them changed?"""
    odds, same = circuit.odds, _ALL
    for gate in range(begin, end):
        node = circuit.gates[3 * gate]
        left, right = circuit.gates[3 * gate + 1], circuit.gates[3 * gate + 2]
        against = _load(odds, left) + _load(odds, right)
        either = 1.0 / against
        if in_loop and right != _ALWAYS:
            # The smaller ones.
            either = 0.0 - larger(0.0 - _load(odds, left ^ 1), 0.0 - _load(odds, right ^ 1))
        if in_loop:
            same &= lanes_equal(against, _load(odds, 2 * node))
            same &= lanes_equal(either, _load(odds, 2 * node + 1))
        store_lanes(address_of(odds, 2 * node * LANES), against)
        store_lanes(address_of(odds, (2 * node + 1) * LANES), either)
    return same != _ALL


@kernel
def _load(odds: Array[f4], literal: int) -> Any:
    """The odds against a literal in all states."""
    return load_lanes(address_of(odds, literal * LANES))


@kernel
def _expected(circuit: CircuitRecord, player: int, lane: int) -> float:
    """The mean of the scores that a player may get, by how far their goals are reached."""
    total, weighted = 0.0, 0.0
    for goal in range(circuit.goal_count):
        if circuit.goals[3 * goal + 1] == player:
            degree = 1.0 / (1.0 + circuit.odds[circuit.goals[3 * goal] * LANES + lane])
            total += degree
            weighted += degree * circuit.goals[3 * goal + 2]
    return weighted / total if total > 0.0 else 0.0
