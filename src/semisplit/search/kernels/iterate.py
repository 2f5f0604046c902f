"""Iterations of the search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from semisplit.search.kernels.candidates import (
    FAILED,
    apply,
    edge_steps,
    make,
    player_of,
    read_scores,
    state_at,
)
from semisplit.search.kernels.expand import EXPANDED, expand, make_edges, push
from semisplit.search.kernels.kernel import copy_bytes, kernel, ticks
from semisplit.search.kernels.lanes import LANES, prefetch
from semisplit.search.kernels.mast import decay_mast, update_mast
from semisplit.search.kernels.memory import (
    EDGE,
    LINE,
    MERIT,
    ROOT,
    STATUS,
    Kind,
    edges,
    long_integers,
    merits,
    path,
    reals,
)
from semisplit.search.kernels.rave import update_rave
from semisplit.search.kernels.rollup import roll_up
from semisplit.search.kernels.select import root_logarithm, select_child
from semisplit.search.kernels.simulate import (
    LONG_GAME,
    find_move,
    has_trace,
    simulate,
    trace_walk,
    write_trace,
)
from semisplit.search.kernels.submoves import next_context

_INTERMEDIATE, _NODAL, _TERMINAL = (kind.value for kind in Kind)
_EDGE, _MERIT = EDGE.itemsize, MERIT.itemsize


@kernel
def run(s: Any, iterations: int, states: int, end: int) -> int:
    """Iterate up to a number of iterations, or until so many states have been counted in all.

    Comes back early when the processor's clock has come to the end, when an iteration had to be
    given up, or when the table of submoves should grow. Returns how many iterations were made.
    """
    begin = ticks()
    done = 0
    while done < iterations and s.states < states and iterate(s):
        done += 1
        if s.submove_capacity < min(2 * s.submove_count, s.submove_limit) or ticks() >= end:
            break
    s.ticks += ticks() - begin
    return done


@kernel
def read_ticks() -> int:
    """What the processor's clock shows."""
    return ticks()


@kernel
def iterate(s: Any) -> bool:
    """MCTSITERATION; False if it was given up because a limit of the game was hit."""
    s.iterations += 1
    s.path_length = 0
    s.depth = 0
    s.trace_length = 0
    s.tree_length = 0
    s.buffer_top = 0
    s.candidate_top = 0
    states = s.states
    copy_bytes(s.stack, s.root, s.state_bytes)
    if not _play(s):
        long_integers(s.context)[STATUS] = 0
        s.states = states
        s.abandoned += 1
        s.failures += 1
        return False
    s.failures = 0
    backpropagate(s)
    return True


@kernel
def _play(s: Any) -> bool:
    """Selection, expansion and simulation; leaves the way and the scores."""
    node, submove = ROOT, 0
    reach = root_logarithm(s, max(1, edges(s)[node].visits))
    while edges(s)[node].kind != _TERMINAL:
        here = edges(s)[node]
        if s.path_length + s.max_length >= s.path_size:
            s.failure = LONG_GAME
            return False
        if here.first < 0:
            found = make_edges(s, node, submove)
            if found == FAILED:
                return False
            if found == 0:
                here.kind = _TERMINAL
                continue
        if here.first < 0 or (s.full and here.tried == 0):
            return _simulate_here(s, submove)
        if here.tried == here.count or s.full:
            edge = select_child(s, node, player_of(state_at(s, 0)), reach)
            # What the next selection needs is looked up while the move is made.
            _fetch_edges(s, edge)
            reach = root_logarithm(s, edges(s)[edge].visits)
            submove = _descend(s, node, edge, submove)
            if submove == FAILED:
                return False
            node = edge
            if edges(s)[node].kind != _INTERMEDIATE:
                s.depth += 1
                s.states += 1
            continue
        result = expand(s, node, submove)
        if result == FAILED:
            return False
        if result == EXPANDED:
            return True
        if here.count == 0:
            here.kind = _TERMINAL
        s.buffer_top = 0
        s.candidate_top = 0
    read_scores(s, state_at(s, 0))
    s.tree_length = s.trace_length
    return True


@kernel
def _fetch_edges(s: Any, node: int) -> None:
    """Have the edges of a node fetched from memory, as many as a vector has."""
    first = edges(s)[node].first
    prefetch(s.merits + _MERIT * first)
    for place in range(0, LANES * _EDGE, LINE):
        prefetch(s.edges + _EDGE * first + place)


@kernel
def _descend(s: Any, node: int, edge: int, submove: int) -> int:
    """Make the (semi)move of an edge in the state at level 0; the context behind it, or FAILED."""
    state = state_at(s, 0)
    player = player_of(state)
    steps, length = edge_steps(s, edge)
    push(s, node, edge, player, submove)
    if s.overhead > 1:
        make(s, 0, steps, length)
    is_nodal = apply(s, state, steps, length)
    if is_nodal == FAILED or not has_trace(s, length):
        return FAILED
    if s.traced:
        write_trace(s, steps, length, player, is_nodal == 1)
    if is_nodal or not s.contexts:
        return 0
    return next_context(s, submove, steps, length)


@kernel
def _simulate_here(s: Any, submove: int) -> bool:
    """Simulate from the state at level 0 without growing the tree, which is full."""
    s.tree_length = s.trace_length
    walk = 0
    last = path(s)[s.path_length - 1].edge if s.path_length else ROOT
    if edges(s)[last].kind == _INTERMEDIATE:
        walk = find_move(s, 0, s.list_semimoves, submove, s.mast_in_expansion != 0)
        if walk == FAILED:
            return False
        s.states += 1
        if s.traced:
            trace_walk(s, 0, walk)
    if not simulate(s, walk):
        return False
    s.states += s.moves
    return True


@kernel
def backpropagate(s: Any) -> None:
    """BACKPROPAGATION: give the result of an iteration to all that took part in it."""
    here, all_edges, all_merits, scores = path(s), edges(s), merits(s), reals(s.scores)
    for i in range(s.path_length):
        edge, merit = all_edges[here[i].edge], all_merits[here[i].edge]
        edge.visits += 1
        edge.total += scores[here[i].player - 1]
        share = 1.0 / edge.visits
        merit.mean = edge.total * share
        merit.rarity = math.sqrt(np.float32(share))
    all_edges[ROOT].visits += 1
    s.deepest = max(s.deepest, s.depth)
    if s.mast_split or s.mast_chain:
        update_mast(s)
        if s.mast_batch and (s.iterations - s.abandoned) % s.mast_batch == 0:
            decay_mast(s)
    if s.rave_records:
        update_rave(s)
    if s.rolls_up:
        roll_up(s)
