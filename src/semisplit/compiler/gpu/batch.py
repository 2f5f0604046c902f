"""Batches of states on a GPU, for searches whose threads call the driver by themselves."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semisplit.compiler.gpu.driver import STREAM, Buffer, PinnedMemory
from semisplit.compiler.gpu.game import SCORES, GpuGame
from semisplit.compiler.runtime.abi import Job
from semisplit.compiler.runtime.scratch import MAX_WORK
from semisplit.core.limits import MAX_MOVES


class Launch(NamedTuple):
    """How to have a batch played: addresses here, if nothing else is said, and sizes."""

    job: int
    """Of a `Job`, of which `pieces`, `count` and `length` depend on the batch."""
    rows: int
    """Of the results of each state."""
    head: int
    """Bytes of the job and of what is behind it, as far as states."""
    memory: int
    """An address of the GPU, where all of that goes."""
    results: int
    """The one of the results there."""
    context: int
    function: int
    arguments: int
    stream: int
    blocks: int
    """Blocks of threads that run at the same time."""
    block_threads: int
    at_once: int
    """Games that a thread plays at once."""
    # Functions of the driver:
    use: int
    write: int
    launch: int
    read: int
    finish: int


class BatchMemory:
    """Memory for batches of up to so many states. It belongs to one thread."""

    def __init__(self, game: GpuGame, states: int):
        device, facts = game.device, game.facts
        rows = ctypes.sizeof(Job)
        seeds = rows + states * 8 * (SCORES + facts.players)
        head = seeds + states * 8
        # Behind those that are played there is room for one state more.
        size = head + (states + 1) * facts.state_bytes
        self._pinned, self._buffer = PinnedMemory(device, size), Buffer(device, size)
        here, there = self._pinned.address.value or 0, self._buffer.address.value
        memory = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(here))
        self.seeds: NDArray[np.uint64] = memory[seeds:head].view(np.uint64)
        self.states: NDArray[np.uint8] = memory[head:]
        job = Job(
            states=there + head,
            seeds=there + seeds,
            results=there + rows,
            max_moves=MAX_MOVES,
            max_work=MAX_WORK,
        )
        ctypes.memmove(here, ctypes.byref(job), rows)
        self._arguments = (ctypes.c_void_p * 1)(ctypes.addressof(self._buffer.address))
        address = device.driver.address
        self.launch = Launch(
            job=here,
            rows=here + rows,
            head=head,
            memory=there,
            results=there + rows,
            context=device.context,
            function=game.kernel.function,
            arguments=ctypes.addressof(self._arguments),
            stream=STREAM,
            blocks=game.blocks,
            block_threads=game.block_threads,
            at_once=game.at_once,
            use=address("cuCtxSetCurrent"),
            write=address("cuMemcpyHtoDAsync_v2"),
            launch=address("cuLaunchKernel"),
            read=address("cuMemcpyDtoHAsync_v2"),
            finish=address("cuStreamSynchronize"),
        )
