"""Several trees hold exactly the game: what the interpreter says of walks through them.

A move leads to the same node of a tree that its transition leads to, whatever the other trees are
at; no transition has a move that is illegal wherever its node occurs; and visits add up.
"""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from semisplit import load
from semisplit.search import Budget
from semisplit.search.multitree.inspector import ForestInspector
from semisplit.search.multitree.memory import Memory
from semisplit.search.multitree.notation import parse_multitree
from semisplit.search.multitree.search import MultiTreeSearch
from semisplit.search.multitree.view import root_nodes, visited_edges
from tests.support.rules import gdl, present

WALKS = 10


def number_of(codes: list[int], base: int) -> int:
    """What kernels know a move as."""
    number = 0
    for code in codes:
        number = number * base + code + 1
    return number


def parts_of(memory: Memory, state: bytes) -> NDArray[np.int64]:
    """What each tree sees of a state."""
    words, trees = int(memory.rules.bit_words), int(memory.rules.trees)
    bits = np.frombuffer(state, "i8")[int(memory.rules.first_bits) :]
    masks: NDArray[np.int64] = memory.of_rules["masks"].reshape(trees, words)
    return bits & masks


def check_walk(memory: Memory, search: MultiTreeSearch, random: Random) -> int:
    """Play at random while a tree knows the way; how many edges have been compared?"""
    rules, codec = gdl(search.game), memory.game.codec
    interpreter, base, compared = rules.interpreter, int(memory.rules.base), 0
    position, nodes = search.state.position, dict(root_nodes(memory))
    words = int(memory.rules.bit_words)
    while nodes and (moves := list(interpreter.moves(position))):
        known = {
            tree: {move: edge.target for edge in visited_edges(memory, node) for move in edge.moves}
            for tree, node in nodes.items()
        }
        going = []
        for steps, after in moves:
            after = interpreter.run_keeper(after)
            number = number_of(present(codec.codes(steps)), base)
            seen = parts_of(memory, codec.pack(after))
            targets = {tree: edges[number] for tree, edges in known.items() if number in edges}
            for tree, target in targets.items():
                own = memory.of_forest["substates"][target * words : (target + 1) * words]
                assert (own == seen[tree]).all(), (tree, steps)
                assert memory.of_forest["nodes"][target]["tree"] == tree
                compared += 1
            going.append((after, targets))
        position, nodes = random.choice([one for one in going if one[1]] or going)
    return compared


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("incredible", "mt-mcts"),
        ("nonogram_g", "mt-mcts,alpha=0.25"),
        ("double_ttt_sync", "mt-mcts"),
        ("hanoi", "uct-transpositions"),
        ("eight_puzzle", "uct-transpositions"),
    ],
)
def test_trees_hold_the_game(name: str, text: str) -> None:
    search = MultiTreeSearch(load(name), parse_multitree(text), seed=1, memory=1 << 22)
    search.run(Budget(simulations=500))
    tree, random = search.tree, Random(1)
    assert isinstance(tree, ForestInspector)
    memory = tree.memory
    assert sum(check_walk(memory, search, random) for _ in range(WALKS)) > 50
    nodes = memory.of_forest["nodes"][: int(memory.forest.node_count)]
    for node in range(0, len(nodes), 1 + len(nodes) // 200):
        edges = list(visited_edges(memory, node))
        assert sum(edge.visits for edge in edges) <= nodes[node]["visits"]
        for edge in edges:
            assert nodes[edge.target]["depth"] == nodes[node]["depth"] + 1
            assert all(-1e-6 <= score <= edge.visits * (1 + 1e-6) for score in edge.scores)
