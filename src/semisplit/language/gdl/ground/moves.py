"""Conditions on moves, taken apart: what a move must fulfil can be asked one by one.

A role makes exactly one move. So `h(X) :- does(R,m(A,B)), p(X,A), q(X,B)` is the same as
`h(X) :- x(R,X), y(R,X)` with `x(R,X) :- does(R,m(A,B)), p(X,A)` and `y(R,X) :- does(R,m(A,B)),
q(X,B)`, and these have far fewer instances.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from semisplit.language.gdl.ground.split import binder
from semisplit.language.gdl.text.ast import Atom, Clause, Distinct, Variable
from semisplit.language.gdl.text.terms import variables_of

_PREFIX = "move "
"""Of the names of new predicates; no name in a text has a space."""
Conditions = list[Atom | Distinct]


def take_apart(clauses: Iterable[Clause]) -> list[Clause]:
    """Rewrite rules with predicates in between, each for the conditions on one move."""
    found: list[Clause] = []
    for clause in clauses:
        moves = [atom for atom in clause.positive if atom.name == "does"]
        found += _take_apart(clause, moves[0], len(found)) if len(moves) == 1 else [clause]
    return found


def _take_apart(clause: Clause, move: Atom, number: int) -> list[Clause]:
    conditions: Conditions = [atom for atom in clause.positive if atom is not move]
    conditions += [*clause.negative, *clause.distinct]
    role = {*variables_of(Atom("", move.arguments[:1]))}
    inner = {*variables_of(move)} - {*variables_of(clause.head)} - role
    parts = _connected(conditions, inner)
    if len(parts) < 2:
        return [clause]
    rest = [each for each in conditions if not any(each is one for part in parts for one in part)]
    kept = {*variables_of(clause.head, *rest)}
    made = [
        _part(clause, move, part, kept | role, f"{_PREFIX}{number + i}")
        for i, part in enumerate(parts)
    ]
    # What the move says about variables of the head has to be said there, too.
    heads = [move, *(part.head for part in made)]
    if kept.isdisjoint(variables_of(Atom("", move.arguments[1:]))):
        heads = heads[1:]
    whole = _with(clause, clause.head, rest)
    return [*made, replace(whole, positive=(*whole.positive, *heads))]


def _part(clause: Clause, move: Atom, part: Conditions, kept: set[Variable], name: str) -> Clause:
    """The rule that a move fulfils some conditions."""
    used = dict.fromkeys(variables_of(*part, move))
    head = Atom(name, tuple(v for v in used if v in kept))
    found = _with(clause, head, part)
    positive = (move, *found.positive)
    bound = {*variables_of(*positive)}
    binders = (binder(clause, v) for v in dict.fromkeys(variables_of(*part)) if v not in bound)
    return replace(found, positive=(*positive, *binders))


def _with(clause: Clause, head: Atom, conditions: Conditions) -> Clause:
    """A rule with some of the conditions of a clause."""

    def chosen(each: Atom | Distinct) -> bool:
        return any(each is one for one in conditions)

    return replace(
        clause,
        head=head,
        positive=tuple(filter(chosen, clause.positive)),
        negative=tuple(filter(chosen, clause.negative)),
        distinct=tuple(filter(chosen, clause.distinct)),
    )


def _connected(conditions: Conditions, inner: set[Variable]) -> list[Conditions]:
    """The conditions on variables of a move alone, those together that have some in common."""
    parts: list[tuple[set[Variable], Conditions]] = []
    for each in conditions:
        mine, together = inner.intersection(variables_of(each)), [each]
        if not mine:
            continue
        for other in [part for part in parts if not mine.isdisjoint(part[0])]:
            parts.remove(other)
            mine, together = mine | other[0], [*other[1], *together]
        parts.append((mine, together))
    return [part for _, part in parts]
