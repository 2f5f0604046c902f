"""Games on a GPU: playouts from many states at once."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semisplit.compiler.gpu.driver import Buffer, Device, Kernel
from semisplit.compiler.gpu.kernel import NAME, Threaded, gpu_target, kernel_of
from semisplit.compiler.runtime.abi import THREAD_LANES, Bundle, Job, Status
from semisplit.compiler.runtime.scratch import MAX_WORK, raise_status
from semisplit.core.limits import MAX_MOVE_LENGTH, MAX_MOVES
from semisplit.core.work import doing

STATUS, MOVES, STATES, SCORES = range(4)
"""Where these are in the results of a state."""
_LEVELS = 16
"""Frames in the memory of a thread, beyond those of known depth; more if a game needs more."""
PIECES = 2**20
"""Into about so many a job is divided, if there are enough playouts: some for each thread, as those
that are done early take another one."""
_DIVIDED = 2**16
"""Parts into which playouts are divided if some of them need more memory than there is."""
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

    def __init__(
        self, rules: Threaded, device: Device | None = None, *, max_moves: int = MAX_MOVES
    ):
        """Compile it, or take it from the cache. `GpuError` says what is missing.

        Args:
            rules: The rules, with a split strategy or without.
            device: The GPU; the first one if none is given.
            max_moves: Moves after which a playout is given up.
        """
        self.device = device or Device.first()
        self._compiled = rules.compile(Bundle.GAME)
        self.facts = self._compiled.facts
        self.at_once = THREAD_LANES if self.facts.lanes > 1 else 1
        """Games that a thread plays at once."""
        self._rules = rules
        self._max_moves = max_moves
        self._local = threading.local()
        """Threads have buffers of their own, and may play at the same time."""
        self._loading = threading.Lock()
        self._levels = self._most_levels = _LEVELS
        self._use(self._load(_LEVELS))

    def _load(self, levels: int) -> tuple[Kernel, int]:
        """The kernel for a number of levels, and how many threads form a block."""
        self.device.use()
        with doing(f"compiling {self._rules.source.name} for the GPU"):
            ptx = kernel_of(self._rules, levels, gpu_target(self.device.version))
            return Kernel(self.device, ptx.text.encode(), NAME), ptx.threads

    def _use(self, loaded: tuple[Kernel, int]) -> None:
        self.kernel, self.block_threads = loaded
        self.blocks = self.kernel.resident_blocks(self.block_threads)
        """Blocks of threads that run at the same time."""

    def _grow(self, levels: int) -> bool:
        """Give threads more memory than they had for so many levels; whether that is possible."""
        with self._loading:
            if self._most_levels <= levels < MAX_MOVE_LENGTH:
                self._most_levels = 2 * levels
                loaded = self._load(2 * levels)
                if self.device.has_memory(loaded[0].local_bytes):
                    self._levels = 2 * levels
                    self._use(loaded)
            return self._levels > levels

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

        Each state has a seed. The same seeds give the same games as on the processor, but for
        games in GDL, of which it plays more at once.
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
        """Play with states and seeds in arrays; returns rows of results with their status."""
        while True:
            levels = self._levels
            rows = self._play(states, seeds, count)
            are_long = rows[:, STATUS] == Status.LONG_MOVE
            if not (are_long.any() and self._grow(levels)):
                break
        memory = states.reshape(len(seeds), -1)
        for index in np.flatnonzero(are_long | (rows[:, STATUS] == Status.LEFT)):
            rows[index] = self._play_long(memory[index], seeds[index], count)
        return rows

    def _play_long(
        self, state: NDArray[np.uint8], seed: np.uint64, count: int
    ) -> NDArray[np.int64]:
        """Playouts that a GPU cannot make, most often as threads have too little memory for moves.

        They are divided until it is known which those are, and these are played here.
        """
        if count == 1:
            return self._play_here(state, int(seed))
        number = min(count, _DIVIDED)
        length = count // number
        firsts = seed + np.arange(number, dtype=np.uint64) * np.uint64(length)
        rows = self.play(np.tile(state, number), firsts, length)
        if rest := count % number:
            last = seed + np.uint64(number * length)
            rows = np.vstack([rows, self.play(state, last.reshape(1), rest)])
        total: NDArray[np.int64] = rows.sum(axis=0)
        total[STATUS] = rows[:, STATUS].max()
        return total

    def _play_here(self, state: NDArray[np.uint8], seed: int) -> NDArray[np.int64]:
        split = self.facts.split
        played = self._compiled.playouts(state.tobytes(), seed, semisplit=split)
        return np.array([Status.OK, played.moves, played.states, *played.scores], np.int64)

    def _play(
        self, states: NDArray[np.uint8], seeds: NDArray[np.uint64], count: int
    ) -> NDArray[np.int64]:
        self.device.use()
        number = len(seeds)
        rows = np.zeros((number, SCORES + self.facts.players), np.int64)
        length = min(count, max(1, number * count // PIECES // self.at_once) * self.at_once)
        # All that the GPU needs goes there at once, results that are zero included.
        sizes = (ctypes.sizeof(Job), rows.nbytes, seeds.nbytes, states.nbytes)
        results, seeds_at, states_at, end = accumulate(sizes)
        buffer = self._buffer(end)
        base = buffer.address.value
        job = Job(
            pieces=number * -(-count // length),
            states=base + states_at,
            seeds=base + seeds_at,
            count=count,
            length=length,
            max_moves=self._max_moves,
            max_work=MAX_WORK,
            results=base + results,
        )
        buffer.write(b"".join((job, rows.data, seeds.data, states.data)))
        blocks = min(self.blocks, -(-job.pieces // self.block_threads))
        self.kernel.launch(blocks, self.block_threads, [base])
        buffer.read(rows.ctypes.data, rows.nbytes, results)
        return rows

    def _buffer(self, size: int) -> Buffer:
        """Memory of the device for this thread, which is used again."""
        buffer: Buffer | None = getattr(self._local, "buffer", None)
        if buffer is None or buffer.size < size:
            buffer = self._local.buffer = Buffer(self.device, 2 * size)
        return buffer
