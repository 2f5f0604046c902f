"""Passes: each computes the same as before, on all inputs, and does what it is for."""

from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

from semisplit.language.gdl.ground.rows import Rows, made
from semisplit.language.gdl.network.network import Network, flatten, halve, network_of, share
from semisplit.language.gdl.network.pairs import extract_pairs
from semisplit.language.gdl.network.recursion import cut_recursion
from semisplit.language.gdl.network.sums import Sums, factor, fold, group, reach

FLUENTS, MOVES, ATOMS = 3, 3, 12
"""Atoms 1 to 3 are fluents, 4 to 6 the moves of a role, and the others up to 11 have rules."""
FIRST = 1 + FLUENTS + MOVES

Rules = list[tuple[int, list[int]]]


def sums(rules: Rules, outputs: list[int], atoms: int = ATOMS) -> Sums:
    """Of rules with an atom and literals, negative ones negated."""
    literals = [2 * abs(x) + (x < 0) for _, body in rules for x in body]
    rows = made(
        np.array([head for head, _ in rules], np.int64),
        np.array([len(body) for _, body in rules], np.int64),
        np.array(literals, np.int64),
    )
    is_input = np.zeros(atoms, bool)
    is_input[1:FIRST] = True
    moves = np.arange(1 + FLUENTS, FIRST)
    asked = np.array([2 * abs(x) + (x < 0) for x in outputs], np.int64)
    return Sums(atoms, is_input, (moves,), asked, rows.tidy())


def inputs() -> list[list[bool]]:
    """All states, with all moves."""
    fluents = product([False, True], repeat=FLUENTS)
    return [[*state, *(m == move for m in range(MOVES))] for state in fluents for move in range(3)]


def model(sums: Sums, given: list[bool]) -> list[bool]:
    """What outputs are: the least model, stratum by stratum as rules only negate smaller atoms."""
    value = np.zeros(sums.atoms, bool)
    value[1:FIRST] = given
    rows = [
        (int(owner), sums.rows.literals[begin:end].tolist())
        for owner, begin, end in zip(sums.rows.owners, sums.rows.starts, sums.rows.starts[1:])
    ]
    # Atoms that are new have numbers that say nothing about their order.
    changed = True
    order = [*range(sums.atoms)]
    settled = value.copy()
    for _ in order:
        before = settled.copy()
        value = np.zeros(sums.atoms, bool)
        value[1:FIRST] = given
        changed = True
        while changed:
            changed = False
            for owner, body in rows:
                holds = all(not before[x >> 1] if x & 1 else value[x >> 1] for x in body)
                changed |= holds and not value[owner]
                value[owner] |= holds
        settled = value
        if np.array_equal(before, settled):
            break
    return [bool(settled[x >> 1] ^ (x & 1)) for x in sums.outputs.tolist()]


def random_rules(seed: int) -> Sums:
    random = Random(seed)
    rules: Rules = []
    for head in range(FIRST, ATOMS):
        for _ in range(random.randint(0, 4)):
            body = {
                random.choice([-1, 1]) * atom if atom <= FLUENTS else atom
                for atom in random.choices(range(1, head), k=random.randint(0, 3))
            }
            body |= {-atom for atom in range(FIRST, head) if random.random() < 0.2}
            if not any(-x in body for x in body):
                rules.append((head, sorted(body)))
    return sums(rules, [*range(FIRST, ATOMS), -7])


def to_network(game: Sums) -> Network:
    atoms = np.concatenate([np.arange(1, FIRST), *game.loops]).astype(np.int64)
    return network_of(reach(fold(game)), atoms)


def run(network: Network, given: list[bool]) -> list[bool]:
    """What the outputs of a network without loops are."""
    value = [False, *given]
    for begin, end in zip(network.gates.starts, network.gates.starts[1:]):
        literals = network.gates.literals[begin:end].tolist()
        value.append(all(value[x >> 1] ^ bool(x & 1) for x in literals))
    return [value[x >> 1] ^ bool(x & 1) for x in network.outputs.tolist()]


@pytest.mark.parametrize("one", [fold, reach, group, factor, cut_recursion])
def test_sums_stay_what_they_are(one: Callable[[Sums], Sums]) -> None:
    for seed in range(60):
        game = random_rules(seed)
        after = one(game)
        for given in inputs():
            assert model(game, given) == model(after, given), (seed, given)


@pytest.mark.parametrize("one", [share, flatten, extract_pairs, halve])
def test_networks_stay_what_they_are(one: Callable[[Network], Network]) -> None:
    for seed in range(60):
        game = random_rules(seed)
        network = to_network(game)
        after = one(network)
        for given in inputs():
            assert run(network, given) == model(game, given), seed
            assert run(after, given) == model(game, given), seed


def rows_of(rows: Rows) -> set[tuple[int, ...]]:
    return {
        (int(owner), *rows.literals[begin:end].tolist())
        for owner, begin, end in zip(rows.owners, rows.starts, rows.starts[1:])
    }


def test_fold_finds_constants_aliases_and_circles() -> None:
    rules: Rules = [(7, []), (8, [1, 7]), (9, [8]), (10, [11]), (11, [10])]
    game = fold(sums(rules, [7, -8, 9, -10]))
    assert game.outputs.tolist() == [1, 3, 2, 1]
    assert len(game.rows) == 0


def test_moves_of_a_role_become_one_literal() -> None:
    game = group(sums([(7, [1, 4]), (7, [1, 5])], [7]))
    # Two of three moves are all but the third.
    assert rows_of(game.rows) == {(7, 2, 2 * ATOMS + 1), (ATOMS, 2 * 6)}


def test_a_role_makes_only_one_move() -> None:
    assert len(group(sums([(7, [4, 5])], [7])).rows) == 0


def test_all_moves_of_a_role_say_nothing() -> None:
    game = fold(group(sums([(7, [1, 4]), (7, [1, 5]), (7, [1, 6])], [7])))
    assert game.outputs.tolist() == [2]


def test_what_rows_share_is_pulled_out() -> None:
    game = factor(sums([(7, [1, 2]), (7, [1, 3]), (7, [4])], [7]))
    assert rows_of(game.rows) == {(7, 2, 2 * ATOMS), (7, 8), (ATOMS, 4), (ATOMS, 6)}


def test_a_shorter_row_absorbs_longer_ones() -> None:
    game = fold(factor(sums([(7, [1]), (7, [1, 3])], [7])))
    assert game.outputs.tolist() == [2]


def test_gates_that_are_alike_are_one() -> None:
    network = share(
        to_network(sums([(7, [1, 2]), (8, [2, 1]), (9, [3, 7]), (10, [3, 8])], [9, 10]))
    )
    assert network.size == 2
    assert network.outputs[0] == network.outputs[1]


def test_gates_used_once_are_joined() -> None:
    network = flatten(to_network(sums([(7, [1, 2]), (8, [7, 3])], [8])))
    assert str(network) == "7 = 3 1 2\nout 7"


def test_pairs_are_computed_once() -> None:
    rules: Rules = [(7, [1, 2, 3]), (8, [1, 2, 4]), (9, [1, 2, 5])]
    network = to_network(sums(rules, [7, 8, 9]))
    assert network.size == 6
    assert extract_pairs(network).size == 4


def test_halved_gates_have_two_inputs() -> None:
    network = halve(to_network(sums([(7, [1, 2, 3, 4, 5])], [7])))
    assert network.gates.counts.tolist() == [2] * 4
    assert network.depths.max() == 3


def test_recursion_becomes_a_loop() -> None:
    # 9 and 10 reach each other; 8 is below, 11 above.
    rules: Rules = [(8, [1, 2]), (9, [8]), (9, [10, 2]), (10, [9, 3]), (11, [9, 10])]
    game = cut_recursion(fold(sums(rules, [11])))
    assert [loop.tolist() for loop in game.loops] == [[ATOMS, ATOMS + 1]]
    assert game.outputs.tolist()[1:] == [2 * 9, 2 * 10]
    assert game.is_input[ATOMS:].all()
