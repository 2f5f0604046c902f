"""Dividing what can be done into groups.

The group of a candidate is its label, a number in each layer. Candidates are sorted by their labels
before they become edges, so that those of a group lie together.
"""

from __future__ import annotations

from semisplit.search.engine.candidates import (
    FAILED,
    candidate,
    edge_steps,
    make,
    player_of,
    state_at,
)
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.kernel import call_grouping, kernel, large_kernel
from semisplit.search.engine.toolkit.record import Array, address_of, i4, integers_at, part_of
from semisplit.search.engine.tree import add_edges, clear_edge, swap_edges
from semisplit.search.features.edges import describe_edge
from semisplit.search.features.groups.records import (
    GROUP_LABEL,
    GROUP_SIZE,
    GROUP_STEPS,
    GROUP_THRESHOLD,
    LABELS,
)

_NODAL, _TERMINAL, _CHOOSER, _GROUP = (kind.value for kind in list(NodeKind)[1:5])
BLOCK = 256
"""So many moves are described at a time."""


@kernel
def leads_to_groups(s: Workspace, node: int) -> bool:
    """Whether the edges of a node, which has some, lead to groups."""
    edges = s.tree.edges
    return s.settings.groups.layers != 0 and edges[edges[node].first].kind == _GROUP


@large_kernel
def divide(s: Workspace) -> int:
    """Sort the candidates of level 0 by their groups: how many groups can there be at most?

    None if all are in one, or if there are too few of them; FAILED if a limit was hit.
    """
    count = s.worker.levels[0].count
    if count <= s.settings.groups.least:
        return 0
    _describe_previous(s)
    _describe_state(s)
    for begin in range(0, count, BLOCK):
        if not _label(s, begin, min(BLOCK, count - begin)):
            return FAILED
    return s.settings.groups.layers * count if _sort(s, count) else 0


@kernel
def _describe_previous(s: Workspace) -> None:
    """Find the traits of the last move on the way; they lie after those of candidates."""
    edges, worker, width = s.tree.edges, s.worker, s.rules.groups.traits + 1
    traits = part_of(worker.groups.traits, BLOCK * width)
    last = worker.path_length - 1
    while last >= 0 and edges[worker.path[last].edge].kind != _NODAL:
        last -= 1
    for i in range(width):
        traits[i] = s.tree.groups.previous[i] if last < 0 else -1
    if last < 0:
        return
    # A move may consist of several edges; if several players decide at once, the last one counts.
    begin = last
    while not s.rules.choosers and edges[worker.path[begin].node].kind != _NODAL:
        begin -= 1
    for i in range(begin, last + 1):
        steps, length = edge_steps(s, worker.path[i].edge)
        for j in range(s.settings.groups.seen_count):
            trait = s.settings.groups.seen[j]
            value = _trait(s, steps, length, trait)
            if value >= 0 and (traits[trait] < 0 or s.rules.groups.trait_last[trait]):
                traits[trait] = value


@kernel
def _trait(s: Workspace, steps: Array[i4], length: int, trait: int) -> int:
    """The value of a trait of some steps; -1 if they have none."""
    values = part_of(s.rules.groups.trait_values, trait * s.rules.codes)
    if s.rules.groups.trait_last[trait]:
        for i in range(length - 1, -1, -1):
            if values[steps[i]] >= 0:
                return values[steps[i]]
    else:
        for i in range(length):
            if values[steps[i]] >= 0:
                return values[steps[i]]
    return -1


@kernel
def _describe_state(s: Workspace) -> None:
    """Tell groupings about the state at level 0."""
    state, rules, worker = state_at(s, 0), s.rules, s.worker
    worker.groups.situation[0].player = player_of(state)
    if not s.settings.groups.sees_pieces:
        return
    places = worker.groups.places
    for piece in range(rules.groups.pieces):
        for place in range(places):
            if _is_set(state, rules.groups.piece_bits[piece * places + place]):
                worker.groups.pieces[place] = piece


@kernel
def _is_set(state: int, bit: int) -> bool:
    return (integers_at(state)[bit >> 5] >> (bit & 31)) & 1 != 0


@kernel
def _count_others(s: Workspace, level: int) -> int:
    """The pieces in the state of a level that belong to others than the player to move at first."""
    state, places, situation = (
        state_at(s, level),
        s.worker.groups.places,
        s.worker.groups.situation[0],
    )
    count = 0
    for piece in range(s.rules.groups.pieces):
        owner = situation.owners[piece]
        if owner != 0 and owner != situation.player:
            for place in range(places):
                count += _is_set(state, s.rules.groups.piece_bits[piece * places + place])
    return count


@kernel
def _label(s: Workspace, begin: int, count: int) -> bool:
    """Find the labels of some candidates; False if a limit was hit."""
    settings, worker, width = s.settings, s.worker, s.rules.groups.traits + 1
    traits, labels = worker.groups.traits, worker.groups.labels
    before = _count_others(s, 0) if settings.groups.sees_captures else 0
    for i in range(count):
        row = part_of(traits, i * width)
        steps, length = candidate(s, 0, begin + i)
        for j in range(settings.groups.seen_count):
            row[settings.groups.seen[j]] = _trait(s, steps, length, settings.groups.seen[j])
        if settings.groups.sees_captures:
            if make(s, 0, steps, length) == FAILED:
                return False
            row[width - 1] = _count_others(s, 1) < before
    for layer in range(settings.groups.layers):
        for i in range(begin, begin + count):
            labels[layer * worker.lists.size + i] = -1
    rows, previous = address_of(traits, 0), address_of(traits, BLOCK * width)
    situation = address_of(worker.groups.situation, 0)
    for i in range(settings.groups.part_count):
        part = settings.groups.parts[i]
        place = address_of(labels, part.layer * worker.lists.size + begin)
        call_grouping(
            part.function,
            (situation, previous, rows, count, width, place, part.first, part.size),
        )
    for layer in range(settings.groups.layers):
        own = part_of(labels, layer * worker.lists.size + begin)
        for i in range(count):
            if own[i] < 0:
                own[i] = settings.groups.layer_sizes[layer] - 1
    return True


@kernel
def _sort(s: Workspace, count: int) -> bool:
    """Sort candidates by their labels, those of the first layer first; are there several groups?"""
    worker, settings = s.worker, s.settings
    order, after, counts = worker.groups.order, worker.groups.sorted, worker.groups.counts
    for i in range(count):
        order[i] = i
    has_groups = False
    for layer in range(settings.groups.layers - 1, -1, -1):
        labels = part_of(worker.groups.labels, layer * worker.lists.size)
        for label in range(settings.groups.layer_sizes[layer] + 1):
            counts[label] = 0
        for i in range(count):
            counts[labels[i] + 1] += 1
        if counts[labels[0] + 1] == count:
            continue
        has_groups = True
        for label in range(settings.groups.layer_sizes[layer]):
            counts[label + 1] += counts[label]
        for i in range(count):
            label = labels[order[i]]
            after[counts[label]] = order[i]
            counts[label] += 1
        for i in range(count):
            order[i] = after[i]
    if has_groups:
        candidates = part_of(worker.lists.candidates, worker.levels[0].first)
        for i in range(count):
            after[i] = candidates[order[i]]
        for i in range(count):
            candidates[i] = after[i]
    return has_groups


@kernel
def _label_of(s: Workspace, layer: int, place: int) -> int:
    """The label of a sorted candidate."""
    return s.worker.groups.labels[layer * s.worker.lists.size + s.worker.groups.order[place]]


@large_kernel
def add_groups(s: Workspace, node: int, count: int, submove: int, choosers: int) -> None:
    """Give a node groups of the candidates of level 0, which are sorted, as its edges.

    As long as a node waits for its edges, its record says which candidates they will be, and which
    layer is next.
    """
    edges, here = s.tree.edges, s.tree.edges[node]
    here.first = 0
    here.count = count
    here.tried = 0
    _fill(s, node, submove)
    number = here.first
    add_choosers(s, choosers)
    while number < s.tree.edge_count:
        if edges[number].kind == _GROUP:
            _fill(s, number, submove)
        number += 1


@kernel
def add_choosers(s: Workspace, count: int) -> None:
    """Put records of choosers after the edges of a node."""
    for _ in range(count):
        clear_edge(s, s.tree.edge_count, 0)
        s.tree.edges[s.tree.edge_count].kind = _CHOOSER
        s.tree.edge_count += 1


@kernel
def _fill(s: Workspace, node: int, submove: int) -> None:
    """Give a node that waits its edges: groups, if there are several, or candidates."""
    edges, here, settings = s.tree.edges, s.tree.edges[node], s.settings
    begin, count, layer = here.first, here.count, here.tried
    if count > settings.groups.least:
        while layer < settings.groups.layers:
            if _label_of(s, layer, begin) != _label_of(s, layer, begin + count - 1):
                _add_layer(s, node, begin, count, layer)
                return
            layer += 1
    add_edges(s, node, 0, begin, count, submove)
    if s.rules.choosers:
        for i in range(count):
            edges[here.first + i].count = s.worker.groups.order[begin + i]


@kernel
def _add_layer(s: Workspace, node: int, begin: int, count: int, layer: int) -> None:
    """Give a node the groups of some candidates as its edges, which then wait for theirs."""
    tree, here = s.tree, s.tree.edges[node]
    threshold = s.settings.groups.threshold
    here.first = tree.edge_count
    here.count = 0
    here.tried = 0
    for i in range(begin, begin + count):
        label = _label_of(s, layer, i)
        if i == begin or label != _label_of(s, layer, i - 1):
            clear_edge(s, tree.edge_count, -1 - tree.step_count)
            group, known = tree.edges[tree.edge_count], part_of(tree.steps, tree.step_count)
            known[GROUP_STEPS] = 0
            known[GROUP_LABEL] = LABELS * layer + label
            known[GROUP_THRESHOLD] = count if threshold < 0 else threshold
            group.kind = _GROUP
            group.first = i
            group.count = 0
            group.tried = layer + 1
            describe_edge(s, tree.edge_count, 0)
            tree.edge_count += 1
            tree.step_count += GROUP_SIZE
            here.count += 1
        tree.edges[tree.edge_count - 1].count += 1


@large_kernel
def leave_dead_groups(s: Workspace, node: int) -> int:
    """Go back from a node that has no edges any more, unless it is no group; where to?

    Groups on the way are removed. They have never been visited. A nodal node is terminal then.
    """
    edges, worker = s.tree.edges, s.worker
    while edges[node].count == 0 and edges[node].kind == _GROUP:
        worker.path_length -= 1
        above = worker.path[worker.path_length].node
        edges[above].count -= 1
        swap_edges(s, node, edges[above].first + edges[above].count)
        node = above
    if edges[node].count == 0:
        edges[node].kind = _TERMINAL
    return node
