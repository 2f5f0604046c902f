"""Networks of gates: each is the conjunction of some literals, negated or not.

A gate has a larger number than what it depends on. Each pass is a function from a network to
one that computes the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from semisplit.language.gdl.ground.rows import (
    FALSE,
    TRUE,
    Flags,
    Integers,
    Rows,
    distinct,
    joined,
    made,
    order_of,
    spread,
    unique_rows,
    write_rows,
)
from semisplit.language.gdl.network.sums import Sums


@dataclass(frozen=True, eq=False)
class Network:
    """Gates between inputs and outputs."""

    inputs: int
    """Nodes 1 to so many are given: fluents, moves, variables of loops. Node 0 never holds."""
    gates: Rows
    """Their literals; the owner is the node, and all behind the inputs follow each other."""
    outputs: Integers
    """The literals that are asked for, and behind them what the variables of loops become."""
    loops: tuple[Integers, ...] = ()
    """The nodes that are the variables of each loop."""

    @property
    def size(self) -> int:
        """The number of gates with two inputs that it takes."""
        return int(np.maximum(self.gates.counts - 1, 0).sum())

    @property
    def depths(self) -> Integers:
        """The length of the longest way from inputs to each node."""
        depths = np.zeros(1 + self.inputs + len(self.gates), np.int64)
        starts, nodes = self.gates.starts.tolist(), (self.gates.literals >> 1).tolist()
        depth = depths.tolist()
        for gate in range(len(self.gates)):
            inside = nodes[starts[gate] : starts[gate + 1]]
            depth[1 + self.inputs + gate] = 1 + max(depth[node] for node in inside)
        return np.array(depth, np.int64)

    def __str__(self) -> str:
        """One gate in each line, then the outputs; `~` negates."""
        return write_rows(self.gates, "=", self.outputs)


def network_of(sums: Sums, inputs: Integers) -> Network:
    """Sums of products, folded and without recursion, as a network; `inputs` are atoms in order."""
    rows = sums.rows
    order = np.argsort(rows.owners, kind="stable")
    first_gate = 1 + len(inputs)
    number = np.bincount(rows.owners, minlength=sums.atoms)
    is_product = rows.counts > 1
    product = np.where(is_product, 2 * (first_gate + np.cumsum(is_product) - 1), 0)
    next_gate = first_gate + int(is_product.sum())
    summed = np.flatnonzero(number > 1)
    value = np.zeros(sums.atoms, np.int64)
    value[inputs] = 2 * (1 + np.arange(len(inputs)))
    single = number[rows.owners] == 1
    value[rows.owners[single]] = product[single]
    value[summed] = 2 * (next_gate + np.arange(len(summed))) + 1
    literals = value[rows.literals >> 1] ^ (rows.literals & 1)
    rows = rows.mapped(literals)
    products = rows.keep(is_product)
    product[~is_product] = literals[rows.starts[:-1][~is_product]]
    in_sum = order[number[rows.owners[order]] > 1]
    nodes = np.arange(first_gate, next_gate + len(summed))
    return arranged(
        Network(
            inputs=len(inputs),
            gates=made(
                nodes,
                np.append(products.counts, number[summed]),
                np.append(products.literals, product[in_sum] ^ 1),
            ),
            outputs=value[sums.outputs >> 1] ^ (sums.outputs & 1),
            loops=tuple(value[loop] >> 1 for loop in sums.loops),
        )
    )


def arranged(network: Network) -> Network:
    """The same with the gates on which outputs depend, numbered by their depth."""
    gates, first = network.gates, 1 + network.inputs
    users, used = gates.numbers, (gates.literals >> 1) - first
    users, used = users[used >= 0], used[used >= 0]
    users_of = users[order_of(used, len(gates))]
    begins = np.concatenate([[0], np.cumsum(np.bincount(used, minlength=len(gates)))])
    waits_for = np.bincount(users, minlength=len(gates))
    place = np.full(len(gates), -1)
    new, done = np.flatnonzero(waits_for == 0), 0
    while len(new):
        place[new] = done + np.arange(len(new))
        done += len(new)
        above = users_of[spread(begins[new], begins[new + 1] - begins[new])]
        np.subtract.at(waits_for, above, 1)
        above = distinct(above)
        new = above[waits_for[above] == 0]
    assert done == len(gates), "a network has a circle"
    needed = needed_gates(network)
    place = np.cumsum(needed[np.argsort(place)])[place] - 1
    kept = np.flatnonzero(needed)
    kept = kept[np.argsort(place[kept])]
    node = np.append(np.arange(first), first + place)
    counts = gates.counts[kept]
    literals = gates.literals[spread(gates.starts[:-1][kept], counts)]
    return replace(
        network,
        gates=made(first + np.arange(len(kept)), counts, 2 * node[literals >> 1] + (literals & 1)),
        outputs=2 * node[network.outputs >> 1] + (network.outputs & 1),
    )


def needed_gates(network: Network) -> Flags:
    """The gates on which outputs depend."""
    gates, first = network.gates, 1 + network.inputs
    needed = np.zeros(first + len(gates), bool)
    new = distinct(network.outputs >> 1)
    while len(new):
        needed[new] = True
        rows = new[new >= first] - first
        below = distinct(gates.literals[spread(gates.starts[:-1][rows], gates.counts[rows])] >> 1)
        new = below[~needed[below]]
    return needed[first:]


def share(network: Network) -> Network:
    """Replace gates that are constant, the same as a literal, or the same as another gate."""
    gates, outputs, first = network.gates, network.outputs, 1 + network.inputs
    nodes = first + len(gates)
    while True:
        value = 2 * np.arange(nodes)
        tidy = gates.tidy()
        impossible = np.zeros(len(tidy), bool)
        impossible[tidy.numbers[tidy.literals == FALSE]] = True
        tidy = tidy.only(tidy.literals != TRUE).keep(~impossible)
        # Contradictory gates are gone.
        value[first:] = FALSE
        value[tidy.owners] = 2 * tidy.owners
        same = unique_rows(tidy, with_owner=False)
        value[tidy.owners] = 2 * tidy.owners[same]
        single = tidy.counts == 1
        value[tidy.owners[single]] = tidy.literals[tidy.starts[:-1][single]]
        value[tidy.owners[tidy.counts == 0]] = TRUE
        for _ in range(nodes.bit_length()):
            value = value[value >> 1] ^ (value & 1)
        gates = tidy.keep(value[tidy.owners] == 2 * tidy.owners)
        if np.array_equal(value[gates.literals >> 1], gates.literals & ~1) and np.array_equal(
            value[outputs >> 1], outputs & ~1
        ):
            break
        gates = gates.mapped(value[gates.literals >> 1] ^ (gates.literals & 1))
        outputs = value[outputs >> 1] ^ (outputs & 1)
    return _renumbered(replace(network, gates=gates, outputs=outputs))


def _renumbered(network: Network) -> Network:
    """Give gates that have any numbers those that follow each other."""
    gates, first = network.gates, 1 + network.inputs
    node = np.zeros(max(first, int(gates.owners.max(initial=0)) + 1), np.int64)
    node[:first] = np.arange(first)
    node[gates.owners] = first + np.arange(len(gates))
    literals = 2 * node[gates.literals >> 1] + (gates.literals & 1)
    outputs = 2 * node[network.outputs >> 1] + (network.outputs & 1)
    gates = Rows(node[gates.owners], gates.starts, literals)
    return arranged(replace(network, gates=gates, outputs=outputs))


def flatten(network: Network) -> Network:
    """Join a gate with the only one that uses it, if both together are one conjunction."""
    gates, first = network.gates, 1 + network.inputs
    while True:
        literals = gates.literals
        uses = np.bincount(literals >> 1, minlength=first + len(gates))
        uses += np.bincount(network.outputs >> 1, minlength=len(uses))
        inner = (literals & 1 == 0) & (literals >> 1 >= first) & (uses[literals >> 1] == 1)
        # Those that take others in wait for the next round.
        takes = np.zeros(len(gates), bool)
        takes[gates.numbers[inner]] = True
        inner[inner] = ~takes[(literals[inner] >> 1) - first]
        if not inner.any():
            return _renumbered(replace(network, gates=gates))
        taken = (literals[inner] >> 1) - first
        counts = np.ones(len(literals), np.int64)
        counts[inner] = gates.counts[taken]
        places = np.repeat(np.arange(len(literals)), counts)
        expanded = literals[places]
        expanded[inner[places]] = literals[spread(gates.starts[:-1][taken], gates.counts[taken])]
        numbers = np.repeat(gates.numbers, counts)
        gates = made(gates.owners, np.bincount(numbers, minlength=len(gates)), expanded)
        empty = np.zeros(len(gates), bool)
        empty[taken] = True
        gates = gates.only(~np.repeat(empty, gates.counts))


def halve(network: Network) -> Network:
    """Give each gate two inputs, by trees of gates."""
    gates, first = network.gates, 1 + network.inputs
    done: list[Rows] = []
    next_node = first + len(gates)
    while len(gates):
        is_small = gates.counts <= 2
        done.append(gates.keep(is_small))
        gates = gates.keep(~is_small)
        counts = gates.counts
        place = np.arange(len(gates.literals)) - np.repeat(gates.starts[:-1], counts)
        paired = place < np.repeat(counts // 2 * 2, counts)
        pairs = gates.literals[paired]
        nodes = next_node + np.arange(len(pairs) // 2)
        next_node += len(nodes)
        done.append(made(nodes, np.full(len(nodes), 2), pairs))
        literals = gates.literals.copy()
        literals[paired] = np.repeat(2 * nodes, 2)
        gates = gates.mapped(literals).only(~(paired & (place % 2 == 1)))
    all_ = joined(*done) if done else gates
    return share(_renumbered(replace(network, gates=all_)))
