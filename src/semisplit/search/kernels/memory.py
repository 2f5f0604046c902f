"""The memory of a search: what is where.

What kernels work on is in four records, which they get together as a `Workplace`, `s`:

- `RulesRecord`: the game. It never changes.
- `SettingsRecord`: the variant. It never changes either.
- `TreeRecord`: the tree and what has been learnt. Workers share it; a search may have several.
- `WorkerRecord`: what one worker, a thread, has for itself. It may go from tree to tree.

A node is known by the edge that leads to it, so that a step down the tree is one access to memory.
The edges of a node lie together: those visited first, then those not tried yet. Where several
players may decide at once there is more to it: see `decoupled.py`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from semisplit.runtime.abi import Context
from semisplit.search.kernels.record import (
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
from semisplit.search.parallel import Parallel
from semisplit.search.settings import Groups, Mast, Rave, Settings


class NodeKind(IntEnum):
    """What is known about the state of a node."""

    INTERMEDIATE = 0
    NODAL = 1
    TERMINAL = 2
    CHOOSER = 3
    """It is no state, but what a player chooses by who decides at once with others."""
    GROUP = 4
    """Its edges are a group of those that the node before it would have; the state is the same."""
    MOVED = 5
    """It has got another number, as edges were rolled up; nothing leads here any more."""


class KnownSubmoves(IntEnum):
    """The submoves, sequences of steps, that MAST or RAVE know besides single steps."""

    NONE = 0
    PREFIXES = 1
    """Every beginning of a move: the context variants."""
    MOVES = 2
    """Whole moves."""
    SEMIMOVES = 3
    """Whole semimoves."""


class Sharing(IntEnum):
    """Who else is under way in a tree while an iteration goes on."""

    ALONE = 0
    FREE = 1
    """Others, in other threads: nobody waits for them but where a node gets edges."""
    LOCKED = 2
    """Others, one at a time: whoever does not simulate has the tree to itself."""


LINE = 64
"""Bytes that a processor fetches at once."""
LOGARITHMS = 32 << 10
"""Numbers of up to 32 bits whose logarithms are at hand: those whose first eleven bits differ."""
MAX_LINE = 1 << 16
"""Steps of the longest line that is kept."""
GROUP_STEPS, GROUP_LABEL, GROUP_THRESHOLD, GROUP_SIZE = range(4)
"""What is in `TreeRecord.steps` of a group: no steps; its layer and number, as `LABELS` * layer +
number; the visits of its node below which groups are drawn. Then how much that is."""
LABELS = 1 << 24
"""More than there are groups in a layer."""
NARROWED_NODE, NARROWED_COUNT, NARROWED_SHOWN, NARROWED_HIDDEN, NARROWED_SIZE = range(5)
"""What is in `TreeRecord.narrowed` about a node: its number; its edges in all; how many of them,
the first ones, are shown to the search; how many of the others have been tried. Then how much that
is."""
MAX_NARROWED = 1 << 16
"""Nodes that can be narrowed at a time."""
ROOT = 0
"""The edge that leads to the root; its visits are all there have been."""


# What arrays consist of


@record
class EdgeRecord(Record):
    """An edge of the tree, and the node it leads to."""

    total: f8  # the sum of the mover's final scores, each from 0 to 1
    visits: i4  # iterations that went along it
    steps: i4  # the code of the only step, or minus the place in `TreeRecord.steps`, minus 1
    first: i4  # the first edge of the node; -1 if they have not been made
    count: i4  # edges of the node
    tried: i4  # so many of them, the first ones, have been visited
    kind: i4  # `NodeKind`


@record
class MeritRecord(Record):
    """What selection needs of an edge that has been visited.

    It looks at all edges of a node and changes one, so this is computed beforehand and lies apart.
    Equal totals and visits give equal averages, to the last bit, so that ties are ties.
    """

    mean: f4  # total / visits, from 0 to 1
    rarity: f4  # 1 / sqrt(visits)


@record
class SamplesRecord(Record):
    """What MAST and RAVE know about something.

    The quotient, the average score, is in an array of its own, where many are looked up.
    """

    total: f8  # the sum of weight * score, scores from 0 to 1
    weight: f8  # the sum of weights; samples of RAVE and first samples of MAST weigh 1


@record
class LevelRecord(Record):
    """A state on the way to the next nodal one, and what can be done in it."""

    first: i4  # candidate; those that turn out dead are removed
    count: i4  # candidates
    chosen: i4  # the candidate by which the way goes on, counted from the first
    buffer: i4  # where in the worker's buffer their steps begin, in integers
    flat: i4  # 1 if candidates are codes of single steps, 0 if places in that part of the buffer
    submove: i4  # the context of its state
    length: i4  # steps on the way to it


@record
class PathRecord(Record):
    """An edge of the current iteration."""

    node: i4  # that it leaves
    edge: i4  # itself
    player: i4  # who moves there, from 1
    trace: i4  # where in the trace its steps begin
    submove: i4  # the context of the node


@record
class TraceRecord(Record):
    """A step of the current iteration, in the tree or in the simulation."""

    step: i4  # its code
    player: i4  # who made it, from 1
    end: i4  # `abi.End`: what it completes


@record
class PartRecord(Record):
    """A grouping as a part of a layer of groups."""

    function: i8  # the address of what calls it for many moves
    layer: i8
    first: i8  # the number of its first group in the layer
    size: i8  # the number of its groups


@record
class SituationRecord(Record):
    """What groupings are told about a state; `grouping.Situation` says what fields mean."""

    traits: i8
    places: i8
    neighbours: Array[i4]
    most_neighbours: i8
    distances: Array[i4]
    coordinates: Array[i4]
    empty: i8
    owners: Array[i4]
    player: i8
    pieces: Array[i4]


@record
class LeafRecord(Record):
    """A leaf of a batch."""

    length: i8  # of the path to it
    depth: i8  # in moves
    state: i8  # the number of its state among those to be played; -1 if the game is over there
    states: i8  # nodal states on the way to it


@record
class GpuRecord(Record):
    """How to have a batch played on a GPU, see `runtime.gpu.batch.Launch`."""

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
class SubmoveRecord(Record):
    """An entry of the table of submoves."""

    key: i8  # the number of the submove without its last step, times 2^32, plus that step's code
    number: i8  # 0 if the entry is empty


# The four


@record
class RulesRecord(Record):
    """What never changes about the game. There is one for a search."""

    # Addresses of functions of the compiled game (see `runtime.abi`), 0 if there is none:
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
    choosers: i8  # behind the edges of nodal nodes; 0 if never several players decide at once
    bounds: Array[f8]  # the highest score of each player
    # For groups:
    traits: i8  # numbers that are known about a move
    trait_values: Array[i4]  # of each code, those of a trait behind each other; -1 if it has none
    trait_last: Array[i4]  # of each: 1 if the last step that tells it counts, 0 if the first
    pieces: i8  # kinds of pieces; 0 if there is no board
    piece_bits: Array[i4]  # the bit of a state that tells that a piece is on a place, by piece


@record_of(Mast)
class MastRecord(ParameterRecord):
    """MAST."""

    in_simulation: i8  # 1 if simulations are guided
    in_rest: i8  # 1 if the rest of a move that is begun in the tree is
    split: i8  # 1 if it knows single steps
    submoves: i8  # `KnownSubmoves`
    interval: i8  # simulations after which samples decay; 0 if that is not after simulations


@record_of(Rave)
class RaveRecord(ParameterRecord):
    """RAVE."""

    split: i8  # 1 if it knows single steps
    submoves: i8  # `KnownSubmoves`
    records: i8  # samples of each edge: 0, 1, or 2, steps and submoves


@record_of(Groups)
class GroupsRecord(ParameterRecord):
    """Groups of (semi)moves."""

    layers: i8  # of groups; 0 if there are none
    layer_sizes: Array[i4]  # the groups of each layer, that of all others included
    part_count: i8
    parts: Array[PartRecord]  # the groupings, in the order in which they decide
    seen_count: i8
    seen: Array[i4]  # the traits at which groupings look
    sees_pieces: i8  # 1 if a grouping looks at the pieces on the board
    sees_captures: i8  # 1 if a grouping asks whether moves capture


@record_of(Parallel)
class ParallelRecord(ParameterRecord):
    """Several iterations at a time."""

    sharing: i8  # `Sharing`


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
    groups: GroupsRecord
    parallel: ParallelRecord
    # Limits:
    max_length: i8  # steps of a move
    max_moves: i8  # moves of a simulation
    max_work: i8  # failures in finding moves


@record
class TreeRecord(Record):
    """A tree, and what has been learnt while it grew. Workers share it; a search may have several.

    The table of submoves belongs here, as edges know their submoves by its numbers; so do MAST's
    samples, which all who work on a tree gather together.

    Besides the elements of its arrays, workers write: `full`, `edge_count`, `step_count`,
    `node_count`, `deepest`, `simulations`, `scale`, `submove_count`, `submove_needed`,
    `narrowed_count`, those of the best line and of the playouts that are shared out. All else is
    changed by Python, between calls of kernels. How they keep out of each other's way: `share.py`.
    """

    root: i8  # the address of the state at the root
    # The tree, limited in bytes:
    max_bytes: i8  # that edges, with all that belongs to them, and steps may take
    edition: i8  # how often it has begun anew
    full: i8  # 1 if it has reached the limit, and does not grow any more
    edges: Array[EdgeRecord]
    merits: Array[MeritRecord]  # of each edge
    steps: Array[i4]  # of edges that have several: their number, then their codes; and of groups
    deepest: i8  # moves from the root to the deepest node
    previous: Array[i4]  # the traits of the move that led there, for groups
    # RAVE:
    elements: Array[i4]  # the submove as which it knows each edge; 0 if there was no room for it
    amaf: Array[SamplesRecord]  # `rave_records` for each edge
    estimates: Array[f4]  # the average scores of these
    # MAST, single steps, if `dense`; those of a player are behind each other:
    split_samples: Array[SamplesRecord]
    split_scores: Array[f4]  # the average scores of these, 1 if there are none
    scale: f8  # the weight of a new sample, for all of MAST's samples
    # The table of submoves, whose entries are at most half of it; and MAST's samples of each
    # submove, those of all players behind each other:
    submoves: Array[SubmoveRecord]
    submove_mask: i8  # the size of the table, a power of two, minus 1
    submove_count: i8  # submoves that have numbers, the empty one included
    submove_capacity: i8  # submoves that there is room for
    submove_limit: i8  # how many that may become
    submove_needed: i8  # the number of submoves for which somebody waits
    single_submoves: i8  # numbers from 1 on that single steps have without the table
    submove_samples: Array[SamplesRecord]
    submove_scores: Array[f4]  # the average scores of these, 1 if there are none
    # Several threads:
    locks: Array[i4]  # see `share.py`
    # Narrowing the search to some actions, see `narrow.py`:
    narrow_player: i8  # whose first choices are narrowed; 0 if nobody's are
    narrow_low: i8  # where the interval of actions begins, in parts of them; may be negative
    narrow_high: i8  # where it ends
    narrow_parts: i8  # the number of parts
    narrowed: Array[i4]  # a note about each node that has been narrowed
    narrowed_count: i8
    # The best line found, in games of one player:
    line_score: f8  # from 0 to 1; 0 if there is none, as then any line would do
    line_simulation: i8  # the number of the simulation that found it
    line_seed: u8  # that of the playout with which it ends, unless its steps are here
    line_length: i8
    line: Array[TraceRecord]  # its steps, at most `MAX_LINE`
    # Playouts of a leaf that are shared out among threads:
    job: i8  # the next part, counted through all leaves: see `batch.py`
    job_over: i8  # 1 if nothing more will come
    job_sharers: i8  # threads that share the work; 0 if it is not shared
    job_end: i8  # the part behind the last of the current leaf
    job_parts: i8  # that the playouts of a leaf are divided into
    job_left: i8  # parts of the current leaf that have not been completed
    job_state: i8  # the address of the leaf's state
    job_seed: u8
    job_count: i8  # playouts
    job_sums: i8  # the address of the sums of scores
    job_moves: i8  # made by helpers
    job_failure: i8  # why one of their parts was given up
    # What iterations change all the time, far from what others only read and would fetch anew:
    edge_count: i8
    step_count: i8  # used elements of `steps`
    node_count: i8  # edges that have been visited, that to the root included
    simulations: i8  # that have been completed, also in trees that this one comes from


@record
class WorkerRecord(Record):
    """What a worker has for itself: the current iteration, memory to work in, its own counters.

    Stamps are here and not in the tree, as they tell what was played in the current iteration, and
    each worker has its own.
    """

    random: u8  # the state of its random numbers
    context: Array[i8]  # that of the compiled game, `abi.Context`
    # Counters, from its beginning:
    iterations: i8  # begun; the number of the current one
    states: i8  # nodal states visited, in iterations that were completed
    abandoned: i8  # iterations given up
    failures: i8  # the same, since the latest that was completed
    nodes: i8  # that it has visited first, if threads share a tree; Python adds them to the tree's
    simulations: i8  # that it has completed, in the same way
    crowded: i8  # iterations that ended at a node as somebody else was giving it edges
    failure: (
        i8  # why the latest was given up: `abi.Status` or a reason of kernels; Python clears it
    )
    deadline: i8  # of the processor's clock, when a simulation is given up; Python sets it
    ticks: i8  # the processor's clock: time in kernels; Python clears it
    simulation_ticks: i8  # time in simulations
    # States on the way to the next nodal one, and what can be done there:
    stack: i8  # the address of the first of them
    levels: Array[LevelRecord]
    buffer: Array[i4]  # moves as the game lists them: their length, their steps
    buffer_size: i8  # integers
    buffer_top: i8  # so many are in use
    candidates: Array[i4]  # where in its part of the buffer each of them is, or the step it is
    candidate_size: i8
    candidate_top: i8  # so many are in use
    values: Array[f4]  # by which one of some candidates or edges is chosen
    guesses: Array[f4]  # RAVE's estimates for the edges of a node, if they have to be looked for
    # The current iteration:
    path: Array[PathRecord]
    path_size: i8
    path_length: i8
    depth: i8  # moves from the root to the end of the path
    trace: Array[TraceRecord]
    trace_size: i8  # behind it there is room for one move more
    trace_length: i8
    tree_length: i8  # the part of the trace that was in the tree
    moves: i8  # of the simulation
    seed: u8  # of the simulation, if the compiled game made it
    scores: Array[f8]  # of each player, from 0 to 1
    # What was played, for RAVE, each with the number of the latest iteration:
    split_stamps: Array[i8]  # single steps, if `dense`, arranged like MAST's samples
    submove_stamps: Array[i8]  # submoves, in the same way
    spare: i8  # the address of room for an edge, or for scores that nobody reads
    # An expansion whose edge is added to the tree when it has been simulated, or before that:
    grows: i8  # 1 if there is one
    grown_node: i8  # the node
    grown_edge: i8  # its edge
    grown_player: i8  # who moves there
    grown_submove: i8  # the context of the node
    grown_behind: i8  # the context behind the edge
    grown_walk: i8  # edges from there to the next nodal state
    grown_trace: i8  # where in the trace its steps begin
    leaf: i8  # the node that it ends in, if it is nodal, or -1
    # In a tree of several threads, room that this one has taken:
    edition: i8  # of the tree
    edge_top: i8  # where the next edges go
    edge_end: i8  # where the room for them ends
    step_top: i8  # the same for steps
    step_end: i8
    # Edges to be rolled up when nobody is under way, each behind its node:
    ripe: Array[i4]
    ripe_size: i8
    ripe_count: i8  # integers
    # Leaves that are played together:
    leaves: Array[LeafRecord]
    paths: Array[PathRecord]  # room for the ways to all of them
    states_of_leaves: i8  # the address of their states
    seeds: Array[u8]
    sums: Array[i8]  # of the scores, for each state and player
    over_scores: Array[f8]  # the scores of leaves in which the game is over, for each player
    gpu: Array[GpuRecord]  # how they are played there, if they are: one
    # Dividing candidates into groups:
    situation: Array[SituationRecord]  # what groupings are told: one
    places: i8  # of the board
    pieces: Array[i4]  # what is on each place
    traits: Array[i4]  # of some moves, and whether each captures
    labels: Array[i4]  # the group of each candidate; those of a layer are behind each other
    order: Array[i4]  # the candidates, sorted by their groups; each by its place in the list
    sorted: Array[i4]  # the same while they are sorted
    counts: Array[i4]  # how many are in each group


class Workplace(NamedTuple):
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
