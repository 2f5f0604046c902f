"""The strata of clauses, and how their clauses are applied.

A stratum is a set of predicates that depend on each other. Its negations are about strata below it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from semisplit.core.limits import Allowance
from semisplit.language.gdl.check.dependencies import Dependencies
from semisplit.language.gdl.play.demand import Demand, answering
from semisplit.language.gdl.play.joins import Estimate, Join, plan
from semisplit.language.gdl.text.ast import Clause

LITTLE = 2_000
"""Rows that may be looked at to work out the whole of a relation of which some rows are wanted."""
_MORE = 4
"""How many times more may be looked at the next time."""


class Joins(NamedTuple):
    """How to apply the clauses of a stratum."""

    first: list[Join]
    again: dict[str, list[Join]]
    """For each of its predicates how to apply clauses when there is something new of it."""


class Stratum:
    """Predicates that depend on each other, and their clauses."""

    def __init__(self, names: list[str], clauses: list[Clause]):
        self.names = names
        self.clauses = clauses
        self._joins: Joins | None = None

    def joins(self, work: Allowance, estimate: Estimate) -> Joins:
        """How to apply the clauses."""
        if self._joins is None:
            joins = Joins([], {})
            names = set(self.names)
            for clause in self.clauses:
                inside = [at for at, atom in enumerate(clause.positive) if atom.name in names]
                work.spend(_size(clause) ** 2 * (1 + len(inside)))
                for place in inside:
                    again = joins.again.setdefault(clause.positive[place].name, [])
                    again.append(plan(clause, estimate, fresh=place))
                if not inside:
                    joins.first.append(plan(clause, estimate))
            self._joins = joins
        return self._joins


class Answering(NamedTuple):
    """How questions about a predicate are answered."""

    questions: str
    answers: str
    stratum: Stratum


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
        of: dict[str, list[Clause]] = {}
        for clause in clauses:
            of.setdefault(clause.head.name, []).append(clause)
        self.strata = [
            Stratum(names, [clause for name in names for clause in of.get(name, ())])
            for names in dependencies.components
        ]
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
        self.whole: dict[str, int] = defaultdict(lambda: LITTLE)
        """How many rows may be looked at to work out the whole of a relation,"""
        self.patience: dict[str, int] = defaultdict(int)
        """and how many have to be looked at for single questions before."""
        self._answering: dict[tuple[str, tuple[int, ...]], Answering] = {}

    def remember(self, name: str, work: int | None) -> None:
        """Learn how much work the whole of a relation takes; None if it was too much."""
        if work is None:
            self.patience[name] = self.whole[name] = _MORE * self.whole[name]
        else:
            self.patience[name], self.whole[name] = 0, max(LITTLE, 2 * work)

    def stratum(self, name: str) -> Stratum:
        """The stratum of a predicate that has clauses."""
        return self.strata[self.stratum_of[name]]

    def arity(self, name: str) -> int:
        """How many arguments a predicate has that has clauses."""
        clauses = self.stratum(name).clauses
        return next(len(one.head.arguments) for one in clauses if one.head.name == name)

    def is_recursive(self, name: str) -> bool:
        """Whether a predicate depends on itself."""
        return len(self.stratum(name).names) > 1 or name in self.below[name]

    def answering(
        self, name: str, places: tuple[int, ...], estimate: Callable[[Stratum], Estimate]
    ) -> Answering:
        """How to answer questions about a predicate whose arguments at some places are given."""
        if (name, places) not in self._answering:
            stratum = self.stratum(name)
            of: dict[str, list[Clause]] = {one: [] for one in stratum.names}
            for clause in stratum.clauses:
                of[clause.head.name].append(clause)
            root = Demand(name, self.arity(name), places)
            clauses, demands = answering(of, root, estimate(stratum))
            names = [made for one in demands for made in (one.answers, one.questions)]
            self.level |= dict.fromkeys(names, self.level[name])
            found = Answering(root.questions, root.answers, Stratum(names, clauses))
            self._answering[name, places] = found
        return self._answering[name, places]


def _size(clause: Clause) -> int:
    return len(clause.positive) + len(clause.negative) + len(clause.distinct)
