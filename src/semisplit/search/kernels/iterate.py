"""Iterations of the search, one after the other."""

from __future__ import annotations

from semisplit.search.kernels.atomic import fetch_i4
from semisplit.search.kernels.candidates import FAILED, player_of, read_scores, state_at
from semisplit.search.kernels.decoupled import count_tried, select_decoupled
from semisplit.search.kernels.descend import OVER, descend, end_here
from semisplit.search.kernels.expand import DEAD, expand, grow, make_edges, push
from semisplit.search.kernels.groups import choose_group, count_groups, leave_dead_groups
from semisplit.search.kernels.kernel import copy_bytes, kernel, large_kernel
from semisplit.search.kernels.lanes import LANES, prefetch
from semisplit.search.kernels.line import keep_line
from semisplit.search.kernels.mast import decay_mast, update_mast
from semisplit.search.kernels.memory import (
    LINE,
    ROOT,
    STATUS,
    EdgeRecord,
    NodeKind,
    Sharing,
    Workplace,
)
from semisplit.search.kernels.narrow import narrow_node, widen_dead
from semisplit.search.kernels.rave import update_rave
from semisplit.search.kernels.record import address_of, offset_of, size_of
from semisplit.search.kernels.rollup import roll_up
from semisplit.search.kernels.select import leads_to_groups, root_logarithm, select_child
from semisplit.search.kernels.share import (
    add_to_edge,
    add_to_path,
    add_to_root,
    count_simulations,
    fetch_path,
    leave_node,
    leave_tree,
    take_tree,
    try_node,
)
from semisplit.search.kernels.simulate import LONG_GAME, simulate

_INTERMEDIATE, _TERMINAL = NodeKind.INTERMEDIATE.value, NodeKind.TERMINAL.value
_ALONE = Sharing.ALONE.value
_EDGE, _FIRST = size_of(EdgeRecord), offset_of(EdgeRecord, "first")


@kernel
def iterate(s: Workplace) -> bool:
    """MCTSITERATION; False if it was given up because a limit of the game was hit."""
    worker, states = s.worker, s.worker.states
    take_tree(s)
    level = select(s)
    leave_tree(s)
    worker.moves = 0
    played = level != FAILED and (level == OVER or simulate(s, level))
    take_tree(s)
    if played:
        finish(s, level)
        _backpropagate(s, 1)
    else:
        worker.states = states
        give_up(s, level != FAILED)
    leave_tree(s)
    return played


@large_kernel
def backpropagate(s: Workplace, playouts: int) -> None:
    """BACKPROPAGATION, for batches."""
    _backpropagate(s, playouts)


@large_kernel
def select(s: Workplace) -> int:
    """Selection and expansion: leaves the way.

    Returns the level of the state to simulate from; OVER, with the scores, if there is nothing to
    simulate; or FAILED.
    """
    worker = s.worker
    worker.iterations += 1
    worker.path_length = 0
    worker.depth = 0
    worker.trace_length = 0
    worker.tree_length = 0
    worker.buffer_top = 0
    worker.candidate_top = 0
    worker.grows = 0
    worker.leaf = -1
    copy_bytes(worker.stack, s.tree.root, s.rules.state_bytes)
    level = select_decoupled(s) if s.rules.choosers else _descend(s)
    if level != FAILED and s.settings.parallel.sharing != _ALONE:
        add_to_path(s, s.settings.parallel.loss)
        _count_new(s, s.settings.parallel.loss)
    return level


@kernel
def _descend(s: Workplace) -> int:
    """The same for games in which one player decides at a time."""
    edges, worker = s.tree.edges, s.worker
    node, submove = ROOT, 0
    reach = root_logarithm(s, max(1, edges[node].visits))
    while edges[node].kind != _TERMINAL:
        here = edges[node]
        if worker.path_length + s.settings.max_length >= worker.path_size:
            worker.failure = LONG_GAME
            return FAILED
        if fetch_i4(address_of(edges, node) + _FIRST) < 0:
            if not try_node(s, node):
                worker.crowded += 1
                return end_here(s, submove)
            found = _make_edges(s, node, submove)
            leave_node(s, node)
            if found == FAILED:
                return FAILED
            if found == 0:
                continue
        if here.first < 0 or (s.tree.full and not _can_go_on(s, node)):
            return end_here(s, submove)
        if leads_to_groups(s, node):
            player = player_of(state_at(s, 0))
            edge = choose_group(s, node, player, reach)
            push(s, node, edge, player, submove)
            reach = root_logarithm(s, max(1, edges[edge].visits))
            node = edge
            continue
        is_expanded = here.tried == here.count or s.tree.full
        if not is_expanded and not try_node(s, node):
            if here.tried == 0:
                worker.crowded += 1
                return end_here(s, submove)
            is_expanded = True
        if is_expanded:
            player = player_of(state_at(s, 0))
            edge = select_child(s, node, player, reach)
            # What the next selection needs is looked up while the move is made.
            _fetch_edges(s, edge)
            reach = root_logarithm(s, max(1, edges[edge].visits))
            submove = descend(s, node, edge, player, submove)
            if submove == FAILED:
                return FAILED
            node = edge
            if edges[node].kind != _INTERMEDIATE:
                worker.depth += 1
                worker.states += 1
            continue
        level = DEAD if here.tried == here.count else expand(s, node, submove)
        if here.count == 0 and not widen_dead(s, node):
            node = leave_dead_groups(s, node)
            reach = root_logarithm(s, max(1, edges[node].visits))
        leave_node(s, node)
        if level != DEAD:
            return level
        worker.buffer_top = 0
        worker.candidate_top = 0
    read_scores(s, state_at(s, 0))
    worker.tree_length = worker.trace_length
    return OVER


@kernel
def _can_go_on(s: Workplace, node: int) -> bool:
    """Whether a way can lead through a node that grows no more: for chance all of them have to."""
    here = s.tree.edges[node]
    if s.rules.chance and player_of(state_at(s, 0)) == s.rules.chance:
        return here.tried == here.count
    return here.tried > 0


@kernel
def _make_edges(s: Workplace, node: int, submove: int) -> int:
    """Give a node its edges, unless somebody else just has; how many, or FAILED?"""
    here = s.tree.edges[node]
    if here.first >= 0:
        return here.count
    found = make_edges(s, node, submove, 0)
    if found == 0:
        here.kind = _TERMINAL
    elif found != FAILED and s.tree.narrow_player:
        narrow_node(s, node)
    return found


@kernel
def _fetch_edges(s: Workplace, node: int) -> None:
    """Have the edges of a node fetched from memory, as many as a vector has."""
    first = s.tree.edges[node].first
    prefetch(address_of(s.tree.merits, first))
    for place in range(0, LANES * _EDGE, LINE):
        prefetch(address_of(s.tree.edges, first) + place)


@kernel
def _count_new(s: Workplace, visits: int) -> None:
    """Count what has been visited for the first time in an iteration, unless that has been done."""
    if s.rules.choosers:
        count_tried(s, visits)
    elif s.settings.groups.layers:
        count_groups(s)


@kernel
def finish(s: Workplace, level: int) -> None:
    """Note what a simulation from a level has told about the state in which it began."""
    worker = s.worker
    worker.failures = 0
    worker.states += worker.moves
    if worker.grows:
        grow(s, worker.moves == 0)
    elif level != OVER and worker.moves == 0 and worker.leaf >= 0:
        s.tree.edges[worker.leaf].kind = _TERMINAL


@kernel
def give_up(s: Workplace, is_claimed: bool) -> None:
    """Forget an iteration in which a limit was hit."""
    worker = s.worker
    worker.context[STATUS] = 0
    worker.abandoned += 1
    worker.failures += 1
    if is_claimed and s.settings.parallel.sharing != _ALONE:
        add_to_path(s, -s.settings.parallel.loss)


@kernel
def _backpropagate(s: Workplace, playouts: int) -> None:
    """BACKPROPAGATION: give the result of an iteration to all that took part in it.

    Scores are sums over some playouts, each of which counts as a visit.
    """
    tree, settings, worker = s.tree, s.settings, s.worker
    here, scores = worker.path, worker.scores
    visits = playouts if settings.parallel.sharing == _ALONE else playouts - settings.parallel.loss
    fetch_path(s)
    for i in range(worker.path_length):
        add_to_edge(s, here[i].edge, visits, scores[here[i].player - 1])
    if settings.parallel.sharing == _ALONE:
        _count_new(s, playouts)
    add_to_root(s, visits)
    count_simulations(s, playouts)
    if s.rules.players == 1:
        keep_line(s)
    if settings.mast.split or settings.mast.submoves:
        update_mast(s)
        if settings.mast.interval and tree.simulations % settings.mast.interval == 0:
            decay_mast(s)
    if settings.rave.records:
        update_rave(s)
    if settings.rolls_up:
        roll_up(s)
