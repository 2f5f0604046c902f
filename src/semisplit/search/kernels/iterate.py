"""Iterations of the search."""

from __future__ import annotations

import math

import numpy as np

from semisplit.search.kernels.candidates import FAILED, player_of, read_scores, state_at
from semisplit.search.kernels.decoupled import count_tried, play_decoupled
from semisplit.search.kernels.descend import descend, simulate_here
from semisplit.search.kernels.expand import EXPANDED, expand, make_edges, push
from semisplit.search.kernels.groups import choose_group, count_groups, leave_dead_groups
from semisplit.search.kernels.kernel import copy_bytes, kernel, ticks
from semisplit.search.kernels.lanes import LANES, prefetch
from semisplit.search.kernels.line import keep_line
from semisplit.search.kernels.mast import decay_mast, update_mast
from semisplit.search.kernels.memory import (
    LINE,
    ROOT,
    STATUS,
    EdgeRecord,
    NodeKind,
    Workplace,
)
from semisplit.search.kernels.rave import update_rave
from semisplit.search.kernels.record import address_of, size_of
from semisplit.search.kernels.rollup import roll_up
from semisplit.search.kernels.select import leads_to_groups, root_logarithm, select_child
from semisplit.search.kernels.simulate import LONG_GAME

_INTERMEDIATE, _TERMINAL = NodeKind.INTERMEDIATE.value, NodeKind.TERMINAL.value
_EDGE = size_of(EdgeRecord)


@kernel
def run(s: Workplace, iterations: int, states: int, end: int) -> int:
    """Iterate up to a number of iterations, or until so many states have been counted in all.

    Comes back early when the processor's clock has come to the end, when an iteration had to be
    given up, when the table of submoves should grow, or when a line is known that cannot be better.
    Returns how many iterations were made.
    """
    tree, begin = s.tree, ticks()
    done = 0
    while done < iterations and s.worker.states < states and iterate(s):
        done += 1
        wanted = min(2 * tree.submove_count, tree.submove_limit)
        if tree.submove_capacity < wanted or ticks() >= end or tree.line_score >= 1.0:
            break
    s.worker.ticks += ticks() - begin
    return done


@kernel
def read_ticks() -> int:
    """What the processor's clock shows."""
    return ticks()


@kernel
def iterate(s: Workplace) -> bool:
    """MCTSITERATION; False if it was given up because a limit of the game was hit."""
    worker = s.worker
    worker.iterations += 1
    worker.path_length = 0
    worker.depth = 0
    worker.trace_length = 0
    worker.tree_length = 0
    worker.buffer_top = 0
    worker.candidate_top = 0
    states = worker.states
    copy_bytes(worker.stack, s.tree.root, s.rules.state_bytes)
    played = play_decoupled(s) if s.rules.choosers else _play(s)
    if not played:
        worker.context[STATUS] = 0
        worker.states = states
        worker.abandoned += 1
        worker.failures += 1
        return False
    worker.failures = 0
    backpropagate(s)
    return True


@kernel
def _play(s: Workplace) -> bool:
    """Selection, expansion and simulation; leaves the way and the scores."""
    edges, worker = s.tree.edges, s.worker
    node, submove = ROOT, 0
    reach = root_logarithm(s, max(1, edges[node].visits))
    while edges[node].kind != _TERMINAL:
        here = edges[node]
        if worker.path_length + s.settings.max_length >= worker.path_size:
            worker.failure = LONG_GAME
            return False
        if here.first < 0:
            found = make_edges(s, node, submove, 0)
            if found == FAILED:
                return False
            if found == 0:
                here.kind = _TERMINAL
                continue
        if here.first < 0 or (s.tree.full and here.tried == 0):
            return simulate_here(s, submove)
        if leads_to_groups(s, node):
            player = player_of(state_at(s, 0))
            edge = choose_group(s, node, player, reach)
            push(s, node, edge, player, submove)
            reach = root_logarithm(s, max(1, edges[edge].visits))
            node = edge
            continue
        if here.tried == here.count or s.tree.full:
            player = player_of(state_at(s, 0))
            edge = select_child(s, node, player, reach)
            # What the next selection needs is looked up while the move is made.
            _fetch_edges(s, edge)
            reach = root_logarithm(s, edges[edge].visits)
            submove = descend(s, node, edge, player, submove)
            if submove == FAILED:
                return False
            node = edge
            if edges[node].kind != _INTERMEDIATE:
                worker.depth += 1
                worker.states += 1
            continue
        result = expand(s, node, submove)
        if result == FAILED:
            return False
        if result == EXPANDED:
            return True
        if here.count == 0:
            node = leave_dead_groups(s, node)
            reach = root_logarithm(s, max(1, edges[node].visits))
        worker.buffer_top = 0
        worker.candidate_top = 0
    read_scores(s, state_at(s, 0))
    worker.tree_length = worker.trace_length
    return True


@kernel
def _fetch_edges(s: Workplace, node: int) -> None:
    """Have the edges of a node fetched from memory, as many as a vector has."""
    first = s.tree.edges[node].first
    prefetch(address_of(s.tree.merits, first))
    for place in range(0, LANES * _EDGE, LINE):
        prefetch(address_of(s.tree.edges, first) + place)


@kernel
def backpropagate(s: Workplace) -> None:
    """BACKPROPAGATION: give the result of an iteration to all that took part in it."""
    tree, here, scores = s.tree, s.worker.path, s.worker.scores
    edges, merits = tree.edges, tree.merits
    for i in range(s.worker.path_length):
        edge, merit = edges[here[i].edge], merits[here[i].edge]
        edge.visits += 1
        edge.total += scores[here[i].player - 1]
        share = 1.0 / edge.visits
        merit.mean = edge.total * share
        merit.rarity = math.sqrt(np.float32(share))
    if s.rules.choosers:
        count_tried(s)
    elif s.settings.layers:
        count_groups(s)
    edges[ROOT].visits += 1
    tree.simulations += 1
    tree.deepest = max(tree.deepest, s.worker.depth)
    if s.rules.players == 1:
        keep_line(s)
    if s.settings.mast_split or s.settings.mast_submoves:
        update_mast(s)
        if s.settings.mast_batch and tree.simulations % s.settings.mast_batch == 0:
            decay_mast(s)
    if s.settings.rave_records:
        update_rave(s)
    if s.settings.rolls_up:
        roll_up(s)
