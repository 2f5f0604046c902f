"""The trees of a search in several trees as Python sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from semisplit.search.multitree.kernels.memory import NONE
from semisplit.search.multitree.memory import Memory


class Edge(NamedTuple):
    """A transition that has been visited."""

    target: int
    """The node it leads to."""
    moves: list[int]
    """The numbers of the moves that cause it."""
    visits: int
    scores: list[float]
    """The sum of each player's, from 0 to 1 for each visit."""


def root_nodes(memory: Memory) -> dict[int, int]:
    """The node of each tree at which iterations begin, as far as there is one."""
    forest, rules, arrays = memory.forest, memory.rules, memory.of_forest
    count, words = int(forest.node_count), int(rules.bit_words)
    nodes = arrays["nodes"][:count]
    substates = arrays["substates"][: count * words].reshape(count, words)
    root = arrays["root"][int(rules.first_bits) :]
    masks = memory.of_rules["masks"].reshape(int(rules.trees), words)
    found: dict[int, int] = {}
    for tree, mask in enumerate(masks):
        here = (nodes["tree"] == tree) & (nodes["depth"] == forest.root_depth)
        same = np.flatnonzero(here & (substates == (root & mask)).all(axis=1))
        if len(same):
            found[tree] = int(same[0])
    return found


def visited_edges(memory: Memory, node: int) -> Iterator[Edge]:
    """The edges of a node that have been visited."""
    arrays, players = memory.of_forest, int(memory.rules.players)
    labels = arrays["labels"]
    own = labels[labels["node"] == node + 1]
    number = int(arrays["nodes"][node]["first"])
    while number != NONE:
        edge = arrays["transitions"][number]
        if edge["visits"]:
            moves = own["move"][own["transition"] == number]
            scores = arrays["scores"][number * players : (number + 1) * players]
            yield Edge(
                int(edge["target"]), sorted(moves.tolist()), int(edge["visits"]), scores.tolist()
            )
        number = int(edge["next"])
