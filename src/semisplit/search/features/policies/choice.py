"""The adaptive choice: which policy each player follows in a simulation, by UCB."""

from __future__ import annotations

import math

from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.portable import logarithm
from semisplit.search.engine.toolkit.record import part_of
from semisplit.search.features.policies.record import PolicyRecord


@kernel
def choose_policies(s: Workspace, p: PolicyRecord) -> None:
    """Choose for each player: what has not been tried, then the highest bound of confidence."""
    for player in range(s.rules.players):
        trials, simulations = part_of(p.trials, player * p.policy_count), 0
        for i in range(p.policy_count):
            simulations += trials[i].simulations
        best, highest = 0, -1.0
        for i in range(p.policy_count):
            if trials[i].simulations == 0:
                best = i
                break
            mean = trials[i].total / trials[i].simulations
            reach = math.sqrt(logarithm(simulations) / trials[i].simulations)
            if mean + p.parameters.exploration * reach > highest:
                best, highest = i, mean + p.parameters.exploration * reach
        p.chosen[player] = best


@kernel
def count_trials(s: Workspace, p: PolicyRecord) -> None:
    """Note what has come of the policies of a simulation."""
    for player in range(s.rules.players):
        trial = p.trials[player * p.policy_count + p.chosen[player]]
        trial.simulations += 1
        trial.total += s.worker.scores[player]
