"""The memory of simulations that follow policies, from Python's side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.features.feature import Feature

if TYPE_CHECKING:
    from semisplit.search.features.policies.memory import PolicyMemory


class PoliciesFeature(Feature):
    """A worker has another one that makes its simulations, with what policies have learnt."""

    def __init__(self, common: Common):
        super().__init__(common)
        self.policies = common.variant.policies
        if self.policies:
            # Compiling policies takes long to load.
            from semisplit.search.features.policies.memory import usable

            self.policies, common.note = usable(self.policies, common.game.rules)
        self.memories: list[PolicyMemory] = []
        """Those of all workers."""

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Give a worker another one for simulations."""
        if self.policies is None or worker.simulates:
            return
        from semisplit.search.features.policies.memory import PolicyMemory

        player = WorkerMemory(self.common, worker.seed, simulates=True)
        worker.helpers.append(player)
        self.memories.append(PolicyMemory(self.common, self.policies, player))
        worker.context.guide = self.memories[-1].address
