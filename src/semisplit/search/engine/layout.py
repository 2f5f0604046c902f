"""The memory of a search: what is where.

What kernels work on is in four records, which they get together as a `Workspace`, `s`:

- `RulesRecord`: the game. It never changes.
- `SettingsRecord`: the variant. It never changes either.
- `TreeRecord`: the tree and what has been learnt. Workers share it; a search may have several.
- `WorkerRecord`: what one worker, a thread, has for itself. It may go from tree to tree.

What belongs to a feature is a record inside these, and is declared in the feature's folder.

A node is known by the edge that leads to it, so that a step down the tree is one access to memory.
The edges of a node lie together: those visited first, then those not tried yet. Where several
players may decide at once there is more to it: see `features.decoupled`.
"""

from __future__ import annotations

from typing import NamedTuple

from semisplit.compiler.runtime.abi import Context
from semisplit.search.engine.records import (
    EdgeRecord,
    LevelRecord,
    PathRecord,
    TraceRecord,
    UctTermsRecord,
)
from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f4,
    f8,
    i4,
    i8,
    record,
    record_of,
    u8,
)
from semisplit.search.features.groups.records import (
    GroupsOfRules,
    GroupsOfTree,
    GroupsOfWorker,
    GroupsRecord,
)
from semisplit.search.features.line.records import LineOfTree
from semisplit.search.features.mast.records import MastOfTree, MastRecord
from semisplit.search.features.narrowing.records import NarrowingOfTree
from semisplit.search.features.rave.records import RaveOfTree, RaveOfWorker, RaveRecord
from semisplit.search.features.rollup.records import RollupOfWorker
from semisplit.search.features.solver.records import SolverOfTree, SolverRecord
from semisplit.search.features.submoves.records import SubmovesOfTree
from semisplit.search.parallel.records import (
    BatchOfWorker,
    JobOfTree,
    ParallelRecord,
    RoomOfWorker,
)
from semisplit.search.settings import Settings

LOGARITHMS = 32 << 10
"""Numbers of up to 32 bits whose logarithms are at hand: those whose first eleven bits differ."""
ROOT = 0
"""The edge that leads to the root; its visits are all there have been."""


@record
class RulesRecord(Record):
    """What never changes about the game. There is one for a search."""

    # Addresses of functions of the compiled game (see `compiler.runtime.abi`), 0 if there is none:
    apply: i8  # makes a (semi)move, and the keeper's
    list_actions: i8  # lists codes of single steps; those that also list so are the same address
    list_semimoves: i8  # lists what can be done inside a move
    list_tree: i8  # lists what edges are made of
    list_simulation: i8  # lists what simulations choose from
    playouts: i8  # makes a whole simulation; 0 if kernels have to do it
    batch_playouts: i8  # makes them from many states; 0 if that is not faster
    # Sizes:
    state_bytes: i8
    players: i8
    codes: i8  # the number of different codes of steps
    silent: i8  # codes below it mark where a move is split and change nothing
    chance: i8  # the player whose moves are drawn by lot; 0 if there is none
    choosers: i8  # after the edges of nodal nodes; 0 if never several players decide at once
    bounds: Array[f8]  # the highest score of each player
    groups: GroupsOfRules


@record_of(Settings)
class SettingsRecord(ParameterRecord):
    """What to do: the variant, its parameters (see `search.settings`), limits.

    There is one for a search.
    """

    rolls_up: i8  # 1 if the tree is rolled up
    root_logarithms: Array[f4]  # sqrt(ln n) of numbers n, by their first bits (`LOGARITHMS`)
    traced: i8  # 1 if steps are noted down in the trace
    contexts: i8  # 1 if contexts, beginnings of moves, are told apart
    dense: i8  # 1 if MAST and RAVE know single steps in arrays, 0 if as submoves
    mast: MastRecord
    rave: RaveRecord
    solver: SolverRecord
    groups: GroupsRecord
    parallel: ParallelRecord
    # Limits:
    max_length: i8  # steps of a move
    max_moves: i8  # moves of a simulation
    max_work: i8  # failures in finding moves


@record
class TreeRecord(Record):
    """A tree, and what has been learnt while it grew. Workers share it; a search may have several.

    The table of submoves belongs here, as edges know their submoves by its numbers.

    Besides the elements of its arrays, workers write: `full`, `edge_count`, `step_count`,
    `node_count`, `deepest`, `simulations`, and some fields of features: MAST's scale, the numbers
    of submoves and of narrowed nodes, the best line, and the playouts that are shared out. All else
    is changed by Python, between calls of kernels. How workers keep out of each other's way:
    `share.py`.
    """

    root: i8  # the address of the state at the root
    # The tree, limited in bytes:
    max_bytes: i8  # that edges, with all that belongs to them, and steps may take
    generation: i8  # how often it has begun anew
    full: i8  # 1 if it has reached the limit, and does not grow any more
    edges: Array[EdgeRecord]
    uct_terms: Array[UctTermsRecord]  # of each edge
    steps: Array[i4]  # of edges that have several: their number, then their codes; and of groups
    deepest: i8  # moves from the root to the deepest node
    locks: Array[i4]  # of several threads, see `share.py`
    # Features:
    groups: GroupsOfTree
    rave: RaveOfTree
    solver: SolverOfTree
    mast: MastOfTree
    submoves: SubmovesOfTree
    narrowing: NarrowingOfTree
    line: LineOfTree
    job: JobOfTree
    # What iterations change all the time, far from what others only read and would fetch anew:
    edge_count: i8
    step_count: i8  # used elements of `steps`
    node_count: i8  # edges that have been visited, that to the root included
    simulations: i8  # that have been completed, also in trees that this one comes from


@record
class CountsRecord(Record):
    """What a worker counts, from its beginning."""

    iterations: i8  # begun; the number of the current one
    states: i8  # nodal states visited, in iterations that were completed
    abandoned: i8  # iterations given up
    failures: i8  # those since the latest that was completed
    nodes: i8  # that it has visited first, if threads share a tree; Python adds them to the tree's
    simulations: i8  # that it has completed, in the same way
    contended: i8  # iterations that ended at a node as another thread was giving it edges


@record
class ClockRecord(Record):
    """The time of a worker, by the processor's clock."""

    deadline: i8  # when a simulation is given up; Python sets it
    ticks: i8  # time in kernels; Python clears it
    simulation_ticks: i8  # time in simulations


@record
class ListsRecord(Record):
    """What can be done in the states on the way to the next nodal one."""

    buffer: Array[i4]  # moves as the game lists them: their length, their steps
    buffer_size: i8  # integers
    buffer_top: i8  # so many are in use
    candidates: Array[i4]  # where in its part of the buffer each of them is, or the step it is
    size: i8  # candidates
    top: i8  # so many are in use


@record
class GrowthRecord(Record):
    """An expansion whose edge is added to the tree when it has been simulated, or before that."""

    pending: i8  # 1 if there is one
    node: i8
    edge: i8  # of the node
    player: i8  # who moves there
    submove: i8  # the context of the node
    context: i8  # after the edge
    walk: i8  # edges from there to the next nodal state
    trace: i8  # where in the trace its steps begin


@record
class WorkerRecord(Record):
    """What a worker has for itself: the current iteration, memory to work in, its own counters."""

    random: u8  # the state of its random numbers
    context: Array[i8]  # that of the compiled game, `abi.Context`
    counts: CountsRecord
    clock: ClockRecord
    failure: i8  # why the latest iteration was given up: `abi.Status` or a reason of kernels
    # States on the way to the next nodal one, and what can be done there:
    stack: i8  # the address of the first of them
    levels: Array[LevelRecord]
    lists: ListsRecord
    values: Array[f4]  # by which one of some candidates or edges is chosen
    # The current iteration:
    path: Array[PathRecord]
    path_size: i8
    path_length: i8
    depth: i8  # moves from the root to the end of the path
    trace: Array[TraceRecord]
    trace_size: i8  # after it there is room for one move more
    trace_length: i8
    tree_length: i8  # the part of the trace that was in the tree
    moves: i8  # of the simulation
    seed: u8  # of the simulation, if the compiled game made it
    scores: Array[f8]  # of each player, from 0 to 1
    swap_space: i8  # the address of room for an edge, or for scores that are not read
    leaf: i8  # the node that the path ends in, if it is nodal, or -1
    growth: GrowthRecord
    # Features:
    rave: RaveOfWorker
    groups: GroupsOfWorker
    rollup: RollupOfWorker
    batch: BatchOfWorker
    room: RoomOfWorker


class Workspace(NamedTuple):
    """A worker at a tree: what kernels get."""

    rules: RulesRecord
    settings: SettingsRecord
    tree: TreeRecord
    worker: WorkerRecord


_FIELD = {name: number for number, name in enumerate(Context.FIELDS)}
STATUS, WORK, MOVES, NOTES, SCORES = (
    _FIELD[name] for name in ["status", "work", "moves", "trace", "scores"]
)
BUFFER, PLACES, ENOUGH, FOUND, WRITTEN, MAX_MOVES = (
    _FIELD[name] for name in ["buffer", "places", "enough", "found", "written", "max_moves"]
)
"""Where in the context of a compiled game its fields are."""
