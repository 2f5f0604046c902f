"""Ground terms by number, so that columns of them are arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.text.ast import Term, TermOrVariable, Variable

Column = NDArray[np.int32]
_Function = tuple[str, int]
"""A name and the number of its arguments."""


class Vocabulary:
    """Numbers terms in the order in which they are met."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}
        self._parts: list[tuple[str, tuple[int, ...]]] = []
        self._members: dict[_Function, list[int]] = {}
        """The terms of each function."""
        self._places: dict[_Function, tuple[int, Column, Column]] = {}
        """For so many terms: where each is among those of a function or -1, and their arguments."""

    def number(self, term: TermOrVariable) -> int:
        """The number of a ground term."""
        assert not isinstance(term, Variable)
        if not term.arguments:
            return self._number(term.name, ())
        known = self._numbers
        arguments = [
            known[each.name, ()]
            if isinstance(each, Term) and not each.arguments and (each.name, ()) in known
            else self.number(each)
            for each in term.arguments
        ]
        return self._number(term.name, tuple(arguments))

    def term(self, number: int) -> Term:
        """The term of a number."""
        name, arguments = self._parts[number]
        return Term(name, tuple(map(self.term, arguments)))

    def make(self, name: str, arguments: Sequence[Column]) -> Column:
        """The terms of a function, one for each row of its arguments."""
        rows = zip(*(column.tolist() for column in arguments))
        return np.fromiter((self._number(name, row) for row in rows), np.int32, len(arguments[0]))

    def take_apart(
        self, name: str, arity: int, column: Column
    ) -> tuple[NDArray[np.bool_], list[Column]]:
        """Which terms are of a function, and the arguments of those that are."""
        place, arguments = self._arguments(name, arity)
        found = place[column]
        chosen = found >= 0
        return chosen, [*arguments[found[chosen]].T]

    def _number(self, name: str, arguments: tuple[int, ...]) -> int:
        key = name, arguments
        number = self._numbers.setdefault(key, len(self._parts))
        if number == len(self._parts):
            self._parts.append(key)
            self._members.setdefault((name, len(arguments)), []).append(number)
        return number

    def _arguments(self, name: str, arity: int) -> tuple[Column, Column]:
        function, terms = (name, arity), len(self._parts)
        kept = self._places.get(function)
        if kept is None or kept[0] != terms:
            members = self._members.get(function, [])
            place = np.full(terms, -1, np.int32)
            place[members] = np.arange(len(members), dtype=np.int32)
            rows = [self._parts[member][1] for member in members]
            arguments = np.array(rows, np.int32).reshape(len(members), arity)
            self._places[function] = kept = (terms, place, arguments)
        return kept[1], kept[2]
