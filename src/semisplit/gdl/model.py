"""The perfect model of a set of clauses: all atoms that follow, stratum by stratum.

A stratum is a set of predicates that depend on each other. Its negations are about strata below
it, which are complete by then. So a stratum is the least set of atoms that its clauses allow: they
are applied until nothing new follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from semisplit.core.errors import WorkLimit
from semisplit.core.limits import Allowance
from semisplit.gdl.ast import Clause
from semisplit.gdl.dependencies import Dependencies
from semisplit.gdl.joins import (
    Bindings,
    Condition,
    Join,
    Relation,
    Row,
    Tests,
    instantiate,
    look_up,
    plan,
)
from semisplit.gdl.limits import MAX_TERM_DEPTH, MAX_TERM_SIZE


class Stratum:
    """Predicates that depend on each other, and their clauses."""

    def __init__(self, names: list[str]):
        self.names = names
        self.clauses: list[Clause] = []
        self._joins: tuple[list[Join], list[Join]] | None = None

    def joins(self, work: Allowance) -> tuple[list[Join], list[Join]]:
        """How to apply the clauses first, and how to apply them again.

        Again is once for each condition in the stratum itself, with what is new there.
        """
        if self._joins is None:
            first, again = [], []
            names = set(self.names)
            for clause in self.clauses:
                inside = [at for at, atom in enumerate(clause.positive) if atom.name in names]
                work.spend(_size(clause) ** 2 * (1 + len(inside)))
                first.append(plan(clause))
                again += [plan(clause, fresh=place) for place in inside]
            self._joins = first, again
        return self._joins


class Program:
    """Clauses, ready to be applied.

    Some predicates are given from outside, one level after the other: those of a level depend on
    what is given there and below.
    """

    def __init__(self, clauses: Iterable[Clause], given: tuple[str, ...]):
        clauses = list(clauses)
        dependencies = Dependencies(clauses)
        self.level = {name: number for number, name in enumerate(given, 1)}
        """For each predicate the number of the last given one on which it depends, from 1."""
        self.strata = [Stratum(names) for names in dependencies.components]
        """Each behind those on which it depends."""
        self.stratum_of = dependencies.component_of
        self.below = {
            name: {edge.target for edge in edges} for name, edges in dependencies.edges.items()
        }
        """On which predicates each depends at once."""
        for stratum in self.strata:
            below = (target for name in stratum.names for target in self.below.get(name, ()))
            level = max((self.level.get(name, 0) for name in below), default=0)
            for name in stratum.names:
                self.level.setdefault(name, level)
        for clause in clauses:
            self.strata[self.stratum_of[clause.head.name]].clauses.append(clause)


class Model:
    """What follows from clauses and given relations, worked out as far as it is asked for."""

    def __init__(
        self, program: Program, max_work: int, below: Model | None = None, **given: Relation
    ):
        self._program = program
        self._below = below
        self._level: int = 0 if below is None else below._level + 1
        self._relations: dict[str, Relation] = given
        self._work = Allowance(max_work, "evaluating the rules takes too long in this position")

    def __getitem__(self, name: str) -> Relation:
        """The rows of a predicate."""
        if self._below is not None and self._program.level.get(name, 0) < self._level:
            return self._below[name]
        if name not in self._relations:
            for stratum in self._needed(name):
                try:
                    self._complete(stratum)
                except BaseException:
                    # Who asks again must not find a part of it.
                    for unfinished in stratum.names:
                        del self._relations[unfinished]
                    raise
        return self._relations[name]

    def _needed(self, name: str) -> list[Stratum]:
        """The strata of this level that are to be completed for a predicate, in order."""
        program, found, waiting = self._program, {name}, [name]
        while waiting:
            for target in program.below.get(waiting.pop(), ()):
                is_here = program.level.get(target, 0) == self._level
                if is_here and target not in self._relations and target not in found:
                    found.add(target)
                    waiting.append(target)
        numbers = {program.stratum_of[one] for one in found if one in program.stratum_of}
        if name not in program.stratum_of:
            self._relations[name] = Relation()
        return [program.strata[number] for number in sorted(numbers)]

    def _complete(self, stratum: Stratum) -> None:
        """Apply the clauses of a stratum until nothing new follows.

        Only what has a new condition can follow anew, so after the first round each condition in
        the stratum is looked up among the rows of the last round.
        """
        for name in stratum.names:
            self._relations[name] = Relation()
        fresh = {name: Relation() for name in stratum.names}
        first, again = stratum.joins(self._work)
        for join in first:
            self._apply(join, {}, fresh)
        while any(relation.rows for relation in fresh.values()):
            before, fresh = fresh, {name: Relation() for name in stratum.names}
            for join in again:
                self._apply(join, before, fresh)

    def _apply(
        self, join: Join, before: Mapping[str, Relation], fresh: Mapping[str, Relation]
    ) -> None:
        name = join.head.name
        # The rows that are found here must not be among those that are looked up meanwhile.
        for row in list(self._rows(join, before)):
            if self._relations[name].add(row):
                fresh[name].add(row)

    def _rows(self, join: Join, before: Mapping[str, Relation]) -> Iterator[Row]:
        """What a clause says, given what holds."""
        for bindings in self._solve(join, before):
            row = tuple(instantiate(term, bindings) for term in join.head.arguments)
            if join.grows:
                _check_size(row)
            yield row
            if join.is_single:
                return

    def _solve(self, join: Join, before: Mapping[str, Relation]) -> Iterator[Bindings]:
        """All ways in which the conditions of a clause hold, depth first."""
        if not self._passes(join.tests, {}):
            return
        if not join.conditions:
            yield {}
            return
        levels = [self._matches(join.conditions[0], {}, before)]
        while levels:
            bindings = next(levels[-1], None)
            if bindings is None:
                levels.pop()
            elif len(levels) == len(join.conditions):
                yield bindings
            else:
                levels.append(self._matches(join.conditions[len(levels)], bindings, before))

    def _matches(
        self, condition: Condition, bindings: Bindings, before: Mapping[str, Relation]
    ) -> Iterator[Bindings]:
        """All ways in which a condition holds, given what some variables stand for."""
        key = tuple(instantiate(term, bindings) for term in condition.keys)
        relation = before[condition.name] if condition.is_fresh else self[condition.name]
        for row in relation.find(condition.paths, key):
            self._work.spend(1)
            more = dict(bindings)
            for path, name in condition.found:
                term = look_up(row, path)
                if term is None or more.setdefault(name, term) != term:
                    break
            else:
                if self._passes(condition.tests, more):
                    yield more

    def _passes(self, tests: Tests, bindings: Bindings) -> bool:
        return all(
            instantiate(one.left, bindings) != instantiate(one.right, bindings)
            for one in tests.distinct
        ) and all(
            tuple(instantiate(term, bindings) for term in atom.arguments)
            not in self[atom.name].rows
            for atom in tests.negative
        )


def _size(clause: Clause) -> int:
    return len(clause.positive) + len(clause.negative) + len(clause.distinct)


def _check_size(row: Row) -> None:
    """Stop before terms grow so large that nothing can be done with them."""
    level: list[Any] = [*row]
    size = depth = 0
    while level:
        size, depth = size + len(level), depth + 1
        if size > MAX_TERM_SIZE or depth > MAX_TERM_DEPTH:
            raise WorkLimit("the rules make larger and larger terms, without an end")
        level = [argument for term in level for argument in term.arguments]
