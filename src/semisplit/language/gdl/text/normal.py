"""Rules to clauses: negation pushed inwards to atoms, and one clause for each alternative.

Where several `or` would multiply, each becomes a predicate of its own, whose name has a space in
it, so that it is no name in the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod

from semisplit.core.report import Report
from semisplit.core.source import Span
from semisplit.language.gdl.text.ast import (
    And,
    Atom,
    Clause,
    Distinct,
    Literal,
    Not,
    Or,
    Rule,
    Variable,
)
from semisplit.language.gdl.text.limits import MAX_EXPANSION, MAX_NORMAL_FORM
from semisplit.language.gdl.text.terms import Bindings, size, substitute, unify, variables_of


def normalize(rules: Iterable[Rule], report: Report[Span]) -> tuple[Clause, ...]:
    """The clauses of all rules."""
    normalizer = _Normalizer(report)
    for rule in rules:
        normalizer.add(rule)
    return tuple(normalizer.clauses)


class _Normalizer:
    def __init__(self, report: Report[Span]):
        self.clauses: list[Clause] = []
        self._report = report
        self._named = 0
        """How many alternatives have become predicates."""
        self._size = 0

    def add(self, rule: Rule) -> None:
        self._add(rule, rule.head, [_push(literal) for literal in rule.body])

    def _add(self, rule: Rule, head: Atom, body: Sequence[Literal]) -> None:
        """Add the clauses of a body whose negations are on atoms and `distinct` only."""
        conjunction = list(_flat(body))
        choices = sorted((part for part in conjunction if isinstance(part, Or)), key=_ways)
        ways = prod(map(_ways, choices))
        if ways > MAX_EXPANSION and not _is_plain(choices):
            atoms = [part for part in conjunction if isinstance(part, Atom)]
            tests = [part for part in conjunction if isinstance(part, Not | Distinct)]
            parts = (head, *conjunction)
            occurrences = Counter(chain.from_iterable({*variables_of(part)} for part in parts))
            while ways > MAX_EXPANSION:
                choice = choices.pop()
                ways //= _ways(choice)
                common = {v for v in variables_of(choice) if occurrences[v] > 1}
                atoms.append(self._name(rule, choice, common, atoms))
            conjunction = [*atoms, *tests, *choices]
        for literals in _alternatives(And(tuple(conjunction))):
            self._add_clause(rule, head, literals)

    def _name(self, rule: Rule, choice: Or, common: set[Variable], atoms: Sequence[Atom]) -> Atom:
        """A predicate for the alternatives of a choice, over the variables it has in common.

        What an alternative leaves open is given a value by the atoms beside the choice.
        """
        self._named += 1
        ordered = sorted(common, key=lambda variable: variable.name)
        named = Atom(f"or {self._named}", tuple(ordered), rule.head.span)
        for alternative in choice.literals:
            self._add(rule, named, [*_binders(alternative, common, atoms), alternative])
        return named

    def _add_clause(self, rule: Rule, head: Atom, literals: Sequence[Literal]) -> None:
        """Add a clause, unless it can never hold. What is not distinct is the same."""
        negated = [literal.literal for literal in literals if isinstance(literal, Not)]
        positive = [*dict.fromkeys(one for one in literals if isinstance(one, Atom))]
        negative = [literal for literal in negated if isinstance(literal, Atom)]
        distinct = [literal for literal in literals if isinstance(literal, Distinct)]
        same = [(found.left, found.right) for found in negated if isinstance(found, Distinct)]
        bindings = unify(same, lambda work: self._spend(rule, work))
        if bindings is None:
            return
        found_in = variables_of(head, *positive, *negative, *distinct)
        self._spend(rule, 1 + len(literals) + sum(size(bindings.get(v, v)) for v in found_in))
        if bindings:
            head, *positive = (_substitute(atom, bindings) for atom in (head, *positive))
            negative = [_substitute(atom, bindings) for atom in negative]
            distinct = [
                replace(
                    found,
                    left=substitute(found.left, bindings),
                    right=substitute(found.right, bindings),
                )
                for found in distinct
            ]
        self.clauses.append(Clause(head, tuple(positive), tuple(negative), tuple(distinct), rule))

    def _spend(self, rule: Rule, work: int) -> None:
        self._size += work
        if self._size > MAX_NORMAL_FORM:
            assert rule.span is not None  # it has been read
            hint = "give what alternatives have in common a name of its own"
            self._report.fatal(rule.span, "the rules are too large without 'or' and 'not'", hint)


def _push(literal: Literal, positive: bool = True) -> Literal:
    """A literal, or its negation, with negations on atoms and `distinct` only."""
    match literal:
        case Not(inner):
            return _push(inner, not positive)
        case And(parts) | Or(parts):
            pushed = tuple(_push(part, positive) for part in parts)
            return And(pushed) if isinstance(literal, And) == positive else Or(pushed)
        case _:
            return literal if positive else Not(literal)


def _flat(literals: Iterable[Literal]) -> Iterator[Literal]:
    """The parts of a conjunction, and of those in it."""
    for literal in literals:
        if isinstance(literal, And):
            yield from _flat(literal.literals)
        else:
            yield literal


def _ways(literal: Literal) -> int:
    """How many alternatives there are."""
    match literal:
        case Or(parts):
            return sum(map(_ways, parts))
        case And(parts):
            return prod(map(_ways, parts))
        case _:
            return 1


def _is_plain(choices: Sequence[Or]) -> bool:
    """Whether there is one choice, among literals: not more than what is written."""
    return len(choices) == 1 and all(_ways(part) == 1 for part in choices[0].literals)


def _alternatives(literal: Literal) -> Iterator[tuple[Literal, ...]]:
    """The ways in which a literal can hold, each a conjunction."""
    match literal:
        case Or(parts):
            for part in parts:
                yield from _alternatives(part)
        case And(parts):
            for chosen in product(*map(_alternatives, parts)):
                yield tuple(chain.from_iterable(chosen))
        case _:
            yield (literal,)


def _binders(alternative: Literal, common: set[Variable], atoms: Sequence[Atom]) -> Iterator[Atom]:
    """Atoms that give values to the variables which an alternative leaves open."""
    still_open = set(common)
    if isinstance(alternative, Atom):
        still_open.difference_update(variables_of(alternative))
    for atom in atoms:
        if not still_open:
            return
        if not still_open.isdisjoint(found := set(variables_of(atom))):
            still_open -= found
            yield atom


def _substitute(atom: Atom, bindings: Bindings) -> Atom:
    return replace(atom, arguments=tuple(substitute(term, bindings) for term in atom.arguments))
