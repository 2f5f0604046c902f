"""The memory of several iterations at a time, from Python's side."""

from __future__ import annotations

from semisplit.compiler.gpu.batch import BatchMemory
from semisplit.compiler.gpu.game import GpuGame
from semisplit.compiler.runtime.scratch import apart
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.share import LOCKS_SIZE
from semisplit.search.engine.toolkit.record import fill_record
from semisplit.search.features.feature import Feature
from semisplit.search.features.mast.settings import Decay
from semisplit.search.parallel.records import Sharing
from semisplit.search.parallel.settings import Method

_MAX_PATH = 1 << 20
"""Room for the way through the tree, in edges."""
_MAX_PATH_IN_BATCH = 1 << 16
"""Room for the way to each leaf of a batch."""


class ParallelFeature(Feature):
    """Locks of trees, and leaves of batches."""

    def __init__(self, common: Common):
        super().__init__(common)
        fill_record(common.settings.parallel, common.variant.parallel)
        common.settings.parallel.sharing = self._sharing
        self._game = None
        if common.variant.parallel.gpu:
            rules = common.game.rules
            self._game = GpuGame(rules if common.variant.splits_simulation else rules.split(None))

    @property
    def _sharing(self) -> Sharing:
        variant, parallel = self.common.variant, self.common.variant.parallel
        several = parallel.threads > 1 and parallel.method == Method.TREE
        forgets = variant.mast is not None and variant.mast.decay != Decay.MOVE
        # What moves edges around or changes all samples is done by one at a time.
        needs_lock = variant.groups or self.common.rules.choosers or forgets
        if several and not parallel.locked and not needs_lock:
            return Sharing.FREE
        return Sharing.LOCKED if several or parallel.batch > 1 else Sharing.ALONE

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Make locks, if there is more than one iteration at a time."""
        if self.common.settings.parallel.sharing != Sharing.ALONE:
            tree.arrays.allocate("locks", LOCKS_SIZE)

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Make room for the way to a leaf, or to all leaves of a batch."""
        record, rules, arrays = worker.record, self.common.rules, worker.arrays
        leaves = self.common.settings.parallel.batch
        record.path_size = _MAX_PATH if leaves == 1 else _MAX_PATH_IN_BATCH
        arrays.put("path", arrays.allocate("batch.paths", leaves * record.path_size))
        arrays.allocate("batch.leaves", leaves)
        arrays.allocate("batch.over_scores", leaves * rules.players)
        if self._game:
            self._share_with_gpu(worker, self._game, leaves)
        else:
            arrays.put("batch.states", apart((leaves + 1) * rules.state_bytes))
            arrays.allocate("batch.seeds", leaves)
        arrays.allocate("batch.sums", (leaves + 1) * rules.players)

    def _share_with_gpu(self, worker: WorkerMemory, game: GpuGame, leaves: int) -> None:
        """Write the states of leaves where the GPU gets them from."""
        shared = BatchMemory(game, leaves)
        worker.kept.append(shared)
        worker.arrays.put("batch.states", shared.states)
        worker.arrays.put("batch.seeds", shared.seeds)
        (record,) = worker.arrays.allocate("batch.gpu", 1)
        for name, value in shared.launch._asdict().items():
            record[name] = value
