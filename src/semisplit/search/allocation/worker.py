"""A worker: what a thread needs for itself to work on trees."""

from __future__ import annotations

from semisplit.compiler.runtime.abi import Context
from semisplit.compiler.runtime.scratch import Scratch, apart
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.engine.layout import WorkerRecord, Workspace
from semisplit.search.engine.records import TraceRecord
from semisplit.search.engine.toolkit.lanes import LANES
from semisplit.search.engine.toolkit.record import i4, record_apart, size_of

_MAX_LIST = 1 << 26
"""Room for lists of moves, in steps."""
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
        self.seed, self.simulates = seed, simulates
        self.record = record_apart(WorkerRecord)
        self.arrays = Arrays(self.record)
        setattr(self.record, "random", seed % 2**64)  # noqa: B010
        self.record.clock.deadline = _ENDLESS
        self.helpers: list[WorkerMemory] = []
        """Others that work for it, within its iterations."""
        self.kept: list[object] = []
        """What features need as long as there is the worker."""
        self._allocate()
        self._scratch = self._prepare_calls()
        for feature in common.features:
            feature.prepare_worker(self)

    @property
    def list_size(self) -> int:
        """Room for something about each of what can be listed, also for vectors."""
        return self.record.lists.size + 2 * LANES

    @property
    def context(self) -> Context:
        """That of the compiled game."""
        return self._scratch.context

    def _allocate(self) -> None:
        worker, rules, arrays = self.record, self._common.rules, self.arrays
        levels = 2 * MAX_MOVE_LENGTH + 4
        arrays.put("stack", apart(levels * rules.state_bytes))
        arrays.allocate("levels", levels)
        arrays.allocate("lists.buffer", _MAX_LIST)
        worker.lists.buffer_size = _MAX_LIST
        worker.lists.size = _MAX_LIST // 2 + rules.codes
        arrays.allocate("lists.candidates", self.list_size)
        arrays.allocate("values", self.list_size)
        # After the limit there is room for the longest move that can be found.
        arrays.allocate("trace", _MAX_TRACE + 3 * MAX_MOVE_LENGTH)
        worker.trace_size = _MAX_TRACE
        arrays.allocate("scores", rules.players)
        arrays.put("swap_space", apart(max(_SPARE, 8 * rules.players)))

    def _prepare_calls(self) -> Scratch:
        """Set up the context of the compiled game."""
        worker, coding = self.record, self._common.coding
        scratch = Scratch(coding.frame_bytes, coding.game.facts.group_bytes)
        scratch.reset()
        context = scratch.context
        context.max_work = self._common.settings.max_work
        buffer = self.arrays["lists.buffer"].ctypes.data
        context.buffer_end = buffer + size_of(i4) * worker.lists.buffer_size
        trace = self.arrays["trace"].ctypes.data
        context.trace_end = trace + size_of(TraceRecord) * worker.trace_size
        setattr(worker, "context", scratch.address)  # noqa: B010
        return scratch

    def allow(self, work: int, deadline: int) -> None:
        """Let simulations be given up after so many failures, or when the clock shows a time."""
        self.context.max_work, self.record.clock.deadline = work, deadline
        for helper in self.helpers:
            helper.allow(work, deadline)

    def at(self, tree: TreeMemory) -> Workspace:
        """What kernels get to work on a tree, as long as no feature of it settles."""
        for feature in self._common.features:
            feature.begin(tree, self)
        return Workspace(self._common.rules, self._common.settings, tree.record, self.record)
