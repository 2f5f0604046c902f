"""The memory of a search in several trees: what is where.

Kernels get four records together, as `s`:

- `RulesRecord`: the game, its sub-games and the settings. It never changes.
- `ForestRecord`: the trees, and what has been learnt.
- `MemoRecord`: positions, whole states, that need not be worked out again. It may be forgotten at
  any time, which changes nothing but the time a search takes.
- `WorkerRecord`: the current iteration.

A state is an array of words of 64 bits. A move is a number: the codes of its steps, each plus one,
are its digits.
"""

from __future__ import annotations

from typing import NamedTuple

from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f8,
    i4,
    i8,
    record,
    record_of,
    u8,
)
from semisplit.search.multitree.settings import MultiTreeSettings

NONE = -1
"""In place of a number of a node, a transition, a position."""
ENDS, EXPLORED = 1, 2
"""Flags of transitions."""


# What arrays consist of


@record
class NodeRecord(Record):
    """A sub-state at some depth."""

    tree: i4
    depth: i4  # moves since the beginning of the game
    visits: i4
    first: i4  # the transition that was added first
    last: i4  # and the one that was added last
    room: i4  # transitions behind the last one that are kept for this node
    labels: i4  # moves that are known here


@record
class TransitionRecord(Record):
    """An edge of a tree."""

    target: i4  # the node it leads to
    next: i4  # the next transition of its node
    visits: i4
    flags: i4


@record
class LabelRecord(Record):
    """An entry of the table of labels: a move as it is known at a node."""

    move: i8
    node: i4  # plus 1; 0 if the entry is empty
    transition: i4
    situation: i4  # in which that was seen: the number of a row of `ForestRecord.situations`


@record
class PositionRecord(Record):
    """A state in which a player decides."""

    depth: i4
    first: i4  # the first of its moves
    count: i4  # moves
    steps: i4  # of each move: one for each player who decides
    player: i4  # who decides, from 1; the first of them
    known: i4  # 1 if all moves are known to have labels in all trees, and the kinds of moves are
    going: i4  # moves that do not end the game
    options: i4  # moves that may be selected
    best: i4  # the highest outcome of those that do; -1 if there are none


@record
class MoveRecord(Record):
    """A legal move of a position."""

    move: i8
    outcome: i4  # the score of the player who decides if it ends the game, otherwise -1
    after: i4  # the position after it, if that has been seen


# The four


@record_of(MultiTreeSettings)
class SeveralTreesRecord(ParameterRecord):
    """The parameters of the search."""


@record
class RulesRecord(Record):
    """What never changes."""

    # Addresses of functions of the compiled game (see `compiler.runtime.abi`):
    apply: i8
    look_ahead: i8
    playouts: i8
    bounds: i8  # 0 if potential scores are not needed
    # Sizes:
    state_words: i8
    first_bits: i8  # the word of a state with which its bits begin
    bit_words: i8
    players: i8
    base: i8  # of moves as numbers: one more than there are codes
    trees: i8
    masks: Array[i8]  # of each sub-game, as many words as there are bits
    known: Array[i8]  # the same for the game's `bounds`
    highest: Array[i4]  # the highest score of each player
    step_ends: Array[i4]  # behind the last code of each player
    parameters: SeveralTreesRecord
    prunes: i8  # 1 if one player plays alone, so that explored branches can be left out
    # Limits:
    most_moves: i8  # of a position
    max_depth: i8  # of the trees
    max_work: i8


@record
class ForestRecord(Record):
    """The trees."""

    nodes: Array[NodeRecord]
    node_count: i8
    substates: Array[i8]  # of each node, as many words as there are bits
    node_table: Array[i4]  # numbers of nodes plus 1, found by tree, depth and sub-state
    node_mask: i8  # the size of the table, a power of two, minus 1
    transitions: Array[TransitionRecord]
    transition_count: i8
    scores: Array[f8]  # w: of each transition and player
    potentials: Array[f8]  # w max, likewise
    labels: Array[LabelRecord]
    label_count: i8
    label_mask: i8
    situations: Array[i4]  # rows of nodes, one of each tree
    situation_count: i8
    room: i8  # nodes, transitions and labels that an iteration may add
    capacity: i8  # nodes and transitions that there is room for
    full: i8  # 1 if nothing is added any more
    # What was learnt about the trees:
    explored: Array[i4]  # e
    limits: Array[i4]  # of each tree and player: 1 if it kept the player from the highest score
    doubts: Array[i4]  # contradictions seen in each tree
    suspects: Array[i8]  # the sub-games on which each may depend, as bits
    # The root:
    root: Array[i8]  # its state
    root_depth: i8
    root_visits: Array[i4]  # of each move
    root_scores: Array[f8]  # of each move and player
    iterations: i8  # that have been completed
    deepest: i8  # moves from the root
    # The best line that was found, if one player plays alone:
    best_score: i8  # -1 if there is none
    best_iteration: i8  # that found it
    best_moves: Array[i8]
    best_length: i8
    best_state: Array[i8]  # the state after them
    best_seed: u8  # of the playout from there
    best_playout: i8  # and its moves; 0 if there is none, as the game is over


@record
class MemoRecord(Record):
    """Positions that have been worked out."""

    positions: Array[PositionRecord]
    position_count: i8
    position_size: i8
    states: Array[i8]  # of each position
    nodes: Array[i4]  # of each position and tree
    seen: Array[i4]  # of each position and tree: labels there were when they were last looked up
    table: Array[i4]  # numbers of positions plus 1, found by depth and state
    table_mask: i8  # what is used of it, a power of two, minus 1
    moves: Array[MoveRecord]
    transitions: Array[i4]  # of each tree and move of a position; -1 if they are not known
    # Of a position that is known:
    options: Array[i4]  # moves that may be selected, by their place
    # In each tree, moves fall into kinds, by their transitions:
    kinds: Array[i4]  # the transition of each kind, first of those that options belong to
    kind_of: Array[i4]  # the kind of each option
    open_kinds: Array[i4]  # how many there are that options belong to
    all_kinds: Array[i4]  # and how many in all
    move_count: i8
    move_size: i8
    forgotten: i8  # how often all was forgotten


@record
class WorkerRecord(Record):
    """The current iteration."""

    random: u8
    context: Array[i8]  # that of the compiled game, `abi.Context`
    failure: i8  # why the latest iteration was given up
    abandoned: i8  # iterations given up
    failures: i8  # the same, since the latest that was completed
    states: i8  # visited
    ticks: i8  # the processor's clock: time in kernels
    simulation_ticks: i8  # time in simulations
    moves: i8  # of the latest playout
    # States:
    state: Array[i8]  # that was reached
    tried: Array[i8]  # after a move
    final: Array[i8]
    # What the game tells:
    buffer: Array[i4]
    outcomes: Array[i4]
    steps: Array[i4]
    sums: Array[i8]
    bounds: Array[i4]
    # The way:
    length: i8
    path_moves: Array[i8]
    path_nodes: Array[i4]  # of each move and tree
    path_transitions: Array[i4]
    revised: Array[i4]  # d
    first_move: i8  # at the root, by its place
    # Selection:
    unknown: Array[i4]  # moves, by their place
    explored_trees: i8  # how many are fully explored in the current state
    # The steps of a player among whom others decide at once:
    step_count: i8
    first_moves: Array[i4]  # of each step the first move that it is part of
    last_moves: Array[i4]  # and the last
    next_moves: Array[i4]  # the next one with the same step
    counted: Array[i4]  # of each kind: the step for which it was counted, plus 1
    means: Array[f8]  # of each tree and step
    # Policies, for options or steps:
    merits: Array[f8]  # of each kind, or step
    explored: Array[i4]
    votes: Array[i4]  # of each option or step
    earnings: Array[f8]
    scores: Array[f8]  # the evaluation, of each tree and player
    potentials: Array[f8]


class Workplace(NamedTuple):
    """What kernels get."""

    rules: RulesRecord
    forest: ForestRecord
    memo: MemoRecord
    worker: WorkerRecord
