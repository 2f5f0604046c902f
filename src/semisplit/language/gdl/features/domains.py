"""Which constants can stand at each argument of relations, fluents and moves, at most.

It is known elsewhere as the domain dependency graph. Conditions on several arguments at once are
not looked at, so more is thought possible than is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from semisplit.language.gdl.text.ast import Atom, Clause, Term, TermOrVariable, Variable


class Argument(NamedTuple):
    """A place where terms stand."""

    name: str
    arity: int
    number: int
    is_function: bool = False
    """Whether the name is that of a function, as fluents and moves are."""


class Functor(NamedTuple):
    """The name of a constant or a function, and how many arguments it has."""

    name: str
    arity: int


Domains = Mapping[Argument, Mapping[str, None]]
"""The constants at each argument, in the order in which they were found."""

_ROLE, _FLUENT, _MOVE = Argument("role", 1, 0), Argument("fluent", 1, 0), Argument("move", 1, 0)
_SAME: Mapping[tuple[str, int], Argument] = {
    ("init", 0): _FLUENT,
    ("true", 0): _FLUENT,
    ("next", 0): _FLUENT,
    ("base", 0): _FLUENT,
    ("legal", 0): _ROLE,
    ("does", 0): _ROLE,
    ("input", 0): _ROLE,
    ("legal", 1): _MOVE,
    ("does", 1): _MOVE,
    ("input", 1): _MOVE,
}
"""What is said of fluents by one keyword holds for the others."""


def find_domains(clauses: Iterable[Clause]) -> Domains:
    """The constants that can stand at each argument."""
    domains: defaultdict[Argument, dict[str, None]] = defaultdict(dict)
    for argument, functors in find_functors(clauses).items():
        domains[argument].update((one.name, None) for one in functors if not one.arity)
    return domains


def find_functors(clauses: Iterable[Clause]) -> Mapping[Argument, Mapping[Functor, None]]:
    """The constants and functions that can stand at each argument, in the order in which found."""
    found: defaultdict[Argument, dict[Functor, None]] = defaultdict(dict)
    occurring = [(list(places(clause.head)), _by_variable(clause)) for clause in clauses]
    size = -1
    while size != (size := sum(map(len, found.values()))):
        for head, bound in occurring:
            for argument, term in head:
                if isinstance(term, Variable):
                    first, *others = (found[place] for place in bound[term])
                    common = [one for one in first if all(one in other for other in others)]
                    found[argument].update(dict.fromkeys(common))
                else:
                    found[argument][Functor(term.name, len(term.arguments))] = None
    return found


def _by_variable(clause: Clause) -> Mapping[Variable, list[Argument]]:
    """Where each variable stands in conditions that have to hold."""
    found: defaultdict[Variable, list[Argument]] = defaultdict(list)
    for atom in clause.positive:
        for argument, term in places(atom):
            if isinstance(term, Variable):
                found[term].append(argument)
    return found


def places(atom: Atom) -> Iterator[tuple[Argument, TermOrVariable]]:
    """The arguments of an atom and all inside of them, with what stands there."""
    arity = len(atom.arguments)
    for index, term in enumerate(atom.arguments):
        yield from _inside(_SAME.get((atom.name, index), Argument(atom.name, arity, index)), term)


def _inside(argument: Argument, term: TermOrVariable) -> Iterator[tuple[Argument, TermOrVariable]]:
    yield argument, term
    if isinstance(term, Term):
        arity = len(term.arguments)
        for index, inner in enumerate(term.arguments):
            yield from _inside(Argument(term.name, arity, index, True), inner)
