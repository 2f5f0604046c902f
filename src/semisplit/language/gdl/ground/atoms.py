"""Atoms that stand for what rules say, the same for all that say the same.

A literal is twice the number of an atom, one more if it is negated; atom 0 never holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.ground.rows import (
    FALSE,
    TRUE,
    Rows,
    distinct,
    joined,
    made,
    spread,
    unique_rows,
)
from semisplit.language.gdl.ground.tables import Flags, Integers
from semisplit.language.gdl.ground.vocabulary import Column


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
        groups, matrix = self._unite(values, groups, matrix)
        self._list_moves(values, groups, matrix)
        left = values[groups] == FALSE
        self._disjoin(values, groups[left], self._conjunctions(*_rows(matrix[left])))
        return values

    def _is_move(self, literals: NDArray[Any]) -> Flags:
        end = self._first_move + len(self._roles)
        inside = (literals >= 2 * self._first_move) & (literals < 2 * end)
        found: Flags = inside & (literals & 1 == 0)
        return found

    def _unite(self, values: Column, groups: Integers, matrix: Column) -> tuple[Integers, Column]:
        """Set the values of groups of which all rows are moves of a role, or sets of them.

        Returns the other rows.
        """
        literals = matrix[:, -1].astype(np.int64)
        single = (matrix[:, :-1] == TRUE).all(1)
        is_set = single & (self._is_move(literals) | self._sets.has(literals))
        mixed = np.zeros(len(values), bool)
        mixed[groups[~is_set]] = True
        lonely = np.bincount(groups, minlength=len(values)) == 1
        pure = ~mixed[groups]
        alone = pure & lonely[groups]
        values[groups[alone]] = literals[alone]
        several = pure & ~alone
        if several.any():
            self._unite_sets(values, groups[several], literals[several])
        return groups[~pure], matrix[~pure]

    def _unite_sets(self, values: Column, groups: Integers, literals: Integers) -> None:
        """Set the values of groups to the unions of sets of moves.

        One of some sets is made if none of the others is, among those that are in any group, and
        one of all these is. That is shorter if there are many.
        """
        family, which = np.unique(literals, return_inverse=True)
        begin, counts = self._members_of(family)
        members = self._sets.members[spread(begin, counts)]
        if np.bincount(members).max() > 1:
            # Sets that have moves in common: take the moves themselves.
            moves = self._sets.members[spread(begin[which], counts[which])]
            groups = np.repeat(groups, counts[which])
            family, which = np.unique(2 * (self._first_move + moves), return_inverse=True)
            begin, counts = self._members_of(family)
        roles, size = self._roles[self._sets.members[begin]], len(family)
        # Sets are numbered by roles, so that those of a role follow each other in each group.
        by_role = np.argsort(roles, kind="stable")
        family, begin, counts, roles = (a[by_role] for a in (family, begin, counts, roles))
        pairs = distinct(groups * size + np.argsort(by_role, kind="stable")[which.reshape(-1)])
        groups, sets = np.divmod(pairs, size)
        number = len(self._of_role)
        parts, starts, sizes = np.unique(
            groups * number + roles[sets], return_index=True, return_counts=True
        )
        role = parts % number
        of_role = np.bincount(roles, minlength=number)
        is_most = 2 * sizes > of_role[role] + 1
        all_ = {}
        for here in distinct(role[is_most]).tolist():
            own = roles == here
            all_[here] = self._one_of_all(here, family[own], begin[own], counts[own])
        bodies = np.split(family[sets] ^ 1, starts[1:])
        for part in np.flatnonzero(is_most):
            own = family[roles == role[part]] ^ 1
            others = np.setdiff1d(own, bodies[part], assume_unique=True)
            bodies[part] = np.sort(np.append(others, all_[int(role[part])]))
            bodies[part] = bodies[part][bodies[part] != TRUE]
        sizes_of_bodies = np.array([*map(len, bodies)])
        of_parts = self._conjunctions(sizes_of_bodies, np.concatenate(bodies)) ^ ~is_most
        self._disjoin(values, parts // number, of_parts)
        # A union is a set again if all of it is of one role.
        heads, first, times = np.unique(parts // number, return_index=True, return_counts=True)
        whole = times == 1
        pieces = counts[sets]
        totals = np.add.reduceat(pieces, starts)[first][whole]
        chosen = np.isin(groups, heads[whole])
        moves = self._sets.members[spread(begin[sets[chosen]], pieces[chosen])]
        self._sets.add(values[heads[whole]], totals, moves)

    def _members_of(self, family: Integers) -> tuple[Integers, Integers]:
        """Where the members of sets begin, and how many there are."""
        self._sets.add_moves(family[self._is_move(family)], self._first_move)
        return self._sets.find(family)

    def _one_of_all(self, role: int, family: Integers, begin: Integers, counts: Integers) -> int:
        """A literal that says whether a role makes a move of any of some sets."""
        absent = self._roles == role
        absent[self._sets.members[spread(begin, counts)]] = False
        others = np.flatnonzero(absent)
        if len(others) < len(family):
            literals = 2 * (self._first_move + others) + 1
            return int(self._conjunctions(np.array([len(literals)]), literals)[0])
        return int(self._conjunctions(np.array([len(family)]), np.sort(family ^ 1))[0]) ^ 1

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
        pairs = distinct((groups << 32) | literals)
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
    """The moves of literals that stand for a set of them, all of the same role."""

    def __init__(self) -> None:
        self.members = np.zeros(1, np.int64)
        """The moves of all sets, one set after the other, and room for more."""
        self._end = 0
        self._literals: Integers = np.zeros(0, np.int64)
        self._begin = np.zeros(0, np.int64)
        self._counts = np.zeros(0, np.int64)

    def add(self, literals: Column | Integers, counts: Integers, members: Integers) -> None:
        """Remember sets."""
        order = np.argsort(np.append(self._literals, literals), kind="stable")
        begin = self._end + np.cumsum(counts) - counts
        self._end += len(members)
        if self._end > len(self.members):
            self.members = np.append(self.members, np.zeros(2 * self._end, np.int64))
        self.members[self._end - len(members) : self._end] = members
        self._literals = np.append(self._literals, literals.astype(np.int64))[order]
        self._begin = np.append(self._begin, begin)[order]
        self._counts = np.append(self._counts, counts)[order]

    def add_moves(self, literals: Integers, first_move: int) -> None:
        """Remember the sets that are a move each."""
        new = literals[~self.has(literals)]
        self.add(new, np.ones(len(new), np.int64), (new >> 1) - first_move)

    def has(self, literals: Integers) -> Flags:
        """Which literals are those of sets."""
        found: Flags = np.isin(literals, self._literals)
        return found

    def find(self, literals: Integers) -> tuple[Integers, Integers]:
        """Where the members of each of some sets begin, and how many there are."""
        places = np.searchsorted(self._literals, literals)
        return self._begin[places], self._counts[places]


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
