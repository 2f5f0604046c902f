"""The memory of simulations that follow policies: what is where.

What is learnt is each worker's own, so no worker has to wait for others. A policy has two functions
with the same interface, of which the record has the addresses: one finds the `values` of what can
be chosen, for a player; the other one learns from a simulation that is over.
"""

from __future__ import annotations

from semisplit.compiler.runtime.abi import Context
from semisplit.search.engine.layout import (
    RulesRecord,
    SettingsRecord,
    TreeRecord,
    WorkerRecord,
    Workspace,
)
from semisplit.search.engine.toolkit.kernel import call_list, kernel
from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    f4,
    f8,
    i4,
    i8,
    record,
    record_at,
    record_of,
)
from semisplit.search.features.policies.settings import Policies

call_policy = call_list
"""Calls a function of a policy: the address, (record, player)."""
GUIDE = Context.FIELDS.index("guide")
"""Where in the context of a compiled game the record's address is."""


@record
class TrialRecord(Record):
    """What has come of a policy, for a player."""

    simulations: i8
    total: f8  # the sum of the player's final scores, each from 0 to 1


@record
class PastRecord(Record):
    """An entry of the history: what has come of a move, for a player."""

    key: i8  # 0 if the entry is empty
    count: i8
    total: f8  # the sum of the player's final scores


@record
class MadeRecord(Record):
    """A move of the current simulation, as the history knows it."""

    key: i8
    player: i8


@record
class LinearRecord(Record):
    """Features of states, and how much each of them says about final scores; see `linear.py`."""

    count: i8  # features
    firsts: Array[i4]  # of each feature: its first term; and after them the end
    bits: Array[i4]  # of each term: the bit of a state, or -1 - the place of an integer
    values: Array[i4]  # of each term: what the bit counts, or the integer is multiplied by
    # Of states and final scores:
    samples: i8
    numbers: Array[f8]  # of each feature: that of the latest state
    sums: Array[f8]  # of each feature: the sum of its numbers
    squares: Array[f8]  # and of their squares
    score_sums: Array[f8]  # of each player: the sum of scores
    score_squares: Array[f8]
    products: Array[f8]  # of each player and feature: the sum of number times score
    # What comes of it, for each player:
    offsets: Array[f8]
    bit_weights: Array[f8]  # of all bits of a state
    mask: Array[i4]  # the bits that features look at, in the integers of a state
    place_weights: Array[f8]  # of all integers of a state
    place_count: i8
    places: Array[i4]  # the integers that features look at


@record
class CircuitRecord(Record):
    """The goals of a game as gates; see `age.py`. Without nodes, scores are in states."""

    nodes: i8
    input_count: i8
    inputs: Array[i4]  # of each: its node, and the bit of a state
    block_count: i8
    blocks: Array[i4]  # of each: the end of its gates, and whether it is a loop
    gates: Array[i4]  # of each: its node, and two literals
    goal_count: i8
    goals: Array[i4]  # of each: a literal, the player and the score
    odds: Array[f4]  # against each literal, in some states


@record_of(Policies)
class PoliciesRecord(ParameterRecord):
    """The parameters."""


@record
class PolicyRecord(Record):
    """Simulations that follow policies. Each worker has one, and another worker that makes them."""

    # What kernels work on (see `kernels.memory`), one of each:
    rules: Array[RulesRecord]
    settings: Array[SettingsRecord]
    tree: Array[TreeRecord]  # an empty one
    worker: Array[WorkerRecord]
    # What to do:
    policy_count: i8
    policies: Array[i4]  # among which to choose, `SimulationPolicy`
    evaluate: Array[i8]  # of each `SimulationPolicy`: the function that finds values
    learn: Array[i8]  # and the one that learns; 0 if there is none
    looks: Array[i4]  # and 1 if it looks at the states after candidates
    parameters: PoliciesRecord
    walks: i8  # 1 if moves are drawn by semimoves
    list_moves: i8  # functions of the game
    apply_each: i8  # 0 if there is none
    # What has come of policies: those of a player lie together.
    trials: Array[TrialRecord]
    chosen: Array[i4]  # the number of each player's policy in the current simulation
    # Deciding:
    count: i8  # candidates that are looked at
    values: Array[f8]  # of candidates
    afters: i8  # the address of the states after candidates
    listed: Array[i4]  # moves to be made at once: of each, how many steps there are, and these
    nodal: i8  # the address of the state in which the current move began,
    begun: Array[i4]  # and what players have chosen since then, if several decide at once
    begun_count: i8
    walk_lengths: Array[i4]  # of candidates that were drawn by semimoves: how many steps,
    walk_steps: Array[i4]  # these, and what each of them completes, `abi.End`
    walk_ends: Array[i4]
    # The current simulation:
    start: i8  # the address of the state with which it began
    sampled_state: i8  # the address of one of its states, each as likely as the others
    made: Array[MadeRecord]
    made_size: i8
    made_count: i8
    # History:
    past: Array[PastRecord]
    past_mask: i8  # the size of the table, a power of two, minus 1
    past_count: i8
    # Exploration:
    mask: Array[i4]  # the bits in which states differ, in the integers of a state
    mark_count: i8
    recent: i8  # the address of the latest states
    recent_count: i8  # how many there have been
    # Statistical Symbols Counting, and Score: one of each
    symbols: Array[LinearRecord]
    numbers: Array[LinearRecord]
    # Approximate Goal Evaluation:
    circuit: Array[CircuitRecord]  # one


policies_at = record_at(PolicyRecord)
"""The record at an address."""


@kernel
def workspace(p: PolicyRecord) -> Workspace:
    """What other kernels get."""
    return Workspace(p.rules[0], p.settings[0], p.tree[0], p.worker[0])


@kernel
def after(p: PolicyRecord, number: int) -> int:
    """The address of the state after a candidate."""
    return p.afters + number * p.rules[0].state_bytes
