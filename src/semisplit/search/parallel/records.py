"""The memory of several iterations, or several playouts, at a time."""

from __future__ import annotations

from enum import IntEnum

from semisplit.search.engine.records import PathRecord
from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f8,
    i8,
    record,
    record_of,
    u8,
)
from semisplit.search.parallel.settings import Parallel


class Sharing(IntEnum):
    """Which other iterations are under way in a tree at the same time."""

    ALONE = 0
    FREE = 1
    """Those of other threads: one waits for another only where a node gets edges."""
    LOCKED = 2
    """One at a time: what does not simulate has the tree to itself."""


@record_of(Parallel)
class ParallelRecord(ParameterRecord):
    """Several iterations at a time."""

    sharing: i8  # `Sharing`


@record
class LeafRecord(Record):
    """A leaf of a batch."""

    length: i8  # of the path to it
    depth: i8  # in moves
    state: i8  # the number of its state among those to be played; -1 if the game is over there
    states: i8  # nodal states on the way to it


@record
class GpuRecord(Record):
    """How to have a batch played on a GPU, see `compiler.gpu.batch.Launch`."""

    job: Array[i8]
    rows: Array[i8]
    head: i8
    memory: i8
    results: i8
    context: i8
    function: i8
    arguments: i8
    stream: i8
    blocks: i8
    block_threads: i8
    at_once: i8
    use: i8
    write: i8
    launch: i8
    read: i8
    finish: i8


@record
class JobOfTree(Record):
    """Playouts of a leaf that are shared out among threads."""

    next: i8  # part, counted through all leaves: see `batch.py`
    over: i8  # 1 if nothing more will come
    sharers: i8  # threads that share the work; 0 if it is not shared
    end: i8  # the part after the last of the current leaf
    parts: i8  # that the playouts of a leaf are divided into
    left: i8  # parts of the current leaf that have not been completed
    state: i8  # the address of the leaf's state
    seed: u8
    count: i8  # playouts
    sums: i8  # the address of the sums of scores
    moves: i8  # made by helpers
    failure: i8  # why one of their parts was given up


@record
class BatchOfWorker(Record):
    """Leaves that are played together."""

    leaves: Array[LeafRecord]
    paths: Array[PathRecord]  # room for the ways to all of them
    states: i8  # the address of their states
    seeds: Array[u8]
    sums: Array[i8]  # of the scores, for each state and player
    over_scores: Array[f8]  # the scores of leaves in which the game is over, for each player
    gpu: Array[GpuRecord]  # how they are played there, if they are: one


@record
class RoomOfWorker(Record):
    """Room that a worker has taken in a tree of several threads."""

    generation: i8  # of the tree
    edge_top: i8  # where the next edges go
    edge_end: i8  # where the room for them ends
    step_top: i8  # where the next steps go
    step_end: i8
