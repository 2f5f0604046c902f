"""Atoms that stand for what rules say, the same for all that say the same.

A literal is twice the number of an atom, one more if it is negated; atom 0 never holds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semisplit.gdl.ground.tables import Flags, Integers
from semisplit.gdl.ground.vocabulary import Column
from semisplit.gdl.network.rows import FALSE, TRUE, Rows, joined, made, spread, unique_rows


class Atoms:
    """Numbers atoms, and keeps the rules that define them.

    Exactly one move of each role is made. So a set of moves may be the opposite of the others.
    """

    def __init__(self, fluents: int, roles: Integers):
        """Number the inputs: so many fluents, then the moves of roles."""
        self.number = 1 + fluents + len(roles)
        """Atoms have smaller numbers."""
        self._first_move = 1 + fluents
        self._roles = roles
        self._of_role = np.bincount(roles)
        self._sets = _Sets()
        self._rules: list[Rows] = []

    @property
    def rules(self) -> Rows:
        """All rules; the owner of a row is its head."""
        empty = made(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
        return joined(empty, *self._rules)

    def new(self, number: int) -> Integers:
        """So many atoms more."""
        self.number += number
        return np.arange(self.number - number, self.number)

    def define(self, groups: Integers, number: int, literals: Sequence[Column]) -> Column:
        """A literal for each group of rows: one of the rows has to hold, with all its literals."""
        values = np.full(number, FALSE, np.int32)
        groups, matrix = _tidy(groups, literals)
        values[groups[matrix[:, -1] == TRUE]] = TRUE
        left = values[groups] != TRUE
        groups, matrix = groups[left], matrix[left]
        if len(groups) == 0:
            return values
        is_move = self._is_move(matrix)
        single = (matrix[:, :-1] == TRUE).all(1)
        groups, matrix = self._unite(values, groups, matrix, is_move[:, -1], single)
        self._list_moves(values, groups, matrix)
        left = values[groups] == FALSE
        self._disjoin(values, groups[left], self._conjunctions(*_rows(matrix[left])))
        return values

    def _is_move(self, literals: Column) -> Flags:
        end = self._first_move + len(self._roles)
        inside: Flags = (literals >= 2 * self._first_move) & (literals < 2 * end)
        return inside & (literals & 1 == 0)

    def _unite(
        self, values: Column, groups: Integers, matrix: Column, is_move: Flags, single: Flags
    ) -> tuple[Integers, Column]:
        """Set the values of groups of which all rows are a set of moves; returns the other rows."""
        literals = matrix[:, -1]
        begin, counts = self._sets.find(literals)
        is_set = single & (is_move | (counts > 0))
        mixed = np.zeros(len(values), bool)
        mixed[groups[~is_set]] = True
        lonely = np.bincount(groups, minlength=len(values)) == 1
        pure = ~mixed[groups]
        alone = pure & lonely[groups]
        values[groups[alone]] = literals[alone]
        several = pure & ~alone
        if several.any():
            own = several & is_move
            sets = several & ~is_move
            members = self._sets.members[spread(begin[sets], counts[sets])]
            owners = np.append(groups[own], np.repeat(groups[sets], counts[sets]))
            moves = np.append((literals[own] >> 1) - self._first_move, members)
            self._set_sets(values, owners, moves)
        return groups[~pure], matrix[~pure]

    def _set_sets(self, values: Column, groups: Integers, moves: Integers) -> None:
        """Set the values of groups to sets of moves, given as pairs."""
        pairs = np.unique(groups * len(self._roles) + moves)
        groups, moves = np.divmod(pairs, len(self._roles))
        heads, counts = np.unique(groups, return_counts=True)
        parts, sizes = np.unique(
            groups * len(self._of_role) + self._roles[moves], return_counts=True
        )
        # Moves are in order, and so those of a role follow each other in each group.
        chosen = np.split(moves, np.cumsum(sizes)[:-1])
        role = parts % len(self._of_role)
        of_parts = self._sets_of_moves(chosen, role, sizes)
        self._disjoin(values, parts // len(self._of_role), of_parts)
        self._sets.add(values[heads], counts, moves)

    def _sets_of_moves(self, sets: list[Integers], role: Integers, sizes: Integers) -> Column:
        """Literals for sets of moves, each of a role: that one of them is made.

        Either none of the others is made. Or, which is shorter for many of those that are in any
        set: one of these is made, and none of the others among them.
        """
        some = np.unique(np.concatenate(sets))
        unions = [some[self._roles[some] == here] for here in range(len(self._of_role))]
        opposite = self._of_role[role] - sizes
        rest = np.array([*map(len, unions)])[role] - sizes
        is_part = (rest > 0) & (rest + 1 < np.minimum(sizes, opposite))
        is_most = (opposite < sizes) & ~is_part
        absent, wholes = [*sets], np.full(len(sets), TRUE)
        for part in np.flatnonzero(is_part):
            absent[part] = np.setdiff1d(unions[role[part]], sets[part], assume_unique=True)
        for part in np.flatnonzero(is_most):
            moves = np.flatnonzero(self._roles == role[part])
            absent[part] = np.setdiff1d(moves, sets[part], assume_unique=True)
        for here in np.unique(role[is_part]):
            union = unions[here]
            (wholes[is_part & (role == here)],) = self._sets_of_moves(
                [union], np.array([here]), np.array([len(union)])
            )
        counts = np.array([*map(len, absent)])
        literals = 2 * (self._first_move + np.concatenate(absent)) + 1
        literals = np.insert(literals, np.cumsum(counts)[is_part], wholes[is_part])
        return self._conjunctions(counts + is_part, literals) ^ ~(is_part | is_most)

    def _list_moves(self, values: Column, groups: Integers, matrix: Column) -> None:
        """Set the values of groups with moves: their rows are listed, to be joined later."""
        has_move = np.zeros(len(values), bool)
        has_move[groups[self._is_move(matrix).any(1)]] = True
        heads = np.flatnonzero(has_move)
        atoms = np.zeros(len(values), np.int64)
        atoms[heads] = self.new(len(heads))
        values[heads] = 2 * atoms[heads]
        listed = has_move[groups]
        self.add(atoms[groups[listed]], matrix[listed])

    def add(self, heads: Integers, matrix: Column) -> None:
        """Add rules as they are: heads, and the literals of their bodies, with `TRUE` for none."""
        counts, literals = _rows(matrix)
        self._rules.append(made(heads, counts, literals))

    def _disjoin(self, values: Column, groups: Integers, literals: Column) -> None:
        """Set the values of groups to literals of which one has to hold."""
        pairs = np.unique((groups << 32) | literals)
        groups, literals = pairs >> 32, pairs & (2**32 - 1)
        opposite = np.zeros(len(pairs), bool)
        opposite[1:] = pairs[1:] == pairs[:-1] ^ 1
        always = np.zeros(len(values), bool)
        always[groups[opposite | (literals == TRUE)]] = True
        kept = ~always[groups]
        values[always] = TRUE
        groups, literals = groups[kept], literals[kept]
        heads, counts = np.unique(groups, return_counts=True)
        # One of them holds unless all of their opposites do.
        values[heads] = self._conjunctions(counts, literals ^ 1) ^ 1

    def _conjunctions(self, counts: Integers, literals: Integers) -> Column:
        """A literal for each row: that all of its literals hold."""
        rows = made(np.zeros(len(counts), np.int64), counts, literals)
        values = np.full(len(counts), TRUE, np.int64)
        single, several = counts == 1, counts > 1
        values[single] = literals[rows.starts[:-1][single]]
        rows = rows.keep(several)
        if len(rows):
            first = unique_rows(rows, with_owner=False)
            known, which = np.unique(first, return_inverse=True)
            kept = np.zeros(len(rows), bool)
            kept[known] = True
            atoms = self.new(len(known))
            kinds = rows.keep(kept)
            self._rules.append(made(atoms, kinds.counts, kinds.literals))
            values[several] = 2 * atoms[which]
        return values.astype(np.int32)


class _Sets:
    """The moves of literals that stand for sets of them."""

    def __init__(self) -> None:
        self.members = np.zeros(0, np.int64)
        """The moves of all sets, one set after the other."""
        self._literals = np.zeros(0, np.int64)
        self._begin = np.zeros(0, np.int64)
        self._counts = np.zeros(0, np.int64)

    def add(self, literals: Column, counts: Integers, members: Integers) -> None:
        """Remember sets."""
        order = np.argsort(np.append(self._literals, literals), kind="stable")
        begin = len(self.members) + np.cumsum(counts) - counts
        self._literals = np.append(self._literals, literals)[order]
        self._begin = np.append(self._begin, begin)[order]
        self._counts = np.append(self._counts, counts)[order]
        self.members = np.append(self.members, members)

    def find(self, literals: Column) -> tuple[Integers, Integers]:
        """Where the members of sets begin, and how many there are: none of any other literal."""
        if len(self._literals) == 0:
            return np.zeros(len(literals), np.int64), np.zeros(len(literals), np.int64)
        places = np.searchsorted(self._literals, literals).clip(max=len(self._literals) - 1)
        counts = np.where(self._literals[places] == literals, self._counts[places], 0)
        return self._begin[places], counts


def _tidy(groups: Integers, literals: Sequence[Column]) -> tuple[Integers, Column]:
    """The rows that can hold: literals in order, each once, with `TRUE` in front of them."""
    matrix = np.stack(literals, 1) if literals else np.full((len(groups), 1), TRUE, np.int32)
    if matrix.shape[1] > 1:
        matrix.sort(1)
        repeated = matrix[:, 1:] == matrix[:, :-1]
        if repeated.any():
            matrix[:, 1:][repeated] = TRUE
            matrix.sort(1)
    opposite = (matrix[:, 1:] == matrix[:, :-1] + 1) & (matrix[:, :-1] & 1 == 0)
    possible: Flags = (matrix[:, 0] != FALSE) & ~opposite.any(1)
    return groups[possible], matrix[possible]


def _rows(matrix: Column) -> tuple[Integers, Integers]:
    """The number of literals in each row, and all of them but `TRUE`."""
    given = matrix != TRUE
    return np.count_nonzero(given, 1), matrix[given].astype(np.int64)
