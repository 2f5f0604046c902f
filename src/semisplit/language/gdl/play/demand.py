"""Clauses that work out no more of a predicate than is asked for: magic sets.

What is asked of a predicate is which of its rows have certain terms at certain places. `p bf` has
the answers for a predicate `p` of which the first argument is given and the second is wanted, and
`? p bf` the questions: what the first argument is. Each clause of `p` becomes one that answers
questions only. What is asked of predicates of the same stratum on the way, as its conditions are
looked up, becomes a clause about questions. The names have spaces in them, so they are no names in
the text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from semisplit.language.gdl.play.joins import Estimate, plan
from semisplit.language.gdl.text.ast import Atom, Clause, Distinct
from semisplit.language.gdl.text.terms import variables_of


class Demand(NamedTuple):
    """What is asked of a predicate."""

    name: str
    arity: int
    places: tuple[int, ...]
    """The arguments that are given."""

    @property
    def answers(self) -> str:
        """The name of the relation with the answers."""
        given = ("b" if place in self.places else "f" for place in range(self.arity))
        return f"{self.name} {''.join(given)}"

    @property
    def questions(self) -> str:
        """The name of the relation with what was asked for."""
        return f"? {self.answers}"

    def question(self, atom: Atom) -> Atom:
        """The question to which rows of an atom are an answer."""
        return Atom(self.questions, tuple(atom.arguments[place] for place in self.places))


def answering(
    clauses: Mapping[str, Sequence[Clause]], root: Demand, estimate: Estimate
) -> tuple[list[Clause], set[Demand]]:
    """Clauses that answer what is asked of a predicate, and all that is asked on the way.

    Args:
        clauses: Those of each predicate of the stratum.
        root: What is asked first.
        estimate: How many rows conditions are expected to have.
    """
    found: list[Clause] = []
    known, waiting = {root}, [root]
    while waiting:
        demand = waiting.pop()
        for clause in clauses[demand.name]:
            question = demand.question(clause.head)

            def rows(atom: Atom, bound: frozenset[str], question: Atom = question) -> float:
                # What is being answered anyway takes nothing.
                is_same = atom.name in clauses and _demand(atom, bound).question(atom) == question
                return 0 if is_same else estimate(atom, bound)

            asks = replace(clause, positive=(question, *clause.positive))
            body: list[Atom] = []
            bound: set[str] = set()
            for condition in plan(asks, rows, fresh=0).conditions:
                atom = condition.atom
                if atom.name in clauses:
                    inner = _demand(atom, bound)
                    if inner not in known:
                        known.add(inner)
                        waiting.append(inner)
                    if inner.question(atom) not in body:
                        found.append(_ask(clause, inner.question(atom), body, bound))
                    atom = replace(atom, name=inner.answers)
                body.append(atom)
                bound |= {variable.name for variable in variables_of(atom)}
            head = replace(clause.head, name=demand.answers)
            found.append(replace(clause, head=head, positive=tuple(body)))
    return found, known


def _demand(atom: Atom, bound: Collection[str]) -> Demand:
    """What is asked of an atom when some variables stand for something."""
    places = (
        place
        for place, term in enumerate(atom.arguments)
        if all(variable.name in bound for variable in variables_of(Atom("", (term,))))
    )
    return Demand(atom.name, len(atom.arguments), tuple(places))


def _ask(clause: Clause, question: Atom, body: Sequence[Atom], bound: Collection[str]) -> Clause:
    """The clause that asks something as soon as what stands before it holds."""

    def is_bound(literal: Atom | Distinct) -> bool:
        return all(variable.name in bound for variable in variables_of(literal))

    return Clause(
        question,
        tuple(body),
        tuple(filter(is_bound, clause.negative)),
        tuple(filter(is_bound, clause.distinct)),
        clause.rule,
    )
