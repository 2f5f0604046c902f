"""Pair extraction: what two literals say together is computed once for all gates that need it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from semisplit.language.gdl.ground.rows import Integers, Rows, joined, made
from semisplit.language.gdl.network.network import Network, share

_MAX_PAIRS = 500_000
"""Pairs that are looked at in one round; what is in the longest rows is left out above it."""
_ALL_PAIRS = 4_000_000
"""Pairs that are looked at in all rounds."""
_MAX_GATES = 500_000
"""Networks with more are left as they are: so many pairs would change little, and take seconds."""
_WORTH_IT = 0.003
"""The part of all gates that a round has to save."""


def extract_pairs(network: Network) -> Network:
    """Give pairs of literals that several gates have in common gates of their own.

    In each round a gate gives away the pairs that are the most frequent one for both literals.
    """
    if network.size > _MAX_GATES:
        return network
    network = share(network)
    gates, next_node = network.gates.tidy(), 1 + network.inputs + len(network.gates)
    made_gates: list[Rows] = []
    looked_at = 0
    while looked_at < _ALL_PAIRS:
        rows, keys, bound = _pairs(gates)
        looked_at += len(keys)
        chosen_rows, chosen = _chosen(rows, keys, bound)
        kinds, which = np.unique(chosen, return_inverse=True)
        if len(chosen) - len(kinds) <= _WORTH_IT * network.size:
            break
        nodes = next_node + np.arange(len(kinds))
        next_node += len(kinds)
        literals = np.stack([kinds // bound, kinds % bound], 1).reshape(-1)
        made_gates.append(made(nodes, np.full(len(kinds), 2), literals))
        gates = _replace(gates, chosen_rows, chosen, 2 * nodes[which], bound)
    return share(replace(network, gates=joined(gates, *made_gates)))


def _pairs(gates: Rows) -> tuple[Integers, Integers, int]:
    """All pairs of literals that occur together in several gates: the gate's row, and a number."""
    counts = gates.counts
    bound = int(gates.literals.max(initial=0)) + 1
    rows, keys = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    total = 0
    for length in np.unique(counts[counts > 1]):
        these = np.flatnonzero(counts == length)
        total += len(these) * length * (length - 1) // 2
        if total > _MAX_PAIRS:
            break
        left, right = np.triu_indices(length, 1)
        literals = gates.literals[gates.starts[these][:, None] + np.arange(length)]
        keys.append((literals[:, left] * bound + literals[:, right]).reshape(-1))
        rows.append(np.repeat(these, len(left)))
    return np.concatenate(rows), np.concatenate(keys), bound


def _chosen(rows: Integers, keys: Integers, bound: int) -> tuple[Integers, Integers]:
    """The pairs that are to be replaced, and in which rows."""
    kinds, which, number = np.unique(keys, return_inverse=True, return_counts=True)
    frequent = number[which] > 1
    rows, keys, which = rows[frequent], keys[frequent], which[frequent]
    # The rank of a pair: by its frequency, and among equals by its number.
    rank = np.empty(len(kinds), np.int64)
    rank[np.lexsort((kinds, number))] = np.arange(len(kinds))
    ranks = rank[which]
    is_best = np.ones(len(keys), bool)
    for literal in (keys // bound, keys % bound):
        place = rows * bound + literal
        is_best &= ranks == _best(rows, keys, ranks, bound, place)
    rows, keys, which = rows[is_best], keys[is_best], which[is_best]
    enough = np.bincount(which, minlength=len(kinds))[which] > 1
    return rows[enough], keys[enough]


def _best(rows: Integers, keys: Integers, ranks: Integers, bound: int, place: Integers) -> Integers:
    """The highest rank of all pairs with a literal, given by its place in its row."""
    places = np.concatenate([rows * bound + keys // bound, rows * bound + keys % bound])
    order = np.argsort(places, kind="stable")
    sorted_places, sorted_ranks = places[order], np.concatenate([ranks, ranks])[order]
    starts = np.flatnonzero(np.append(True, np.diff(sorted_places) != 0))
    if len(sorted_places) == 0:
        return ranks
    highest = np.maximum.reduceat(sorted_ranks, starts)
    result: Integers = highest[np.searchsorted(sorted_places[starts], place)]
    return result


def _replace(gates: Rows, rows: Integers, keys: Integers, literals: Integers, bound: int) -> Rows:
    """Gates with a literal in place of each pair."""
    places = gates.numbers * bound + gates.literals
    gone = np.isin(
        places, np.concatenate([rows * bound + keys // bound, rows * bound + keys % bound])
    )
    numbers = np.append(gates.numbers[~gone], rows)
    order = np.argsort(numbers, kind="stable")
    kept = np.append(gates.literals[~gone], literals)[order]
    return made(gates.owners, np.bincount(numbers, minlength=len(gates)), kept).tidy()
