"""What players see, in games in which they do not see all: GDL-II.

What `sees` says of a move is a part of the state behind it, as a fluent `(sees ROLE PERCEPT)`. So
whatever works out states works out percepts, too. No rules can name such fluents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from semisplit.language.gdl.text.ast import Atom, Clause, Term, Variable

SEES = "sees"


def percepts_as_fluents(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """The clause by which what is seen becomes a part of the next state, if anything is."""
    seen = next((clause for clause in clauses if clause.head.name == SEES), None)
    if seen is not None:
        role, percept = Variable("role"), Variable("percept")
        fluent = Term(SEES, (role, percept))
        head = Atom("next", (fluent,), seen.head.span)
        yield Clause(head, (Atom(SEES, (role, percept), seen.head.span),), rule=seen.rule)


def is_percept(fluent: Term) -> bool:
    """Whether a fluent is something that a role has seen."""
    return fluent.name == SEES and len(fluent.arguments) == 2


def percepts(fluents: Iterable[Term], role: Term) -> tuple[Term, ...]:
    """What a role has seen of the last move, sorted."""
    seen = (fluent.arguments for fluent in fluents if is_percept(fluent))
    found = (percept for one, percept in seen if one == role)
    return tuple(sorted(percept for percept in found if isinstance(percept, Term)))
