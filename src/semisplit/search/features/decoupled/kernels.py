"""Decoupled UCT: iterations of games in which several players may decide at once.

A move is a way of one edge for each of them, in their order. The edges of the nodal node are the
first player's. Behind these lies a record for each other player, a *chooser*, as if it were a node;
if the player decides here, its edges are *arms*: they lead nowhere, and count a step of this
player whatever the others chose. They are what the player chooses by. The edges of nodes inside a
move only lead on: they stay in the order in which moves are listed, and each arm has its number
there in `count`.
"""

from __future__ import annotations

import math

from semisplit.search.engine.candidates import FAILED, player_of, read_scores, state_at
from semisplit.search.engine.descend import OVER, end_here, follow_edge
from semisplit.search.engine.expand import make_edges, push
from semisplit.search.engine.layout import ROOT, Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.select import root_logarithm, select_child
from semisplit.search.engine.simulate import LONG_GAME
from semisplit.search.engine.toolkit.kernel import kernel, large_kernel
from semisplit.search.engine.toolkit.random import below, real
from semisplit.search.engine.tree import clear_edge, has_room, swap_edges
from semisplit.search.features.decoupled.settings import UNIFORM_EXPLORATION
from semisplit.search.features.groups.choose import choose_group, draw_group
from semisplit.search.features.groups.divide import leads_to_groups
from semisplit.search.features.hooks import choose_untried
from semisplit.search.features.narrowing.kernels import has_chosen, put_first, shown

_INTERMEDIATE, _NODAL, _TERMINAL, _CHOOSER = (kind.value for kind in list(NodeKind)[:4])
_NO_ROOM = -3
_UNIFORM_EXPLORATION = UNIFORM_EXPLORATION


@large_kernel
def select_decoupled(s: Workspace) -> int:
    """Selection and expansion: the level of the state to simulate from, OVER or FAILED."""
    edges, worker = s.tree.edges, s.worker
    node = ROOT
    while edges[node].kind != _TERMINAL:
        if worker.path_length + s.settings.max_length >= worker.path_size:
            worker.failure = LONG_GAME
            return FAILED
        nodal, player = node, player_of(state_at(s, 0))
        while node == nodal or edges[node].kind == _INTERMEDIATE:
            before = worker.path_length
            edge = _decide(s, nodal, node)
            if edge == _NO_ROOM:
                return end_here(s, 0)
            if node == nodal and worker.path_length > before:
                node = worker.path[worker.path_length - 1].edge  # the last group on the way
            if edge == FAILED or follow_edge(s, node, edge, player, 0) == FAILED:
                return FAILED
            node = edge
        worker.depth += 1
        worker.counts.states += 1
        if edges[node].visits == 0:
            worker.tree_length = worker.trace_length
            if player_of(state_at(s, 0)) == 0:
                edges[node].kind = _TERMINAL
            worker.leaf = node
            return 0
    read_scores(s, state_at(s, 0))
    worker.tree_length = worker.trace_length
    return OVER


@kernel
def _decide(s: Workspace, nodal: int, node: int) -> int:
    """The edge that a player chooses at a node, not knowing how others choose.

    The move begins at the nodal node, and the node's state is at level 0.
    """
    edges, player = s.tree.edges, player_of(state_at(s, 0))
    chooser = nodal
    if node != nodal:
        chooser = edges[nodal].first + edges[nodal].count + player - 2
    if edges[node].first < 0:
        made = _make_choosers(s, node) if node == nodal else _make_ways(s, chooser, node)
        if made != 0:
            return made
    here = edges[chooser]
    in_group, explores_uniformly = leads_to_groups(s, chooser), False
    if in_group:
        here.visits = edges[nodal].visits
        explores_uniformly = _explores_uniformly(s, nodal)
        while leads_to_groups(s, chooser):
            if explores_uniformly:
                group = draw_group(s, chooser)
            else:
                root_log = root_logarithm(s, max(1, edges[chooser].visits))
                group = choose_group(s, chooser, player, root_log)
            push(s, chooser, group, player, 0)
            chooser = group
        here = edges[chooser]
    count = here.count
    if s.tree.narrowing.player == player and not has_chosen(s):
        count = shown(s, count)
    if here.tried < count:
        arm = here.first + here.tried
        untried = choose_untried(s, arm, count - here.tried, player, 0)
        swap_edges(s, arm + untried, arm)
    elif explores_uniformly or (not in_group and _explores_uniformly(s, nodal)):
        arm = here.first + below(s, count)
    else:
        if not in_group:
            here.visits = edges[nodal].visits
        arm = select_child(s, chooser, player, root_logarithm(s, here.visits))
    if node == nodal:
        return arm
    push(s, chooser, arm, player, 0)
    return edges[node].first + edges[arm].count


@kernel
def _explores_uniformly(s: Workspace, nodal: int) -> bool:
    """Whether a player draws at random, where he is not the only one to decide."""
    edges, here = s.tree.edges, s.tree.edges[nodal]
    if leads_to_groups(s, nodal):
        others = 0
        for chooser in range(here.first + here.count, here.first + here.count + s.rules.choosers):
            others += edges[chooser].first >= 0
        if others == 0 or here.visits == 0:
            return False
    elif edges[here.first].kind != _INTERMEDIATE:
        return False
    return real(s) * math.sqrt(here.visits) < _UNIFORM_EXPLORATION


@kernel
def _make_choosers(s: Workspace, nodal: int) -> int:
    """Give a nodal node its edges and choosers; 0, FAILED or _NO_ROOM."""
    if make_edges(s, nodal, 0, s.rules.choosers) == FAILED:
        return FAILED
    return _NO_ROOM if s.tree.edges[nodal].first < 0 else _narrow(s, nodal)


@kernel
def _narrow(s: Workspace, chooser: int) -> int:
    """Put the shown choices first, if it is the narrowed player's turn; return 0."""
    here = s.tree.edges[chooser]
    if s.tree.narrowing.player == player_of(state_at(s, 0)):
        put_first(s, here.first, here.count)
    return 0


@kernel
def _make_ways(s: Workspace, chooser: int, node: int) -> int:
    """Give a node inside a move its edges, and the chooser its arms; 0, FAILED or _NO_ROOM."""
    tree, edges = s.tree, s.tree.edges
    here, ways = edges[chooser], edges[node]
    if here.first < 0:
        if make_edges(s, chooser, 0, 0) == FAILED:
            return FAILED
        is_grouped = here.first >= 0 and leads_to_groups(s, chooser)
        for i in range(here.count if here.first >= 0 and not is_grouped else 0):
            edges[here.first + i].count = i
        if here.first >= 0:
            _narrow(s, chooser)
    if here.first < 0:
        return _NO_ROOM
    if leads_to_groups(s, chooser):
        # Arms are not together; the list is in the order in which they are numbered.
        if make_edges(s, node, 0, 0) == FAILED:
            return FAILED
        ways.tried = ways.count
        return _NO_ROOM if ways.first < 0 else 0
    if not has_room(s, here.count, 0):
        return _NO_ROOM
    ways.first = tree.edge_count
    ways.count = here.count
    ways.tried = here.count
    for arm in range(here.first, here.first + here.count):
        clear_edge(s, ways.first + edges[arm].count, edges[arm].steps)
    tree.edge_count += here.count
    return 0


@kernel
def count_tried(s: Workspace, visits: int) -> None:
    """Note what has been visited for the first time in an iteration, which counts so often."""
    edges, here = s.tree.edges, s.worker.path
    for i in range(s.worker.path_length):
        node, edge = edges[here[i].node], here[i].edge
        if node.kind == _INTERMEDIATE:
            # All edges inside a move count as tried.
            is_new = edges[edge].visits == visits
        else:
            is_new = edge == node.first + node.tried
            node.tried += is_new
        s.tree.node_count += is_new and node.kind != _CHOOSER
