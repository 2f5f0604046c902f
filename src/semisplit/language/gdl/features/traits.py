"""What can be said about moves, to group them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.play.interpret import Step
from semisplit.language.gdl.text.ast import Term, TermOrVariable
from semisplit.language.rules import Trait

_MOST_ARGUMENTS = 8


def traits(description: Description) -> dict[str, Trait]:
    """The name of a move, and of each of its arguments."""
    names = sorted(description.spelling)
    numbers = {name: number for number, name in enumerate(names)}
    values = [description.spelling[name] for name in names]

    def argument(place: int) -> Callable[[Step], int]:
        def value(step: Step) -> int:
            arguments = step.move.arguments
            found = arguments[place] if place < len(arguments) else None
            return numbers[found.name] if isinstance(found, Term) else -1

        return value

    heads = (argument for clause in description.clauses for argument in clause.head.arguments)
    most = min(_MOST_ARGUMENTS, max(map(len, map(_arguments, _inner(heads))), default=0))
    found = {"name": Trait(values, lambda step: numbers[step.move.name], last=True)}
    return found | {
        f"argument{place + 1}": Trait(values, argument(place), last=True) for place in range(most)
    }


def _inner(terms: Iterator[TermOrVariable]) -> Iterator[TermOrVariable]:
    """Terms and all that they consist of."""
    for term in terms:
        yield term
        yield from _inner(iter(_arguments(term)))


def _arguments(term: TermOrVariable) -> tuple[TermOrVariable, ...]:
    return term.arguments if isinstance(term, Term) else ()
