"""A worker: what a thread needs for itself to work on trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.runtime.gpu.batch import BatchMemory
from semisplit.runtime.gpu.game import GpuGame
from semisplit.runtime.scratch import Scratch, apart
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.engine.layout import Sharing, TraceRecord, WorkerRecord, Workplace
from semisplit.search.engine.toolkit.lanes import LANES
from semisplit.search.engine.toolkit.record import i4, record_apart, size_of

if TYPE_CHECKING:
    from semisplit.search.features.policies.memory import PolicyMemory

_MAX_LIST = 1 << 26
"""Room for lists of moves, in steps."""
_MAX_PATH = 1 << 20
"""Room for the way through the tree, in edges."""
_MAX_PATH_IN_BATCH = 1 << 16
"""The same for each leaf of a batch."""
_MAX_RIPE = 1 << 16
"""Room for edges that are to be rolled up, in integers, an even number."""
_MAX_TRACE = 1 << 24
"""Room for what happens in an iteration, in steps."""
_ENDLESS = 2**62
_SPARE = 128
"""Bytes of an edge with all that belongs to it, and more."""


class WorkerMemory:
    """The record of a worker, and the arrays that it points to."""

    def __init__(self, common: Common, seed: int, *, simulates: bool = False):
        """Make a worker.

        Args:
            common: The game and the settings.
            seed: Of its random numbers.
            simulates: Whether it does nothing but make simulations that follow policies.
        """
        self._common = common
        self.record = record_apart(WorkerRecord)
        self.arrays = Arrays(self.record)
        setattr(self.record, "random", seed % 2**64)  # noqa: B010
        self.record.deadline = _ENDLESS
        self._allocate()
        self._prepare_calls()
        self.policies: PolicyMemory | None = None
        """That of its simulations, if they follow policies."""
        if common.policies and not simulates:
            from semisplit.search.features.policies.memory import PolicyMemory

            player = WorkerMemory(common, seed, simulates=True)
            self.policies = PolicyMemory(common, common.policies, player)
            self._scratch.context.guide = self.policies.address

    def _allocate(self) -> None:
        worker, rules, arrays = self.record, self._common.rules, self.arrays
        settings = self._common.settings
        levels = 2 * MAX_MOVE_LENGTH + 4
        arrays.put("stack", apart(levels * rules.state_bytes))
        arrays.allocate("levels", levels)
        arrays.allocate("buffer", _MAX_LIST)
        worker.buffer_size = _MAX_LIST
        worker.candidate_size = _MAX_LIST // 2 + rules.codes
        for name in ("candidates", "values", "guesses"):
            arrays.allocate(name, worker.candidate_size + 2 * LANES)
        self._allocate_leaves()
        # Behind the limit there is room for the longest move that can be found.
        arrays.allocate("trace", _MAX_TRACE + 3 * MAX_MOVE_LENGTH)
        worker.trace_size = _MAX_TRACE
        arrays.allocate("scores", rules.players)
        arrays.put("spare", apart(max(_SPARE, 8 * rules.players)))
        if settings.rave.split and settings.dense:
            arrays.allocate("split_stamps", rules.players * rules.codes)
        if settings.rave.records:
            arrays.allocate("submove_stamps", 0)
        if self._common.groups:
            self._situation = self._common.groups.allocate(worker, arrays)

    def _allocate_leaves(self) -> None:
        """Make room for the way to a leaf, or to all leaves of a batch."""
        worker, rules, arrays = self.record, self._common.rules, self.arrays
        leaves = self._common.settings.parallel.batch
        worker.path_size = _MAX_PATH if leaves == 1 else _MAX_PATH_IN_BATCH
        arrays.put("path", arrays.allocate("paths", leaves * worker.path_size))
        arrays.allocate("leaves", leaves)
        arrays.allocate("over_scores", leaves * rules.players)
        if self._common.on_gpu:
            self._share_with_gpu(self._common.on_gpu, leaves)
        else:
            arrays.put("states_of_leaves", apart((leaves + 1) * rules.state_bytes))
            arrays.allocate("seeds", leaves)
        arrays.allocate("sums", (leaves + 1) * rules.players)
        settings = self._common.settings
        if settings.rolls_up and settings.parallel.sharing != Sharing.ALONE:
            worker.ripe_size = _MAX_RIPE
            arrays.allocate("ripe", _MAX_RIPE)

    def _share_with_gpu(self, game: GpuGame, leaves: int) -> None:
        """Write the states of leaves where the GPU gets them from."""
        self._on_gpu = BatchMemory(game, leaves)
        self.arrays.put("states_of_leaves", self._on_gpu.states)
        self.arrays.put("seeds", self._on_gpu.seeds)
        (record,) = self.arrays.allocate("gpu", 1)
        for name, value in self._on_gpu.launch._asdict().items():
            record[name] = value

    def _prepare_calls(self) -> None:
        """Set up the context of the compiled game."""
        worker, settings, coding = self.record, self._common.settings, self._common.coding
        self._scratch = Scratch(coding.frame_bytes, coding.game.facts.group_bytes)
        self._scratch.reset()
        context = self._scratch.context
        context.max_work = settings.max_work
        context.buffer_end = self.arrays["buffer"].ctypes.data + size_of(i4) * worker.buffer_size
        context.epsilon = int(settings.mast.epsilon * 2**53)
        trace = self.arrays["trace"].ctypes.data
        context.trace_end = trace + size_of(TraceRecord) * worker.trace_size
        setattr(worker, "context", self._scratch.address)  # noqa: B010

    def allow(self, work: int, deadline: int) -> None:
        """Let simulations be given up after so many failures, or when the clock shows a time."""
        self._scratch.context.max_work, self.record.deadline = work, deadline
        if self.policies:
            self.policies.worker.allow(work, deadline)

    def at(self, tree: TreeMemory) -> Workplace:
        """What kernels get to work on a tree, as long as its table of submoves does not grow."""
        common, stamps = self._common, tree.record.submove_capacity * self._common.rules.players
        if common.settings.rave.records and len(self.arrays["submove_stamps"]) < stamps:
            self.arrays.enlarge("submove_stamps", stamps)
        return Workplace(common.rules, common.settings, tree.record, self.record)
