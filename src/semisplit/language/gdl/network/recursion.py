"""Recursion: atoms that depend on each other become variables that a loop computes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from semisplit.core.components import components
from semisplit.language.gdl.ground.rows import Flags, Integers, spread
from semisplit.language.gdl.network.sums import Sums


def cut_recursion(sums: Sums) -> Sums:
    """Replace each atom that depends on itself by an input, the variable of a loop.

    A loop sets its variables to what their atoms say, from nothing on and until that is what they
    are. As no atom depends on its own negation, variables only ever become true.
    """
    rows = sums.rows
    # That an atom holds if it does says nothing.
    circular = np.zeros(len(rows), bool)
    circular[rows.numbers[rows.literals == 2 * rows.owners[rows.numbers]]] = True
    rows = rows.keep(~circular)
    circles = _circles(sums.is_input, rows.owners[rows.numbers], rows.literals >> 1)
    if not circles:
        return replace(sums, rows=rows)
    recursive = np.concatenate(circles)
    variables = sums.atoms + np.arange(len(recursive))
    replaced = np.arange(sums.atoms)
    replaced[recursive] = variables
    ends = np.cumsum([len(circle) for circle in circles])
    return replace(
        sums,
        atoms=sums.atoms + len(recursive),
        is_input=np.append(sums.is_input, np.ones(len(recursive), bool)),
        outputs=np.append(2 * replaced[sums.outputs >> 1] + (sums.outputs & 1), 2 * recursive),
        loops=tuple(np.split(variables, ends[:-1])),
        rows=rows.mapped(2 * replaced[rows.literals >> 1] + (rows.literals & 1)),
    )


def _circles(is_input: Flags, users: Integers, used: Integers) -> list[Integers]:
    """Sets of atoms that depend on each other, those first on which others depend."""
    inner = ~is_input[used]
    users, used = users[inner], used[inner]
    # What is in no circle is found at once; what follows looks at atoms one by one.
    users, used = _peel(len(is_input), users, used)
    used, users = _peel(len(is_input), used, users)
    below: dict[int, list[int]] = {}
    for user, atom in zip(users.tolist(), used.tolist()):
        below.setdefault(user, []).append(atom)
    found = components(below, lambda atom: below.get(atom, ()))[::-1]
    return [np.array(sorted(each), np.int64) for each in found if len(each) > 1]


def _peel(atoms: int, users: Integers, used: Integers) -> tuple[Integers, Integers]:
    """The pairs without users that depend on no circle."""
    order = np.argsort(used, kind="stable")
    users, used = users[order], used[order]
    waits_for = np.bincount(users, minlength=atoms)
    present = np.ones(len(users), bool)
    new = np.flatnonzero(waits_for == 0)
    while len(new):
        first, last = np.searchsorted(used, new), np.searchsorted(used, new, "right")
        places = spread(first, last - first)
        present[places] = False
        touched = np.unique(users[places])
        np.subtract.at(waits_for, users[places], 1)
        new = touched[waits_for[touched] == 0]
    return users[present], used[present]
