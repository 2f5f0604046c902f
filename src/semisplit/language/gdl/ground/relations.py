"""Relations as tables: what rules say, worked out for all rows of a relation at once.

Each row has a literal that says when it holds. It is known at once where a row always holds, never
does, or holds just when another does, and so such rows take no rules of their own.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from semisplit.language.gdl.check.dependencies import Dependencies
from semisplit.language.gdl.ground.atoms import Atoms
from semisplit.language.gdl.ground.bodies import Bodies, Relation, Scan
from semisplit.language.gdl.ground.clingo import Limits
from semisplit.language.gdl.ground.recursion import Instances, settle
from semisplit.language.gdl.ground.rows import FALSE, TRUE
from semisplit.language.gdl.ground.tables import Table, TooManyRows, both, grouped
from semisplit.language.gdl.ground.vocabulary import Column, Vocabulary
from semisplit.language.gdl.text.ast import Atom, Clause, Variable
from semisplit.language.gdl.text.terms import variables, variables_of

GIVEN = ("true", "does")
NONE: Relation = Table(0, {})
_ROW = 120
"""Bytes that a row of a join takes, what is needed to make it included."""
_ALL = frozenset({"next", "legal", "goal", "terminal", "init", "role", "sees"})
"""Predicates of which all rows are wanted."""


class TooMuch(Exception):
    """A clause takes too much."""

    def __init__(self, clause: Clause, limit: str):
        super().__init__()
        self.clause = clause
        self.limit = limit
        """The name of the limit."""


@dataclass
class _Found:
    """What the clauses of a predicate say: rows of heads, and the literals they take."""

    columns: list[list[Column]] = field(default_factory=list)
    literals: list[tuple[Column, ...]] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(self.lengths)

    def all_columns(self, arity: int) -> list[Column]:
        """The columns of all heads."""
        none = np.zeros(0, np.int32)
        return [np.concatenate([none, *(part[i] for part in self.columns)]) for i in range(arity)]

    def all_literals(self) -> list[Column]:
        """The columns of all literals, `TRUE` where there are fewer."""
        width = max((len(part) for part in self.literals), default=0)
        return [
            np.concatenate(
                [
                    part[i] if i < len(part) else np.full(length, TRUE, np.int32)
                    for part, length in zip(self.literals, self.lengths)
                ]
            )
            for i in range(width)
        ]


class Relations:
    """The relations of a description, each worked out when it is asked for.

    Not all rows of a relation are worked out if those that somebody may ask for are known before:
    that is its *demand*, a table of what some of its arguments can be.
    """

    def __init__(
        self,
        clauses: Sequence[Clause],
        vocabulary: Vocabulary,
        atoms: Atoms,
        limits: Limits,
        **given: Relation,
    ):
        self._atoms = atoms
        self._end = time.process_time() + limits.seconds
        most = limits.bytes // _ROW
        self._bodies = Bodies(vocabulary, atoms, most, self.__getitem__, self.is_static)
        self._relations: dict[str, Relation] = dict(given)
        self._demands: dict[str, Relation | None] = {}
        self._busy: set[str] = set()
        """Predicates whose demand is being worked out."""
        self._working: set[str] = set()
        """Predicates that are being worked out themselves."""
        self._clauses: dict[str, list[Clause]] = defaultdict(list)
        for clause in clauses:
            self._clauses[clause.head.name].append(clause)
        graph = Dependencies(clauses)
        self._component = {name: frozenset(names) for names in graph.components for name in names}
        self._below: dict[str, frozenset[str]] = {}
        for names in graph.components:
            edges = [edge.target for name in names for edge in graph.edges.get(name, ())]
            below = frozenset(names).union(*(self._below.get(target, {target}) for target in edges))
            self._below |= dict.fromkeys(names, below)
        self._callers = {
            name: [
                (edge.clause, edge.atom)
                for edges in graph.edges.values()
                for edge in edges
                if edge.target == name and edge.clause.head.name not in self._component[name]
            ]
            for name in self._clauses
        }
        self._recursive = {
            name
            for name in self._clauses
            if any(e.target in self._component[name] for e in graph.edges[name])
        }

    def __getitem__(self, name: str) -> Relation:
        """The rows of a predicate that somebody may ask for."""
        if name not in self._relations:
            together = self._component.get(name, frozenset({name}))
            self._working |= together
            self._prepare(name)
            if name in self._recursive:
                self._relations |= self._work_out_together(sorted(together))
            else:
                self._relations[name] = self._work_out(name)
            self._working -= together
        return self._relations[name]

    def is_static(self, name: str) -> bool:
        """Whether a predicate depends neither on the state nor on moves."""
        return self._below.get(name, frozenset({name})).isdisjoint(GIVEN)

    # Rows of clauses

    def _work_out(self, name: str) -> Relation:
        found = _Found()
        for clause in self._clauses.get(name, ()):
            self._add_heads(found, clause, self._rows(clause))
        if not found.length:
            return NONE
        columns = found.all_columns(len(self._clauses[name][0].head.arguments))
        first, groups = grouped(columns, found.length)
        values = self._atoms.define(groups, len(first), found.all_literals())
        relation = Table(len(first), {i: c[first] for i, c in enumerate(columns)}, (values,))
        if (values == TRUE).all():
            return _without_literals(relation)
        return relation.keep(values != FALSE)

    def _rows(self, clause: Clause, instead: Mapping[int, Relation] | None = None) -> Scan:
        """The ways in which the body of a clause may hold.

        Args:
            clause: The clause.
            instead: Relations to be used for some of its positive atoms, by their places.
        """
        scans, unsettled = [], []
        if (demand := self._demand(clause.head.name)) is not None:
            scans.append(self._bodies.scan(clause.head, demand))
        for place, atom in enumerate(clause.positive):
            if instead and place in instead:
                unsettled.append(self._bodies.scan(atom, instead[place]))
            else:
                scans.append(self._bodies.scan(atom, self[atom.name]))
        try:
            rows = self._bodies.joined(scans, clause, unsettled)
        except TooManyRows:
            raise TooMuch(clause, "bytes") from None
        if time.process_time() > self._end:
            raise TooMuch(clause, "seconds")
        return rows

    def _add_heads(self, found: _Found, clause: Clause, rows: Scan) -> None:
        if rows.length:
            found.columns.append([self._bodies.column(t, rows) for t in clause.head.arguments])
            found.literals.append(rows.literals)
            found.lengths.append(rows.length)

    # Recursion

    def _work_out_together(self, names: list[str]) -> dict[str, Relation]:
        """Predicates that depend on each other: their rows first, then when these hold."""
        within = self._component[names[0]]
        clauses = [clause for name in names for clause in self._clauses[name]]
        known: dict[str, Relation] = {}
        instances, first_atom = Instances(), self._atoms.number
        fresh: dict[str, Relation] | None = None
        while fresh is None or fresh:
            found: dict[str, _Found] = defaultdict(_Found)
            for clause in clauses:
                for instead in _places_of_new_rows(clause, within, known, fresh):
                    self._add_heads(found[clause.head.name], clause, self._rows(clause, instead))
            fresh = {}
            for name, part in found.items():
                if part.length:
                    self._extend(name, part, known, fresh, instances)
        if self.is_static(names[0]):
            return {name: _without_literals(known.get(name, NONE)) for name in names}
        values = settle(instances, self._atoms, first_atom)
        return {name: _settled(known.get(name, NONE), values, first_atom) for name in names}

    def _extend(
        self,
        name: str,
        found: _Found,
        known: dict[str, Relation],
        fresh: dict[str, Relation],
        instances: Instances,
    ) -> None:
        """Add the rows that have been found to those of a predicate, with an atom for each."""
        before = known.get(name, NONE)
        columns = found.all_columns(len(self._clauses[name][0].head.arguments))
        if before.length:
            columns = [np.concatenate([before.columns[i], c]) for i, c in enumerate(columns)]
        first, groups = grouped(columns, before.length + found.length)
        atom_of = np.zeros(len(first), np.int64)
        if before.length:
            atom_of[groups[: before.length]] = before.literals[0] >> 1
        is_new = atom_of == 0
        atom_of[is_new] = self._atoms.new(int(np.count_nonzero(is_new)))
        rows = first[is_new]
        if len(rows):
            literals = (2 * atom_of[is_new]).astype(np.int32)
            new = Table(len(rows), {i: c[rows] for i, c in enumerate(columns)}, (literals,))
            fresh[name] = new
            known[name] = both(before, new) if before.length else new
        instances.add(atom_of[groups[before.length :]], found.all_literals())

    # Demand

    def _demand(self, name: str) -> Relation | None:
        """What is asked for of a predicate: what some of its arguments can be; None if anything."""
        if name in self._busy:
            return None
        if name not in self._demands:
            self._busy.add(name)
            self._demands[name] = self._find_demand(name)
            self._busy.remove(name)
            if not self._busy:
                # More will be known about others when it is their turn.
                final = self._working | self._relations.keys()
                self._demands = {n: found for n, found in self._demands.items() if n in final}
        return self._demands[name]

    def _prepare(self, name: str) -> None:
        """Work out what is asked before negations of a predicate, for its demand."""
        for clause, asked in self._callers.get(name, ()):
            if _is_negated(clause, asked):
                for atom in clause.positive:
                    if self._below.get(atom.name, frozenset()).isdisjoint(self._working):
                        self[atom.name]

    def _find_demand(self, name: str) -> Relation | None:
        if name in _ALL or self.is_static(name):
            return None
        places = self._lasting_places(name)
        questions = []
        for clause, atom in self._callers[name]:
            if not places:
                return None
            scans = self._providers(clause, atom)
            bound = {variable for scan in scans for variable in scan.columns}
            places = {i for i in places if bound.issuperset(variables(atom.arguments[i]))}
            questions.append((clause, atom, scans))
        if not places:
            return None
        found = _Found()
        for clause, atom, scans in questions:
            wanted = [atom.arguments[i] for i in sorted(places)]
            known = _connected(scans, {*variables(*wanted)})
            bound = {variable for scan in known for variable in scan.columns}
            tests = tuple(t for t in clause.distinct if bound.issuperset(variables_of(t)))
            try:
                rows = self._bodies.joined(known, Clause(Atom(name, tuple(wanted)), distinct=tests))
            except TooManyRows:
                return None
            if rows.length:
                found.columns.append([self._bodies.column(term, rows) for term in wanted])
                found.lengths.append(rows.length)
        columns = found.all_columns(len(places))
        first, _ = grouped(columns, found.length)
        return Table(len(first), {i: c[first] for i, c in zip(sorted(places), columns)})

    def _lasting_places(self, name: str) -> set[int]:
        """The arguments that a predicate hands on to itself as they are."""
        component = self._component[name]
        heads = [clause.head for clause in self._clauses[name]]
        places = {*range(len(heads[0].arguments))} if len(component) == 1 else set()
        for clause in self._clauses[name]:
            for atom in clause.positive:
                if atom.name in component:
                    places = {
                        i
                        for i in places
                        if isinstance(atom.arguments[i], Variable)
                        and atom.arguments[i] == clause.head.arguments[i]
                    }
        return places

    def _providers(self, clause: Clause, asked: Atom) -> list[Scan]:
        """What is known about the variables of a clause before it asks for an atom.

        A condition that is not negated is looked up in any order. So only what does not depend on
        the state comes before it; before one that is negated comes all that has been worked out.
        """
        scans = []
        if (demand := self._demand(clause.head.name)) is not None:
            scans.append(self._bodies.scan(clause.head, demand))
        is_negated = _is_negated(clause, asked)
        for atom in clause.positive:
            is_known = atom.name in GIVEN or self.is_static(atom.name)
            if atom is not asked and (is_known or (is_negated and atom.name in self._relations)):
                scans.append(self._bodies.scan(atom, self[atom.name]))
        return scans


def _is_negated(clause: Clause, asked: Atom) -> bool:
    """Whether an atom of a clause is one of those that must not hold."""
    return all(atom is not asked for atom in clause.positive)


def _connected(scans: list[Scan], wanted: set[Variable]) -> list[Scan]:
    """The tables that say something about variables, perhaps through others."""
    left, found = [*scans], []
    while new := [scan for scan in left if not wanted.isdisjoint(scan.columns)]:
        found += new
        wanted = wanted.union(*(scan.columns for scan in new))
        left = [scan for scan in left if all(scan is not other for other in new)]
    return found


def _places_of_new_rows(
    clause: Clause,
    within: frozenset[str],
    known: Mapping[str, Relation],
    fresh: Mapping[str, Relation] | None,
) -> Iterator[dict[int, Relation]]:
    """The relations for the recursive atoms of a clause so that one has new rows, each in turn.

    In the first round, when there are none, clauses without such atoms come.
    """
    places = {i: atom.name for i, atom in enumerate(clause.positive) if atom.name in within}
    if fresh is None:
        if not places:
            yield {}
        return
    for now, name in places.items():
        if name in fresh:
            before = {i: _older(known, fresh, other) for i, other in places.items() if i < now}
            after = {i: known.get(other, NONE) for i, other in places.items() if i > now}
            yield before | {now: fresh[name]} | after


def _older(known: Mapping[str, Relation], fresh: Mapping[str, Relation], name: str) -> Relation:
    """The rows of a predicate that are not new, which come first."""
    rows = known.get(name, NONE)
    return rows.keep(np.arange(rows.length - (fresh[name].length if name in fresh else 0)))


def _without_literals(relation: Relation) -> Relation:
    """Make rows hold always, whatever their conditions were."""
    return Table(relation.length, relation.columns)


def _settled(relation: Relation, values: Column, first: int) -> Relation:
    """Replace atoms in rows by what they have come to, and drop the rows that never hold."""
    if not relation.length:
        return relation
    literals = values[(relation.literals[0] >> 1) - first]
    return Table(relation.length, relation.columns, (literals,)).keep(literals != FALSE)
