"""Kernels decide as the policies' descriptions in Python do, decision by decision."""

import ctypes
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

import semisplit
from semisplit.compiler.runtime.abi import End
from semisplit.compiler.runtime.compiled import Codes
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.features.policies.compiling import address_of_playouts
from semisplit.search.features.policies.kinds.age import ReferenceGoals
from semisplit.search.features.policies.kinds.exploration import ReferenceExploration
from semisplit.search.features.policies.kinds.history import ReferenceHistory
from semisplit.search.features.policies.kinds.linear import ReferenceLinear
from semisplit.search.features.policies.kinds.mobility import ReferenceMobility
from semisplit.search.features.policies.memory import usable
from semisplit.search.features.policies.reference import ReferenceSimulations
from semisplit.search.features.policies.settings import SimulationPolicy
from semisplit.search.notation import parse_settings
from semisplit.search.settings import Simulation

_Playouts = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)


class Kernels:
    """Simulations of a worker, one by one."""

    def __init__(self, game: semisplit.Game, notation: str):
        self.worker = WorkerMemory(Common(game, parse_settings(notation)), 1)
        self.joint = game.rules.simultaneous
        self.sums = np.zeros(len(game.rules.players), "i8")
        self.playouts = _Playouts(address_of_playouts())

    def simulate(self, state: bytes, seed: int) -> list[Codes]:
        """What is chosen in each decision."""
        memory = ctypes.create_string_buffer(state, len(state))
        self.playouts(memory, seed, 1, self.sums.ctypes.data, self.worker.record.context)
        (player,) = self.worker.helpers
        decisions: list[Codes] = []
        codes: Codes = ()
        for step, _, end in player.arrays["trace"][: player.record.trace_length].tolist():
            codes += (step,)
            if self.joint or end == End.MOVE:
                decisions.append(codes)
                codes = ()
        return decisions


def describe(game: semisplit.Game, among: Iterable[SimulationPolicy]) -> dict[Any, Any]:
    """Policies as they are described in Python."""
    rules, compiled = game.rules, game.compiled
    bounds = list(rules.players.values())
    made: dict[SimulationPolicy, Callable[[], Any]] = {
        SimulationPolicy.AGE: lambda: ReferenceGoals(compiled, bounds, rules.goal_circuit),
        SimulationPolicy.HISTORY: ReferenceHistory,
        SimulationPolicy.MOBILITY: lambda: ReferenceMobility(compiled, bounds),
        SimulationPolicy.EXPLORATION: lambda: ReferenceExploration(rules.features.marks),
        SimulationPolicy.SSC: lambda: ReferenceLinear(rules.features.symbols, len(bounds)),
        SimulationPolicy.SCORE: lambda: ReferenceLinear(rules.features.numbers, len(bounds)),
    }
    return {policy: made[policy]() for policy in among if policy in made}


def compare(name: str, notation: str, simulations: int) -> None:
    """Let both make the same simulations."""
    settings = parse_settings(notation)
    game = semisplit.load(name, str(settings.split) if settings.split else None)
    kernels = Kernels(game, notation)
    assert settings.policies
    policies, _ = usable(settings.policies, game.rules)
    known = describe(game, policies.among)
    walks = settings.simulation == Simulation.SEMISPLIT
    reference = ReferenceSimulations(game, policies, known, walks=walks)
    compiled = game.compiled
    start = compiled.run_keeper(compiled.codec.pack(game.initial_state().position))
    total = np.zeros(len(game.rules.players))
    for seed in range(2**63, 2**63 + simulations):
        played = reference.simulate(start, seed)
        allowed = next(played)
        for number, codes in enumerate(kernels.simulate(start, seed)):
            assert codes in allowed, (seed, number)
            try:
                allowed = played.send(codes)
            except StopIteration as end:
                total += end.value.scores
                allowed = []
        assert allowed == []
    assert np.allclose(total * list(game.rules.players.values()), kernels.sums)


POLICIES = [policy.name.lower() for policy in SimulationPolicy]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["skirmish", "tic_tac_toe.kif", "farming_quandries"])
def test_policies_in_all_kinds_of_games(name: str, policy: str) -> None:
    compare(name, f"orthodox+{policy},sample=5", 15)


@pytest.mark.parametrize("strategy", ["Mod", "ModPlus"])
def test_moves_that_are_drawn_by_semimoves(strategy: str) -> None:
    compare("english_draughts", f"semisplit+adaptive@{strategy},sample=3", 15)


def test_the_adaptive_choice() -> None:
    compare("tic_tac_toe.kif", "mini,sample=4", 150)


def test_what_depends_on_itself() -> None:
    compare("hex_4", "orthodox+age", 10)


@pytest.mark.parametrize("policy", ["ssc", "score"])
def test_weights(policy: str) -> None:
    compare("farming_quandries", f"orthodox+{policy}", 50)
