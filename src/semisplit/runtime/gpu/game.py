"""Games on a GPU: playouts from many states at once."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semisplit.core.limits import MAX_MOVE_LENGTH, MAX_MOVES
from semisplit.core.rules import Rules
from semisplit.core.work import doing
from semisplit.runtime.abi import Job, Part, Status
from semisplit.runtime.gpu.driver import Buffer, Device, Kernel
from semisplit.runtime.gpu.kernel import NAME, gpu_target, kernel_of
from semisplit.runtime.scratch import MAX_WORK, raise_status

STATUS, MOVES, STATES, SCORES = range(4)
"""Where these are in the results of a state."""
_LEVELS = 16
"""Frames in the memory of a thread, beyond those of known depth; more if a game needs more."""
_PIECES_PER_THREAD = 8
"""So many pieces of a job for each thread, if there are enough playouts: those who are done early
take another one."""
_MOST_AT_ONCE = 2**31
"""Playouts of one launch."""


class Results(NamedTuple):
    """What happened in the playouts from some states, for each of them."""

    games: int
    """Playouts from each state."""
    moves: NDArray[np.int64]
    states: NDArray[np.int64]
    """All states reached, those left again because they were dead included."""
    scores: NDArray[np.int64]
    """The sums of the final scores, one column for each player."""


class GpuGame:
    """A game whose playouts run on a GPU: with split moves if its rules are split."""

    def __init__(self, rules: Rules, device: Device | None = None):
        """Compile it, or take it from the cache. `GpuError` says what is missing.

        Args:
            rules: The rules, with a split strategy or without.
            device: The GPU; the first one if none is given.
        """
        self.device = device or Device.first()
        self.facts = rules.compile(Part.GAME).facts
        self._rules = rules
        self._levels = _LEVELS
        self._local = threading.local()
        """Threads have buffers of their own, and may play at the same time."""
        self._loading = threading.Lock()
        self._load()

    def _load(self) -> None:
        """Get the kernel for a number of levels."""
        self.device.use()
        with doing(f"compiling {self._rules.source.name} for the GPU"):
            ptx = kernel_of(self._rules, self._levels, gpu_target(self.device.version))
            self.kernel = Kernel(self.device, ptx.text.encode(), NAME)
        self.block_threads = ptx.threads
        self.blocks = self.kernel.resident_blocks(ptx.threads)
        """Blocks of threads that run at the same time."""

    def playouts(self, state: bytes, seed: int, count: int) -> Results:
        """Play at random from one state; playout i takes its random numbers from seed + i."""
        parts: list[Results] = []
        for first in range(0, count, _MOST_AT_ONCE):
            size = min(_MOST_AT_ONCE, count - first)
            parts.append(self.batch_playouts([state], [seed + first], size))
        columns = [[getattr(part, name) for part in parts] for name in Results._fields[1:]]
        return Results(count, *(np.sum(column, axis=0) for column in columns))

    def batch_playouts(
        self, states: Sequence[bytes], seeds: Sequence[int], count: int = 1
    ) -> Results:
        """Play at random from many nodal states, `count` times from each.

        Each state has a seed. The same seeds give the same games as on the processor.
        """
        if count < 1 or not states or len(states) != len(seeds):
            raise ValueError("at least one playout from a state, and a seed for each are needed")
        memory = np.frombuffer(b"".join(states), np.uint8)
        numbers = np.array([seed & (2**64 - 1) for seed in seeds], np.uint64)
        rows = self.play(memory, numbers, count)
        raise_status(Status(int(rows[:, STATUS].max())))
        return Results(count, rows[:, MOVES], rows[:, STATES], rows[:, SCORES:])

    def play(
        self, states: NDArray[np.uint8], seeds: NDArray[np.uint64], count: int
    ) -> NDArray[np.int64]:
        """The same with states and seeds in arrays; returns rows of results with their status."""
        levels = self._levels
        rows = self._play(states, seeds, count)
        while (rows[:, STATUS] == Status.LONG_MOVE).any() and levels < MAX_MOVE_LENGTH:
            # Threads had too little memory for this game.
            levels *= 4
            with self._loading:
                if self._levels < levels:
                    self._levels = levels
                    self._load()
            rows = self._play(states, seeds, count)
        return rows

    def _play(
        self, states: NDArray[np.uint8], seeds: NDArray[np.uint64], count: int
    ) -> NDArray[np.int64]:
        self.device.use()
        number = len(seeds)
        rows = np.zeros((number, SCORES + self.facts.players), np.int64)
        results = self._buffer("results", rows.nbytes)
        results.fill_zero(rows.nbytes)
        threads = self.blocks * self.block_threads
        length = max(1, number * count // (threads * _PIECES_PER_THREAD))
        length = min(length, count)
        job = Job(
            pieces=number * -(-count // length),
            states=self._written("states", states),
            seeds=self._written("seeds", seeds),
            count=count,
            length=length,
            max_moves=MAX_MOVES,
            max_work=MAX_WORK,
            results=results.address.value,
        )
        work = self._buffer("job", ctypes.sizeof(job))
        work.write(ctypes.addressof(job), ctypes.sizeof(job))
        blocks = min(self.blocks, -(-job.pieces // self.block_threads))
        self.kernel.launch(blocks, self.block_threads, [work.address.value])
        results.read(rows.ctypes.data, rows.nbytes)
        return rows

    def _written(self, name: str, array: NDArray[Any]) -> int:
        """The address on the device of a copy of an array."""
        array = np.ascontiguousarray(array)
        buffer = self._buffer(name, array.nbytes)
        buffer.write(array.ctypes.data, array.nbytes)
        return int(buffer.address.value)

    def _buffer(self, name: str, size: int) -> Buffer:
        """Memory of the device for some purpose, which is used again."""
        buffers: dict[str, Buffer] = self._local.__dict__
        if name not in buffers or buffers[name].size < size:
            buffers[name] = Buffer(self.device, 2 * size)
        return buffers[name]
