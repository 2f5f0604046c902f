"""Bodies of rules: joins of what their atoms match, with as few rows as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

import numpy as np

from semisplit.language.gdl.ground.atoms import Atoms
from semisplit.language.gdl.ground.rows import FALSE, TRUE
from semisplit.language.gdl.ground.tables import Table, grouped, join, look_up
from semisplit.language.gdl.ground.vocabulary import Column, Vocabulary
from semisplit.language.gdl.text.ast import Atom, Clause, Distinct, TermOrVariable, Variable
from semisplit.language.gdl.text.terms import variables, variables_of

Scan = Table[Variable]
"""What an atom with variables matches."""
Relation = Table[int]
"""The rows of a predicate; columns are numbered as its arguments are."""


class Bodies:
    """Joins what the atoms of a rule match."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        atoms: Atoms,
        most: int,
        look: Callable[[str], Relation],
        is_static: Callable[[str], bool],
    ):
        """Prepare joining.

        Args:
            vocabulary: The numbers of terms.
            atoms: What rows come to that become one.
            most: Rows of a join.
            look: Finds the rows of a predicate.
            is_static: Says whether a predicate is the same in all states.
        """
        self._vocabulary = vocabulary
        self._atoms = atoms
        self._most = most
        self._look = look
        self._is_static = is_static

    def joined(self, scans: list[Scan], clause: Clause, unsettled: Sequence[Scan] = ()) -> Scan:
        """The join of tables, the smallest first, then what fits it best.

        Variables that nothing else asks for are left out as soon as possible. Rows with literals of
        unsettled tables, which will be replaced, do not become one.
        """
        left = [*scans, *unsettled]
        tests: list[Distinct | Atom] = [*clause.distinct, *clause.negative]
        settled = True
        rows: Scan = Table(1, {})
        kept = {*variables_of(clause.head)}
        # Sets of moves are kept apart by roles as long as possible: each makes exactly one move.
        moves = (atom.arguments[:1] for atom in clause.positive if atom.name == "does")
        movers = {v for role in moves for v in variables(*role)}
        first = True
        while True:
            for test in [t for t in tests if self._is_due(t, rows, kept)]:
                rows = self._tested(rows, test)
                tests.remove(test)
            counts = Counter(v for scan in left for v in scan.columns)
            wanted = kept.union(variables_of(*tests))
            rows = self._project(rows, wanted | counts.keys() | movers, settled)
            if not left:
                rows = self._project(rows, wanted, settled)
                break
            if first:
                mine = wanted | movers | {v for v, count in counts.items() if count > 1}
                left = [self._project(scan, mine, settled) for scan in scans]
                left, first = [*left, *unsettled], False
            best = min(left, key=lambda scan: _growth(rows, scan, kept))
            left = [scan for scan in left if scan is not best]
            settled &= all(best is not scan for scan in unsettled)
            rows = join(rows, best, self._most)
        for test in tests:
            rows = self._tested(rows, test)
        return rows

    def _is_due(self, test: Distinct | Atom, rows: Scan, kept: set[Variable]) -> bool:
        """Whether a test can be made now, and is not better made when fewer rows are left."""
        needed = {*variables_of(test)}
        if not rows.columns.keys() >= needed:
            return False
        return isinstance(test, Distinct) or self._is_static(test.name) or not needed <= kept

    def _project(self, rows: Scan, wanted: Collection[Variable], each_once: bool) -> Scan:
        """The rows without columns that are not wanted: each once, when one of its rows holds."""
        columns = {v: column for v, column in rows.columns.items() if v in wanted}
        if len(columns) == len(rows.columns) or not each_once:
            return Table(rows.length, columns, rows.literals)
        first, groups = grouped([*columns.values()], rows.length)
        kept = {v: column[first] for v, column in columns.items()}
        if len(first) == rows.length:
            return Table(rows.length, columns, rows.literals)
        if not rows.literals:
            return Table(len(first), kept)
        values = self._atoms.define(groups, len(first), rows.literals)
        return Table(len(first), kept, (values,)).keep(values != FALSE)

    def _tested(self, rows: Scan, test: Distinct | Atom) -> Scan:
        """The rows where terms are not the same, or where an atom does not hold."""
        if isinstance(test, Distinct):
            return rows.keep(self.column(test.left, rows) != self.column(test.right, rows))
        relation = self._look(test.name)
        if not relation.length or not rows.length:
            return rows
        literals = look_up(rows, self.scan(test, relation), FALSE) ^ 1
        if (literals != TRUE).any():
            rows = rows.with_literal(literals)
        return rows.keep(literals != FALSE)

    def scan(self, atom: Atom, relation: Relation) -> Scan:
        """What an atom matches among rows."""
        if not relation.length:
            none = np.zeros(0, np.int32)
            return Table(0, dict.fromkeys(variables_of(atom), none), (none,))
        given: dict[int | Variable, Column] = {i: c for i, c in relation.columns.items()}
        rows = Table(relation.length, given, relation.literals)
        patterns = [(i, atom.arguments[i]) for i in relation.columns]
        fresh = len(atom.arguments)
        while patterns:
            label, pattern = patterns.pop()
            columns = {**rows.columns}
            column = columns.pop(label)
            rows = Table(rows.length, columns, rows.literals)
            if isinstance(pattern, Variable):
                if pattern in columns:
                    rows = rows.keep(columns[pattern] == column)
                else:
                    columns[pattern] = column
            elif not any(variables(pattern)):
                rows = rows.keep(column == self._vocabulary.number(pattern))
            else:
                arity = len(pattern.arguments)
                fits, inner = self._vocabulary.take_apart(pattern.name, arity, column)
                rows = rows.keep(fits)
                labels = range(fresh, fresh + arity)
                rows = Table(
                    rows.length, {**rows.columns, **dict(zip(labels, inner))}, rows.literals
                )
                patterns += zip(labels, pattern.arguments)
                fresh += arity
        found = {v: c for v, c in rows.columns.items() if isinstance(v, Variable)}
        return Table(rows.length, found, rows.literals)

    def column(self, term: TermOrVariable, rows: Scan) -> Column:
        """The terms that a pattern becomes in each row."""
        if isinstance(term, Variable):
            return rows.columns[term]
        if not any(variables(term)):
            return np.full(rows.length, self._vocabulary.number(term), np.int32)
        arguments = [self.column(argument, rows) for argument in term.arguments]
        return self._vocabulary.make(term.name, arguments)


def _growth(rows: Scan, scan: Scan, kept: set[Variable]) -> tuple[bool, bool, float]:
    """What to join next: the least is best.

    Tables that have nothing in common with the rows come last, but for those with conditions on
    variables that are kept anyway: they are joined when other variables have gone. Else the one
    counts after which there are fewest rows.
    """
    common = [label for label in scan.columns if label in rows.columns]
    is_late = bool(scan.literals) and kept.issuperset(scan.columns)
    return bool(rows.columns) and not common, is_late, scan.expected(common)
