"""Looking into terms: variables, substitution, unification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from semisplit.language.gdl.text.ast import (
    And,
    Atom,
    Distinct,
    Literal,
    Not,
    Or,
    Term,
    TermOrVariable,
    Variable,
)

Bindings = Mapping[Variable, TermOrVariable]
"""What variables stand for."""


def variables(*terms: TermOrVariable) -> Iterator[Variable]:
    """All variables in terms, as often as they occur."""
    for term in terms:
        if isinstance(term, Variable):
            yield term
        else:
            yield from variables(*term.arguments)


def variables_of(*literals: Literal) -> Iterator[Variable]:
    """All variables in literals, as often as they occur."""
    for literal in literals:
        match literal:
            case Atom(_, arguments):
                yield from variables(*arguments)
            case Distinct(left, right):
                yield from variables(left, right)
            case Not(inner):
                yield from variables_of(inner)
            case Or(parts) | And(parts):
                yield from variables_of(*parts)


def is_ground(*terms: TermOrVariable) -> bool:
    """Whether terms are without variables."""
    return next(variables(*terms), None) is None


def size(*terms: TermOrVariable) -> int:
    """How many names and variables terms consist of."""
    return sum(1 if isinstance(term, Variable) else 1 + size(*term.arguments) for term in terms)


def substitute(term: TermOrVariable, bindings: Bindings) -> TermOrVariable:
    """A term with variables replaced."""
    if isinstance(term, Variable):
        return bindings.get(term, term)
    return Term(term.name, tuple(substitute(argument, bindings) for argument in term.arguments))


def is_same_function(left: Term, right: Term) -> bool:
    """Whether terms are of the same name and number of arguments."""
    return left.name == right.name and len(left.arguments) == len(right.arguments)


def unify(
    pairs: Iterable[tuple[TermOrVariable, TermOrVariable]], spend: Callable[[int], None]
) -> dict[Variable, TermOrVariable] | None:
    """What variables have to stand for so that the terms of each pair are the same, if they can.

    Args:
        pairs: The terms.
        spend: Counts the size of terms made on the way, which can double with every pair.
    """
    bindings: dict[Variable, TermOrVariable] = {}
    left_to_do = list(pairs)
    while left_to_do:
        pair = left_to_do.pop()
        spend(size(*pair) + sum(size(bindings[v]) for v in variables(*pair) if v in bindings))
        left, right = (substitute(term, bindings) for term in pair)
        if left == right:
            continue
        if isinstance(right, Variable):
            left, right = right, left
        if isinstance(left, Variable):
            if left in variables(right):
                return None
            spend(size(right) * sum(v == left for v in variables(*bindings.values())))
            bindings = {v: substitute(term, {left: right}) for v, term in bindings.items()}
            bindings[left] = right
        elif isinstance(right, Term) and is_same_function(left, right):
            left_to_do.extend(zip(left.arguments, right.arguments))
        else:
            return None
    return bindings
