"""The memory of RAVE, from Python's side."""

from __future__ import annotations

from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.toolkit.record import fill_record
from semisplit.search.features.feature import Feature


class RaveFeature(Feature):
    """RAVE."""

    def __init__(self, common: Common):
        super().__init__(common)
        rave, record = common.variant.rave, common.settings.rave
        if rave is None:
            return
        fill_record(record, rave)
        record.split, record.submoves = common.coding.known(rave.variant)
        record.kinds = bool(record.split) + bool(record.submoves)

    def columns(self) -> dict[str, int]:
        """Samples, their averages, and what the same (semi)move is known as elsewhere."""
        rave = self.common.settings.rave
        columns = {"rave.samples": rave.kinds, "rave.means": rave.kinds} if rave.kinds else {}
        return columns | ({"rave.elements": 1} if rave.submoves else {})

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Make room to note down what was played in an iteration."""
        rules, settings = self.common.rules, self.common.settings
        worker.arrays.allocate("rave.estimates", worker.list_size)
        if settings.rave.split and settings.dense:
            worker.arrays.allocate("rave.step_stamps", rules.players * rules.codes)
        if settings.rave.kinds:
            worker.arrays.allocate("rave.submove_stamps", 0)

    def begin(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Have a stamp for each submove, as there may be more of them now."""
        stamps = tree.record.submoves.capacity * self.common.rules.players
        if self.common.settings.rave.kinds and len(worker.arrays["rave.submove_stamps"]) < stamps:
            worker.arrays.enlarge("rave.submove_stamps", stamps)

    def estimate(self, tree: TreeMemory, edge: int) -> float | None:
        """RAVE's average score of an edge; None if there is none."""
        rave = self.common.settings.rave
        if not rave.kinds:
            return None
        samples, number = tree.arrays["rave.samples"], rave.kinds * edge
        if rave.kinds == 2 and samples[number + 1]["weight"] >= rave.threshold:
            number += 1
        known = samples[number]
        return float(known["total"] / known["weight"]) if known["weight"] else None
