"""Recursion: rows that depend on each other get literals in an order, as far as there is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semisplit.language.gdl.ground.atoms import Atoms
from semisplit.language.gdl.ground.rows import FALSE, TRUE, distinct, order_of, spread
from semisplit.language.gdl.ground.tables import Integers
from semisplit.language.gdl.ground.vocabulary import Column


class Instances:
    """Rules without variables for predicates that depend on each other: heads and literals."""

    def __init__(self) -> None:
        self._heads: list[Integers] = []
        self._literals: list[Sequence[Column]] = []

    def add(self, heads: Integers, literals: Sequence[Column]) -> None:
        """Add rules for some atoms."""
        self._heads.append(heads)
        self._literals.append(literals)

    @property
    def heads(self) -> Integers:
        """The atom that each rule derives."""
        return np.concatenate([np.zeros(0, np.int64), *self._heads])

    @property
    def matrix(self) -> Column:
        """The literals of each rule in a row, `TRUE` where there are fewer."""
        width = max((len(literals) for literals in self._literals), default=0)
        matrix = np.full((len(self.heads), width), TRUE, np.int32)
        begin = 0
        for heads, literals in zip(self._heads, self._literals):
            for place, column in enumerate(literals):
                matrix[begin : begin + len(heads), place] = column
            begin += len(heads)
        return matrix


def settle(instances: Instances, atoms: Atoms, first: int) -> Column:
    """What each atom from `first` on comes to; what depends on itself stays as it is.

    An atom is settled when all are that its rules mention. This is done for all at once whose turn
    it is, so that those that say the same become the same.
    """
    number = atoms.number - first
    heads, matrix = instances.heads - first, instances.matrix
    values = (2 * (first + np.arange(number))).astype(np.int32)
    is_own = np.zeros(number, bool)
    is_own[heads] = True
    inner = matrix >= 2 * first
    inner[inner] = is_own[(matrix[inner] >> 1) - first]
    users, _ = np.nonzero(inner)
    used = (matrix[inner] >> 1) - first
    order = order_of(used, number)
    users, use_begin = users[order], _begins(used, number)
    rules = order_of(heads, number)
    rule_begin = _begins(heads, number)
    rule_waits = np.count_nonzero(inner, 1)
    atom_waits = np.bincount(heads[rule_waits > 0], minlength=number)
    settled = np.zeros(number, bool)
    new = np.flatnonzero(is_own & (atom_waits == 0))
    while len(new):
        counts = rule_begin[new + 1] - rule_begin[new]
        own = rules[spread(rule_begin[new], counts)]
        literals = _replaced(matrix[own], values, first)
        groups = np.repeat(np.arange(len(new)), counts)
        values[new] = atoms.define(groups, len(new), [*literals.T])
        settled[new] = True
        above = users[spread(use_begin[new], use_begin[new + 1] - use_begin[new])]
        np.subtract.at(rule_waits, above, 1)
        above = distinct(above)
        ready = heads[above[rule_waits[above] == 0]]
        np.subtract.at(atom_waits, ready, 1)
        ready = distinct(ready)
        new = ready[atom_waits[ready] == 0]
    left = ~settled[heads]
    literals = _replaced(matrix[left], values, first)
    possible = (literals != FALSE).all(1)
    atoms.add(first + heads[left][possible], literals[possible])
    return values


def _begins(owners: Integers, number: int) -> Integers:
    """Where the things of each owner begin if they are sorted by owners, and the end of all."""
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=number))])


def _replaced(literals: Column, values: Column, first: int) -> Column:
    """Replace the atoms from `first` on in some literals by what they come to."""
    inner = (literals >= 2 * first) & (literals < 2 * (first + len(values)))
    replaced = literals.copy()
    replaced[inner] = values[(literals[inner] >> 1) - first] ^ (literals[inner] & 1)
    return replaced
