"""Splitting rules, so that not all their variables have to be joined at once.

A variable that is not in the head is *eliminated*: the conditions with it become a rule of their
own, for all other variables that are in them. Those with the fewest come first, which is a tree
decomposition of the rule. `p(A) :- q(A,B), r(B,C), s(C,D)` becomes `p(A) :- q(A,B), x(B)`,
`x(B) :- r(B,C), y(C)` and `y(C) :- s(C,D)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from semisplit.language.gdl.text.ast import Atom, Clause, Distinct, Term, TermOrVariable, Variable

_PREFIX = "split "
"""Of the names of new predicates; no name in a text has a space."""


def split_clauses(clauses: Iterable[Clause]) -> list[Clause]:
    """Rewrite rules with predicates in between, so that fewer variables are joined at once."""
    found: list[Clause] = []
    for clause in clauses:
        found += _split(clause, len(found))
    return found


def _split(clause: Clause, number: int) -> list[Clause]:
    parts: list[Clause] = []
    while True:
        smallest = _smallest_bag(clause)
        if smallest is None:
            return [*parts, clause]
        name = f"{_PREFIX}{number + len(parts)}"
        part, clause = _eliminate(clause, *smallest, name)
        parts.append(part)


def _smallest_bag(clause: Clause) -> tuple[Variable, list[Variable]] | None:
    """A variable to be eliminated, and all that are in conditions with it; None if it is no use."""
    conditions = [[*_variables(each)] for each in _body(clause)]
    everything = {v for each in (*conditions, _variables(clause.head)) for v in each}
    bags: list[tuple[Variable, list[Variable]]] = []
    for variable in dict.fromkeys(v for each in conditions for v in each):
        bag = dict.fromkeys(v for each in conditions if variable in each for v in each)
        if variable not in _variables(clause.head) and len(bag) < len(everything):
            bags.append((variable, [*bag]))
    return min(bags, key=lambda each: len(each[1]), default=None)


def _eliminate(
    clause: Clause, variable: Variable, bag: list[Variable], name: str
) -> tuple[Clause, Clause]:
    """A rule for the conditions with a variable, and what becomes of the one they were in."""

    def has(condition: Atom | Distinct) -> bool:
        return variable in _variables(condition)

    head = Atom(name, tuple(each for each in bag if each != variable))
    positive = [atom for atom in clause.positive if has(atom)]
    bound = {v for atom in positive for v in _variables(atom)}
    # What is negated needs values for its other variables, too: those that they can have.
    positive += [binder(clause, each) for each in bag if each not in bound]
    part = replace(
        clause,
        head=head,
        positive=tuple(positive),
        negative=tuple(filter(has, clause.negative)),
        distinct=tuple(filter(has, clause.distinct)),
    )
    rest = replace(
        clause,
        positive=(*(atom for atom in clause.positive if not has(atom)), head),
        negative=tuple(atom for atom in clause.negative if not has(atom)),
        distinct=tuple(each for each in clause.distinct if not has(each)),
    )
    return part, rest


def binder(clause: Clause, variable: Variable) -> Atom:
    """A positive condition with a variable, in which nothing else matters."""
    atoms = [atom for atom in clause.positive if variable in _variables(atom)]
    atom = min(atoms, key=lambda atom: len({*_variables(atom)}))

    def renamed(term: TermOrVariable) -> TermOrVariable:
        if isinstance(term, Variable):
            return term if term == variable else Variable(f"any {variable.name} {term.name}")
        return Term(term.name, tuple(map(renamed, term.arguments)))

    return Atom(atom.name, tuple(map(renamed, atom.arguments)))


def _body(clause: Clause) -> Iterator[Atom | Distinct]:
    yield from clause.positive
    yield from clause.negative
    yield from clause.distinct


def _variables(condition: Atom | Distinct) -> list[Variable]:
    """The variables of a condition, in order."""
    found: list[Variable] = []
    terms = (
        [condition.left, condition.right]
        if isinstance(condition, Distinct)
        else [*condition.arguments]
    )
    while terms:
        term = terms.pop(0)
        if isinstance(term, Variable):
            found.append(term)
        else:
            terms += term.arguments
    return found
