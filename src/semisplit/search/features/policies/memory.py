"""The memory of a worker's simulations, if they follow policies."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from semisplit.core.limits import MAX_MOVES
from semisplit.language.rules import Rules
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.engine.layout import TreeRecord
from semisplit.search.engine.toolkit.record import Record, fill_record
from semisplit.search.features.policies.compiling import FUNCTIONS, address_of_policy
from semisplit.search.features.policies.kinds.age import fill_circuit
from semisplit.search.features.policies.kinds.exploration import RECENT
from semisplit.search.features.policies.kinds.history import PAST_SIZE
from semisplit.search.features.policies.kinds.linear import fill_linear
from semisplit.search.features.policies.record import CircuitRecord, LinearRecord, PolicyRecord
from semisplit.search.features.policies.settings import Policies, SimulationPolicy
from semisplit.search.result import PolicyStatistics

if TYPE_CHECKING:
    from semisplit.search.allocation.common import Common
    from semisplit.search.allocation.worker import WorkerMemory

_MAX_MADE = 1 << 16
"""Moves of a simulation that the history learns from."""


class PolicyMemory:
    """The record, and the arrays that it points to."""

    def __init__(self, common: Common, policies: Policies, worker: WorkerMemory):
        """Make the memory.

        Args:
            common: The game and the settings of the search.
            policies: What to do.
            worker: The worker that makes the simulations.
        """
        self.record = PolicyRecord()
        self._arrays = Arrays(self.record)
        self.worker = worker
        """Who plays."""
        self._tree = TreeRecord()
        self._policies = policies
        self._players = int(common.rules.players)
        self._state_bytes = int(common.rules.state_bytes)
        for name, one in {
            "rules": common.rules,
            "settings": common.settings,
            "tree": self._tree,
            "worker": worker.record,
        }.items():
            setattr(self.record, name, _address(one))
        self._set_policies(common)
        self._allocate(common)
        self._know(common.game.rules)

    @property
    def address(self) -> int:
        """Where the record is."""
        return _address(self.record)

    def statistics(self, memories: Sequence[PolicyMemory]) -> tuple[PolicyStatistics, ...]:
        """What has come of policies, according to this and other memories of the same search."""
        trials = np.array([one._arrays["trials"] for one in memories])
        simulations, totals = trials["simulations"].sum(0), trials["total"].sum(0)
        among = self._policies.among
        return tuple(
            PolicyStatistics(
                player + 1,
                policy.name.lower(),
                int(simulations[place := player * len(among) + number]),
                float(totals[place] / max(1, simulations[place])),
            )
            for player in range(self._players)
            for number, policy in enumerate(among)
        )

    def _set_policies(self, common: Common) -> None:
        record, policies = self.record, self._policies
        record.policy_count = len(policies.among)
        self._arrays.put("policies", np.array(policies.among, "i4"))
        for name in ("evaluate", "learn"):
            self._arrays.allocate(name, len(SimulationPolicy))
        self._arrays.allocate("looks", len(SimulationPolicy))
        for policy in policies.among:
            if policy in FUNCTIONS:
                functions = FUNCTIONS[policy]
                self._arrays["evaluate"][policy] = address_of_policy(functions.evaluate)
                self._arrays["learn"][policy] = address_of_policy(functions.learn)
                self._arrays["looks"][policy] = functions.looks
        fill_record(record.parameters, policies)
        record.walks = common.variant.splits_simulation
        addresses = common.coding.game.addresses
        record.list_moves = addresses["list_moves"]
        record.apply_each = addresses.get("apply_each", 0)

    def _allocate(self, common: Common) -> None:
        arrays, policies, size = self._arrays, self._policies, self._state_bytes
        arrays.allocate("trials", self._players * len(policies.among))
        arrays.allocate("chosen", self._players)
        arrays.allocate("values", policies.sample)
        arrays.put("afters", np.zeros(policies.sample * size, "u1"))
        arrays.allocate("listed", policies.sample * (self._players + 1))
        arrays.allocate("begun", self._players)
        if self.record.walks:
            steps = policies.sample * int(common.settings.max_length)
            arrays.allocate("walk_lengths", policies.sample)
            arrays.allocate("walk_steps", steps)
            arrays.allocate("walk_ends", steps)
        for name in ("start", "sampled_state", "nodal"):
            arrays.put(name, np.zeros(size, "u1"))
        if SimulationPolicy.HISTORY in policies.among:
            self.record.made_size = min(_MAX_MADE, self._players * MAX_MOVES)
            arrays.allocate("made", int(self.record.made_size))
            arrays.allocate("past", PAST_SIZE)
            self.record.past_mask = PAST_SIZE - 1

    def _know(self, rules: Rules) -> None:
        """Tell policies about the game."""
        among, size = self._policies.among, self._state_bytes
        symbols, numbers, circuit = LinearRecord(), LinearRecord(), CircuitRecord()
        self._kept: list[object] = [symbols, numbers, circuit]
        for name, one in {"symbols": symbols, "numbers": numbers, "circuit": circuit}.items():
            setattr(self.record, name, _address(one))
        if SimulationPolicy.EXPLORATION in among:
            self._mark_bits(rules.features.marks, size)
        if SimulationPolicy.SSC in among:
            features = rules.features.symbols
            self._kept.append(fill_linear(symbols, features, self._players, size))
        if SimulationPolicy.SCORE in among:
            features = rules.features.numbers
            self._kept.append(fill_linear(numbers, features, self._players, size))
        if SimulationPolicy.AGE in among and (goals := rules.goal_circuit):
            self._kept.append(fill_circuit(circuit, goals))

    def _mark_bits(self, marks: Sequence[int], size: int) -> None:
        bits = np.zeros(8 * size, bool)
        bits[list(marks)] = True
        mask = np.packbits(bits, bitorder="little").view("<i4").astype("i4")
        self._arrays.put("mask", mask)
        self._arrays.put("recent", np.zeros(RECENT * size, "u1"))
        self.record.mark_count = len(marks)


def usable(policies: Policies, rules: Rules) -> tuple[Policies, str]:
    """The policies that have something to go by in a game, and what there is to say about it."""
    if SimulationPolicy.SCORE not in policies.among or rules.features.numbers:
        return policies, ""
    among = tuple(policy for policy in policies.among if policy != SimulationPolicy.SCORE)
    note = "the rules count no number towards the goal, so the policy 'score' has nothing to go by"
    return replace(policies, among=among or (SimulationPolicy.RANDOM,)), note


def _address(record: Record) -> int:
    """Where a record is."""
    return ctypes.addressof(record)  # type: ignore[arg-type]
