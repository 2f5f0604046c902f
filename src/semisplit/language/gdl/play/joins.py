"""How the clauses of a description are applied: in which order their conditions are looked up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse, islice
from typing import Any, NamedTuple

from semisplit.language.gdl.text.ast import Atom, Clause, Distinct, Term, TermOrVariable, Variable
from semisplit.language.gdl.text.terms import is_ground, variables, variables_of

Row = tuple[Term, ...]
"""The arguments of an atom that holds."""
Bindings = Mapping[str, Term]
"""What variables stand for, by name."""
Path = tuple[int, tuple[tuple[str, int, int], ...]]
"""Where in a row a term is: which argument, then in each function its name, arity and argument."""
Estimate = Callable[[Atom, frozenset[str]], float]
"""How many rows of an atom are expected to be found for each way to bind some of its variables."""
SAMPLE = 2_000
"""Rows by which a relation is judged."""


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
    atom: Atom


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

    decided: int
    """How many conditions say all of the head; of the others it matters only whether they hold."""
    grows: bool
    """Whether it makes terms that may be larger than those it finds."""


def plan(clause: Clause, estimate: Estimate, fresh: int | None = None) -> Join:
    """Put conditions in order: always the one next for which the fewest rows are expected.

    Args:
        clause: The clause.
        estimate: Says how many; it is asked once for each atom and what is known of it.
        fresh: The condition for which only rows of the last round are meant, which comes first.
    """
    rows = cache(estimate)
    bound: set[str] = set()
    open_tests = Tests(clause.negative, clause.distinct)
    first, open_tests = _ready(open_tests, bound)
    left = {place: {v.name for v in variables_of(a)} for place, a in enumerate(clause.positive)}
    open_in_head = {variable.name for variable in variables_of(clause.head)}
    decided = 0
    conditions: list[Condition] = []

    def cost(place: int) -> tuple[float, bool]:
        names = left[place]
        is_apart = bool(names) and names.isdisjoint(bound)
        return rows(clause.positive[place], frozenset(names & bound)), is_apart

    while left:
        place = min(left, key=cost) if fresh is None else fresh
        atom, _ = clause.positive[place], left.pop(place)
        paths, keys, found = lookup(atom, bound)
        bound |= {name for _, name in found}
        tests, open_tests = _ready(open_tests, bound)
        conditions.append(Condition(atom.name, paths, keys, found, tests, place == fresh, atom))
        if not open_in_head <= bound - {name for _, name in found}:
            decided = len(conditions)
        fresh = None
    grows = any(isinstance(term, Term) and not is_ground(term) for term in clause.head.arguments)
    return Join(clause.head, first, tuple(conditions), decided, grows)


def expected_rows(relation: Relation, atom: Atom, bound: frozenset[str]) -> float | None:
    """How many rows of an atom go with one way to bind some variables, on average.

    None if no row is like the atom, whatever constants it has.
    """
    paths, keys, found = lookup(atom, bound)
    places = (*paths, *(path for path, _ in found))
    rows = [tuple(look_up(row, path) for path in places) for row in islice(relation.rows, SAMPLE)]
    rows = [row for row in rows if None not in row]
    constants = [(place, key) for place, key in enumerate(keys) if is_ground(key)]
    fitting = [row for row in rows if all(row[place] == key for place, key in constants)] or rows
    if not fitting:
        return None
    scale = max(1.0, len(relation.rows) / SAMPLE)
    return scale * len(fitting) / len({row[: len(paths)] for row in fitting})


def lookup(
    atom: Atom, bound: Collection[str]
) -> tuple[tuple[Path, ...], tuple[TermOrVariable, ...], tuple[tuple[Path, str], ...]]:
    """Where an atom says which term is there, the terms, and where it has open variables."""
    keys: list[tuple[Path, TermOrVariable]] = []
    found: list[tuple[Path, str]] = []
    for argument, term in enumerate(atom.arguments):
        _split(term, (argument, ()), bound, keys, found)
    return tuple(path for path, _ in keys), tuple(term for _, term in keys), tuple(found)


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
    bound: Collection[str],
    keys: list[tuple[Path, TermOrVariable]],
    found: list[tuple[Path, str]],
) -> None:
    """Divide a term into parts that are known and variables that are found."""
    if all(variable.name in bound for variable in variables(term)):
        keys.append((path, term))
    elif isinstance(term, Variable):
        found.append((path, term.name))
    else:
        argument, steps = path
        for place, inner in enumerate(term.arguments):
            step = (term.name, len(term.arguments), place)
            _split(inner, (argument, (*steps, step)), bound, keys, found)
