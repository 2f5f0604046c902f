"""Nodes, transitions and labels."""

from __future__ import annotations

from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, i8
from semisplit.search.multitree.kernels.memory import NONE, LabelRecord, Workplace

_MIX = 0x9E3779B97F4A7C15 - 2**64
"""Odd, with bits that look like random ones."""
_LEAST_ROOM = 8


@kernel
def mix(known: int, more: int) -> int:
    """A hash of some words and one word more."""
    mixed = (known ^ more) * _MIX
    return mixed ^ (mixed >> 32)


@kernel
def find_node(s: Workplace, tree: int, depth: int, state: Array[i8]) -> int:
    """The node of a tree for a state, which is made if there is none."""
    rules, forest = s.rules, s.forest
    words, bits = rules.bit_words, rules.first_bits
    known = mix(tree, depth)
    for i in range(words):
        known = mix(known, state[bits + i] & rules.masks[tree * words + i])
    slot = known & forest.node_mask
    while forest.node_table[slot] != 0:
        number = forest.node_table[slot] - 1
        if forest.nodes[number].tree == tree and forest.nodes[number].depth == depth:
            same = True
            for i in range(words):
                substate = state[bits + i] & rules.masks[tree * words + i]
                same = same and forest.substates[number * words + i] == substate
            if same:
                return number
        slot = (slot + 1) & forest.node_mask
    number = forest.node_count
    forest.node_count += 1
    forest.node_table[slot] = number + 1
    node = forest.nodes[number]
    node.tree, node.depth = tree, depth
    node.visits = node.room = node.labels = 0
    node.first = node.last = NONE
    for i in range(words):
        forest.substates[number * words + i] = state[bits + i] & rules.masks[tree * words + i]
    return number


@kernel
def label_slot(s: Workplace, node: int, move: int) -> int:
    """Where in the table of labels a move at a node is, or where it would be."""
    forest = s.forest
    slot = mix(mix(_MIX, node), move) & forest.label_mask
    while True:
        label = forest.labels[slot]
        if label.node == 0 or (label.node == node + 1 and label.move == move):
            return slot
        slot = (slot + 1) & forest.label_mask


@kernel
def find_transition(s: Workplace, node: int, move: int) -> int:
    """The transition that a move causes at a node, NONE if that is not known."""
    label = s.forest.labels[label_slot(s, node, move)]
    return NONE if label.node == 0 else label.transition


@kernel
def set_label(s: Workplace, node: int, move: int, transition: int, situation: int) -> None:
    """Label a transition with a move."""
    label = s.forest.labels[label_slot(s, node, move)]
    if label.node == 0:
        s.forest.label_count += 1
        s.forest.nodes[node].labels += 1
    label.node, label.move = node + 1, move
    label.transition, label.situation = transition, situation


@kernel
def transition_to(s: Workplace, node: int, target: int) -> int:
    """The transition from a node to another, NONE if there is none."""
    transition = s.forest.nodes[node].first
    while transition != NONE and s.forest.transitions[transition].target != target:
        transition = s.forest.transitions[transition].next
    return transition


@kernel
def add_transition(s: Workplace, node: int, target: int, moves: int) -> int:
    """A new transition from a node to another, behind the others; so many moves may need one.

    In a single tree almost each of them will. Side by side they are read faster, so room is kept
    for as many as there are already.
    """
    forest, source = s.forest, s.forest.nodes[node]
    if source.room == 0:
        number = forest.transition_count
        known = source.labels
        source.room = min(max(_LEAST_ROOM, known), moves - known) if s.rules.trees == 1 else 1
        forest.transition_count += source.room
    else:
        number = source.last + 1
    source.room -= 1
    forest.transitions[number].target, forest.transitions[number].next = target, NONE
    if source.first == NONE:
        source.first = number
    else:
        forest.transitions[source.last].next = number
    source.last = number
    return number


@kernel
def fill_node_table(s: Workplace) -> None:
    """Enter all nodes into an empty table."""
    forest, words = s.forest, s.rules.bit_words
    for number in range(forest.node_count):
        node = forest.nodes[number]
        known = mix(node.tree, node.depth)
        for i in range(words):
            known = mix(known, forest.substates[number * words + i])
        slot = known & forest.node_mask
        while forest.node_table[slot] != 0:
            slot = (slot + 1) & forest.node_mask
        forest.node_table[slot] = number + 1


@kernel
def copy_labels(s: Workplace, old: Array[LabelRecord], count: int) -> None:
    """Enter the labels of another table into an empty one."""
    for i in range(count):
        if old[i].node != 0:
            label = s.forest.labels[label_slot(s, old[i].node - 1, old[i].move)]
            label.node, label.move = old[i].node, old[i].move
            label.transition, label.situation = old[i].transition, old[i].situation
