"""Leaves that a GPU plays.

Each thread asks the driver for its own ones and waits for them; others select meanwhile.
"""

from __future__ import annotations

from semisplit.compiler.gpu.game import MOVES, PIECES, SCORES, STATUS
from semisplit.compiler.runtime.abi import Job, Status
from semisplit.search.engine.layout import MOVES as COUNTED
from semisplit.search.engine.layout import STATUS as FAILURE
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import (
    call_copy,
    call_finish,
    call_launch,
    call_playouts,
    call_use,
    kernel,
)
from semisplit.search.engine.toolkit.record import address_of
from semisplit.search.parallel.records import GpuRecord

_NEXT, _PIECES, _COUNT, _LENGTH = (
    Job.FIELDS.index(name) for name in ("next", "pieces", "count", "length")
)
_LONG_MOVE, _LEFT, _NO_GPU = int(Status.LONG_MOVE), int(Status.LEFT), int(Status.NO_GPU)
_INTEGER = 8
LOST = -1
"""In place of a sum of scores, none of which is negative."""


@kernel
def play_on_gpu(s: Workspace, states: int, playouts: int) -> None:
    """Have some leaves played; of those that were given up the sums are lost."""
    worker, players, gpu = s.worker, s.rules.players, s.worker.batch.gpu[0]
    width = SCORES + players
    failed = _launch(gpu, states, s.rules.state_bytes, playouts, width)
    for i in range(states):
        status = _NO_GPU if failed else gpu.rows[i * width + STATUS]
        if status in (_LONG_MOVE, _LEFT):
            # Threads of a GPU have little memory, for example.
            status = _play_here(s, i, playouts)
        elif status == 0:
            worker.context[COUNTED] += gpu.rows[i * width + MOVES]
            for player in range(players):
                worker.batch.sums[i * players + player] = gpu.rows[i * width + SCORES + player]
        if status != 0:
            worker.failure = status
            worker.batch.sums[i * players] = LOST


@kernel
def _launch(gpu: GpuRecord, states: int, state_bytes: int, playouts: int, width: int) -> bool:
    """Have them played, and wait for the results; did the driver report a failure?"""
    job = gpu.job
    length = max(1, states * playouts // PIECES // gpu.at_once) * gpu.at_once
    length = min(playouts, length)
    job[_NEXT] = 0
    job[_PIECES] = states * ((playouts + length - 1) // length)
    job[_COUNT] = playouts
    job[_LENGTH] = length
    for i in range(states * width):
        gpu.rows[i] = 0
    blocks = min(gpu.blocks, (job[_PIECES] + gpu.block_threads - 1) // gpu.block_threads)
    size = gpu.head + states * state_bytes
    failed = call_use(gpu.use, (gpu.context,))
    failed |= call_copy(gpu.write, (gpu.memory, address_of(job, 0), size, gpu.stream))
    failed |= call_launch(
        gpu.launch,
        (gpu.function, blocks, 1, 1, gpu.block_threads, 1, 1, 0, gpu.stream, gpu.arguments, 0),
    )
    size = states * width * _INTEGER
    failed |= call_copy(gpu.read, (address_of(gpu.rows, 0), gpu.results, size, gpu.stream))
    failed |= call_finish(gpu.finish, (gpu.stream,))
    return failed != 0


@kernel
def _play_here(s: Workspace, number: int, playouts: int) -> int:
    """Play a leaf on the processor; returns why that was given up, or 0."""
    worker, context = s.worker, s.worker.context
    place = worker.batch.states + number * s.rules.state_bytes
    sums = address_of(worker.batch.sums, number * s.rules.players)
    call_playouts(
        s.rules.playouts,
        (place, worker.batch.seeds[number], playouts, sums, address_of(context, 0)),
    )
    status = context[FAILURE]
    context[FAILURE] = 0
    return status
