"""How the clauses of a description are applied: in which order their conditions are looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import filterfalse
from typing import Any, NamedTuple

from semisplit.gdl.ast import Atom, Clause, Distinct, Term, TermOrVariable, Variable
from semisplit.gdl.terms import is_ground, variables, variables_of

Row = tuple[Term, ...]
"""The arguments of an atom that holds."""
Bindings = Mapping[str, Term]
"""What variables stand for, by name."""
Path = tuple[int, tuple[tuple[str, int, int], ...]]
"""Where in a row a term is: which argument, then in each function its name, arity and argument."""


class Relation:
    """The rows of one predicate, and indexes by terms in them."""

    def __init__(self, rows: Iterable[Row] = ()):
        self.rows = set(rows)
        self._indexes: dict[tuple[Path, ...], dict[Row, list[Row]]] = {}

    def add(self, row: Row) -> bool:
        """Add a row; whether it is new."""
        if row in self.rows:
            return False
        self.rows.add(row)
        for paths, index in self._indexes.items():
            _enter(index, paths, row)
        return True

    def find(self, paths: tuple[Path, ...], key: Row) -> Iterable[Row]:
        """The rows that have certain terms at certain places."""
        if not paths:
            return self.rows
        if paths not in self._indexes:
            index = self._indexes[paths] = {}
            for row in self.rows:
                _enter(index, paths, row)
        return self._indexes[paths].get(key, ())


def _enter(index: dict[Row, list[Row]], paths: tuple[Path, ...], row: Row) -> None:
    key = tuple(term for path in paths if (term := look_up(row, path)) is not None)
    if len(key) == len(paths):
        index.setdefault(key, []).append(row)


def look_up(row: Row, path: Path) -> Term | None:
    """The term at some place of a row; None if other functions are there."""
    argument, steps = path
    term: Any = row[argument]
    for name, arity, place in steps:
        if term.name != name or len(term.arguments) != arity:
            return None
        term = term.arguments[place]
    found: Term = term
    return found


def instantiate(term: TermOrVariable, bindings: Bindings) -> Term:
    """A term whose variables all stand for something."""
    if isinstance(term, Variable):
        return bindings[term.name]
    if not term.arguments:
        return term
    return Term(term.name, tuple(instantiate(argument, bindings) for argument in term.arguments))


@dataclass(frozen=True)
class Condition:
    """A positive atom of a body, looked up when some variables already stand for something."""

    name: str
    paths: tuple[Path, ...]
    """Where the atom says which term is there,"""
    keys: tuple[TermOrVariable, ...]
    """and the terms."""
    found: tuple[tuple[Path, str], ...]
    """Where it has variables that do not stand for anything yet."""
    tests: Tests
    """What can be tested behind it."""
    is_fresh: bool
    """Whether only the rows of the last round are meant."""


class Tests(NamedTuple):
    """Negations and inequalities."""

    negative: tuple[Atom, ...]
    distinct: tuple[Distinct, ...]


@dataclass(frozen=True)
class Join:
    """A clause with its conditions in the order in which they are looked up."""

    head: Atom
    tests: Tests
    """What can be tested before everything else."""
    conditions: tuple[Condition, ...]

    is_single: bool
    """Whether it says one thing, however often its conditions hold."""
    grows: bool
    """Whether it makes terms that may be larger than those it finds."""


def plan(clause: Clause, fresh: int | None = None) -> Join:
    """Put conditions in order: those with the fewest open variables first, as the author did else.

    Args:
        clause: The clause.
        fresh: The condition for which only rows of the last round are meant, which comes first.
    """
    bound: set[str] = set()
    open_tests = Tests(clause.negative, clause.distinct)
    first, open_tests = _ready(open_tests, bound)
    left = {place: {v.name for v in variables_of(a)} for place, a in enumerate(clause.positive)}
    conditions: list[Condition] = []
    while left:
        place = min(left, key=lambda one: (one != fresh, *_openness(left[one], bound)))
        atom, _ = clause.positive[place], left.pop(place)
        keys: list[tuple[Path, TermOrVariable]] = []
        found: list[tuple[Path, str]] = []
        for argument, term in enumerate(atom.arguments):
            _split(term, (argument, ()), bound, keys, found)
        bound |= {name for _, name in found}
        tests, open_tests = _ready(open_tests, bound)
        conditions.append(
            Condition(
                atom.name,
                tuple(path for path, _ in keys),
                tuple(term for _, term in keys),
                tuple(found),
                tests,
                place == fresh,
            )
        )
        fresh = None if place == fresh else fresh
    terms = clause.head.arguments
    grows = any(isinstance(term, Term) and not is_ground(term) for term in terms)
    return Join(clause.head, first, tuple(conditions), is_ground(*terms), grows)


def _openness(variables: set[str], bound: set[str]) -> tuple[bool, int]:
    """How much is open in an atom: whether none of its variables is known, and how many are not."""
    return bool(variables) and variables.isdisjoint(bound), len(variables - bound)


def _ready(tests: Tests, bound: set[str]) -> tuple[Tests, Tests]:
    """The tests whose variables all stand for something, and the others."""

    def are_bound(literal: Atom | Distinct) -> bool:
        return all(variable.name in bound for variable in variables_of(literal))

    ready = Tests(
        tuple(filter(are_bound, tests.negative)), tuple(filter(are_bound, tests.distinct))
    )
    others = Tests(
        tuple(filterfalse(are_bound, tests.negative)),
        tuple(filterfalse(are_bound, tests.distinct)),
    )
    return ready, others


def _split(
    term: TermOrVariable,
    path: Path,
    bound: set[str],
    keys: list[tuple[Path, TermOrVariable]],
    found: list[tuple[Path, str]],
) -> None:
    """Divide a term into parts that are known and variables that are found."""
    if {variable.name for variable in variables(term)} <= bound:
        keys.append((path, term))
    elif isinstance(term, Variable):
        found.append((path, term.name))
    else:
        argument, steps = path
        for place, inner in enumerate(term.arguments):
            step = (term.name, len(term.arguments), place)
            _split(inner, (argument, (*steps, step)), bound, keys, found)
