"""What can be read off the states of a game in GDL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from semisplit.core.features import Feature, Features
from semisplit.language.gdl.check.dependencies import Dependencies
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.features.board import Board
from semisplit.language.gdl.text.ast import Atom, Clause, Term, TermOrVariable
from semisplit.language.gdl.text.notation import write_term

_Path = tuple[int, ...]


def find_features(
    description: Description, board: Board | None, fluents: Sequence[Term], first_bit: int
) -> Features:
    """The features of a game whose states have a bit for each fluent, in order."""
    symbols: defaultdict[tuple[str, _Path, str], list[tuple[int, int]]] = defaultdict(list)
    for bit, fluent in enumerate(fluents, first_bit):
        for path, constant in _constants(fluent):
            symbols[_relation(fluent), path, constant].append((bit, 1))
    names = (f"{name} {_write(path)} {constant}" for name, path, constant in symbols)
    return Features(
        marks=tuple(range(first_bit, first_bit + len(fluents))),
        symbols=tuple(Feature(name, tuple(bits)) for name, bits in zip(names, symbols.values())),
        numbers=tuple(_numbers(description, board, fluents, first_bit)),
    )


def _numbers(
    description: Description, board: Board | None, fluents: Sequence[Term], first_bit: int
) -> Iterator[Feature]:
    """Numbers that goals depend on: fluents with one number in them, and not on the board."""
    relevant = _relations_of_goals(description.clauses)
    found: defaultdict[str, dict[Term, tuple[int, int]]] = defaultdict(dict)
    for bit, fluent in enumerate(fluents, first_bit):
        decimals = [(path, text) for path, text in _constants(fluent) if text.isdecimal()]
        if len(decimals) == 1 and fluent.name in relevant and not (board and board.shows(fluent)):
            ((path, text),) = decimals
            found[write_term(_without(fluent, path))][fluent] = (bit, int(text[:9]))
    initial = {clause.head.arguments[0] for clause in description.clauses if _is_initial(clause)}
    for name, terms in found.items():
        # Several at once are the digits of a binary number that are 1.
        digits = len(terms.keys() & initial) > 1 and max(value for _, value in terms.values()) < 31
        values = ((bit, 1 << value if digits else value) for bit, value in terms.values())
        yield Feature(name, tuple(values))


def _is_initial(clause: Clause) -> bool:
    return clause.head.name == "init" and not clause.positive


def _relations_of_goals(clauses: Collection[Clause]) -> set[str]:
    """The names of fluents on which goals depend."""
    edges = Dependencies(clauses).edges
    known, left, found = {"goal"}, ["goal"], set()
    while left:
        for edge in edges.get(left.pop(), ()):
            if edge.target == "true":
                found |= _fluent_names(edge.atom)
            elif edge.target not in known:
                known.add(edge.target)
                left.append(edge.target)
    return found


def _fluent_names(atom: Atom) -> set[str]:
    (fluent,) = atom.arguments
    return {fluent.name} if isinstance(fluent, Term) else set()


def _relation(fluent: Term) -> str:
    return f"{fluent.name}/{len(fluent.arguments)}"


def _constants(term: TermOrVariable, path: _Path = ()) -> Iterator[tuple[_Path, str]]:
    """The constants in a term, and where they are; a term without arguments is one."""
    assert isinstance(term, Term)
    if not term.arguments:
        yield path, term.name
    for number, argument in enumerate(term.arguments, 1):
        yield from _constants(argument, (*path, number))


def _without(term: TermOrVariable, path: _Path) -> Term:
    """A term with something else at a place."""
    assert isinstance(term, Term)
    if not path:
        return Term("?")
    arguments = list(term.arguments)
    arguments[path[0] - 1] = _without(arguments[path[0] - 1], path[1:])
    return Term(term.name, tuple(arguments))


def _write(path: _Path) -> str:
    return ".".join(map(str, path))
