"""Sums of products: each atom is what one of its rows says, and the first passes on that.

Rules come in this form. The passes leave out what play does not depend on, replace what is always
the same, and pull out what rules have in common.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from semisplit.language.gdl.ground.program import GroundProgram
from semisplit.language.gdl.ground.rows import (
    FALSE,
    TRUE,
    Flags,
    Integers,
    Rows,
    distinct,
    joined,
    made,
    spread,
    unique_rows,
    write_rows,
)


@dataclass(frozen=True, eq=False)
class Sums:
    """Atoms, and the rows of which one has to hold; the owner of a row is its atom."""

    atoms: int
    """Atoms have smaller numbers."""
    is_input: Flags
    """Which atoms are given: fluents, moves, and later what loops compute."""
    choices: tuple[Integers, ...]
    """The atoms of the moves of each role, of which exactly one is made."""
    outputs: Integers
    """The literals that are asked for, and behind them what the variables of loops become."""
    rows: Rows
    loops: tuple[Integers, ...] = ()
    """The atoms that are the variables of each loop."""

    @property
    def size(self) -> int:
        """The number of gates with two inputs that it takes as it is."""
        products = np.maximum(self.rows.counts - 1, 0).sum()
        number = np.bincount(self.rows.owners, minlength=1)
        return int(products + np.maximum(number - 1, 0).sum())

    def __str__(self) -> str:
        """One row in each line, then the outputs; `~` negates."""
        return write_rows(self.rows, "<-", self.outputs)


def sums_of(program: GroundProgram) -> Sums:
    """The rules of a game."""
    is_input = np.zeros(program.atoms, bool)
    is_input[program.fluent_atoms] = True
    is_input[program.move_atoms] = True
    roles = np.array([role for role, _ in program.moves], np.int64)
    goals = [literal for _, _, literal in program.goals]
    rules = program.rules
    return Sums(
        atoms=program.atoms,
        is_input=is_input,
        choices=tuple(program.move_atoms[roles == role] for role in range(len(program.roles))),
        outputs=np.concatenate(
            [program.legal, [program.terminal], program.next, np.array(goals, np.int64)]
        ),
        rows=Rows(rules.heads, rules.starts, rules.literals).tidy(),
    )


def reach(sums: Sums) -> Sums:
    """Leave out the rows of atoms on which no output depends."""
    rows = sums.rows
    order = np.argsort(rows.owners, kind="stable")
    owners = rows.owners[order]
    needed = np.zeros(sums.atoms, bool)
    new = distinct(sums.outputs >> 1)
    while len(new):
        needed[new] = True
        first, last = np.searchsorted(owners, new), np.searchsorted(owners, new, "right")
        chosen = order[spread(first, last - first)]
        below = rows.literals[spread(rows.starts[chosen], rows.counts[chosen])] >> 1
        below = distinct(below)
        new = below[~needed[below]]
    return replace(sums, rows=rows.keep(needed[rows.owners]))


def fold(sums: Sums) -> Sums:
    """Replace atoms that are always true, never true, or the same as another literal."""
    rows, outputs = sums.rows, sums.outputs
    while True:
        value = _values(sums, rows)
        folded = rows.mapped(value[rows.literals >> 1] ^ (rows.literals & 1))
        # The rows of atoms that are something else now are not needed any more.
        folded = folded.keep(value[rows.owners] == 2 * rows.owners)
        impossible = np.zeros(len(folded), bool)
        impossible[folded.numbers[folded.literals == FALSE]] = True
        folded = folded.only(folded.literals != TRUE).keep(~impossible).tidy()
        same = unique_rows(folded, with_owner=True)
        folded = folded.keep(same == np.arange(len(folded)))
        outputs = value[outputs >> 1] ^ (outputs & 1)
        if np.array_equal(folded.starts, rows.starts) and np.array_equal(
            folded.literals, rows.literals
        ):
            return replace(sums, rows=folded, outputs=outputs)
        rows = folded


def _values(sums: Sums, rows: Rows) -> Integers:
    """The literal that each atom can be replaced by, at a glance."""
    value = 2 * np.arange(sums.atoms)
    number = np.bincount(rows.owners, minlength=sums.atoms)
    value[(number == 0) & ~sums.is_input] = FALSE
    is_alias = (number[rows.owners] == 1) & (rows.counts == 1)
    value[rows.owners[is_alias]] = rows.literals[rows.starts[:-1][is_alias]]
    value[rows.owners[rows.counts == 0]] = TRUE
    # Aliases of aliases. Those that lead to one however far they are followed go round in a circle,
    # and what is in it never holds.
    replaced = value != 2 * np.arange(sums.atoms)
    for _ in range(sums.atoms.bit_length()):
        value = value[value >> 1] ^ (value & 1)
    circular = replaced[value >> 1]
    value[circular] &= 1
    return value


def group(sums: Sums) -> Sums:
    """Join rows that differ only in the move of a role.

    Exactly one of the moves is made. So some of them are one atom, or if they are most of them,
    the opposite of the others.
    """
    for moves in sums.choices:
        sums = _group(sums, moves)
    return sums


def _group(sums: Sums, moves: Integers) -> Sums:
    rows = sums.rows
    is_move = np.zeros(2 * sums.atoms, bool)
    is_move[2 * moves] = True
    of_role = is_move[rows.literals]
    number = np.bincount(rows.numbers[of_role], minlength=len(rows))
    # Nobody makes two moves at once.
    rows = rows.keep(number < 2)
    of_role = is_move[rows.literals]
    has_move = np.zeros(len(rows), bool)
    has_move[rows.numbers[of_role]] = True
    move = rows.literals[of_role] >> 1
    others = rows.only(~of_role).keep(has_move)
    first = unique_rows(others, with_owner=True)
    if len(first) == 0:
        return replace(sums, rows=rows)
    places = np.full(sums.atoms, -1)
    places[moves] = np.arange(len(moves))
    groups, in_group = np.unique(first, return_inverse=True)
    chosen = np.unique(np.stack([in_group, places[move]], 1), axis=0)
    sets = made(groups, np.bincount(chosen[:, 0], minlength=len(groups)), 2 * moves[chosen[:, 1]])
    sets = sets.tidy()
    is_most = 2 * sets.counts > len(moves)
    sets = joined(sets.keep(~is_most), _complements(sets.keep(is_most), moves))
    negated = np.concatenate([np.zeros((~is_most).sum(), bool), np.ones(is_most.sum(), bool)])
    distinct = unique_rows(sets, with_owner=False)
    known, which = np.unique(distinct, return_inverse=True)
    kept = np.zeros(len(sets), bool)
    kept[known] = True
    kinds = sets.keep(kept)
    atoms = sums.atoms + np.arange(len(known))
    extra = 2 * atoms[which] + negated
    base = others.keep(np.isin(np.arange(len(others)), groups))
    order = np.argsort(sets.owners)
    literals = np.insert(base.literals, base.starts[1:], extra[order])
    grouped = made(base.owners, base.counts + 1, literals)
    alternatives = made(
        np.repeat(atoms, kinds.counts), np.ones(len(kinds.literals), np.int64), kinds.literals
    )
    return replace(
        sums,
        atoms=sums.atoms + len(known),
        is_input=np.append(sums.is_input, np.zeros(len(known), bool)),
        rows=joined(rows.keep(~has_move), grouped, alternatives).tidy(),
    )


def _complements(sets: Rows, moves: Integers) -> Rows:
    """The moves that are not in each set."""
    absent = np.ones((len(sets), len(moves)), bool)
    places = np.searchsorted(np.sort(moves), sets.literals >> 1)
    absent[sets.numbers, places] = False
    numbers, which = np.nonzero(absent)
    counts = np.bincount(numbers, minlength=len(sets))
    return made(sets.owners, counts, 2 * np.sort(moves)[which])


def factor(sums: Sums) -> Sums:
    """Pull out what rows of an atom have in common, so that each literal is there once."""
    done: list[Rows] = []
    rows, atoms = sums.rows, sums.atoms
    while len(rows):
        most, best = _most_frequent(rows)
        settled = np.zeros(atoms, bool)
        settled[rows.owners] = True
        settled[rows.owners[most > 1]] = False
        done.append(rows.keep(settled[rows.owners]))
        active = ~settled[rows.owners]
        rows, most, best = rows.keep(active), most[active], best[active]
        if len(rows) == 0:
            break
        _, which, number = np.unique(
            np.stack([rows.owners, best], 1), axis=0, return_inverse=True, return_counts=True
        )
        which = which.reshape(-1)
        pulled = (number[which] > 1) & (most > 1)
        kinds, which = np.unique(which[pulled], return_inverse=True)
        new = atoms + np.arange(len(kinds))
        example = np.zeros(len(kinds), np.int64)
        example[which] = np.flatnonzero(pulled)
        inside = rows.keep(pulled)
        is_best = inside.literals == np.repeat(best[pulled], inside.counts)
        inside = inside.only(~is_best)
        inside = made(new[which], inside.counts, inside.literals)
        pairs = np.stack([best[example], 2 * new], 1).reshape(-1)
        outside = made(rows.owners[example], np.full(len(kinds), 2), pairs)
        # What remains of a row may be nothing: then the others with it are not needed.
        always = np.zeros(len(kinds), bool)
        always[which[inside.counts == 0]] = True
        done.append(made(new[always], np.zeros(always.sum(), np.int64), np.zeros(0, np.int64)))
        atoms += len(kinds)
        rows = joined(rows.keep(~pulled), outside, inside.keep(~always[which]))
    is_input = np.zeros(atoms, bool)
    is_input[: sums.atoms] = sums.is_input
    return replace(sums, atoms=atoms, is_input=is_input, rows=joined(*done) if done else rows)


def _most_frequent(rows: Rows) -> tuple[Integers, Integers]:
    """For each row, how often its literal that most rows of the atom share is there, and which."""
    owners = rows.owners[rows.numbers]
    bound = int(rows.literals.max(initial=0)) + 1
    _, which, counts = np.unique(
        owners * bound + rows.literals, return_inverse=True, return_counts=True
    )
    rank = counts[which] * bound + rows.literals
    best = np.zeros(len(rows), np.int64)
    filled = rows.counts > 0
    if filled.any():
        best[filled] = np.maximum.reduceat(rank, rows.starts[:-1][filled])
    return best // bound, best % bound
