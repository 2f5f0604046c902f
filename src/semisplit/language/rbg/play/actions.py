"""The actions of the rules, one by one, as Python functions: when they succeed and what they do."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.automaton import Automaton, Edge, SubAutomaton
from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Compare,
    Count,
    Dot,
    Number,
    Off,
    On,
    Operation,
    Pattern,
    Shift,
    Switch,
    Variable,
)
from semisplit.language.rbg.text.limits import MAX_INTEGER

Pieces = tuple[int, ...]
"""The number of the piece on each vertex."""
Values = tuple[int, ...]
"""The values of players' scores and variables."""
Test = Callable[[Pieces, Values, int], int | None]
"""A shift or test on a vertex: the vertex where it leads, None if it fails."""
Modify = Callable[[Pieces, Values, int], tuple[Pieces, Values] | None]
"""A modifier on a vertex: the board and the values after it, None if it fails."""
Evaluate = Callable[[Pieces, Values], int | None]
"""An arithmetic expression; None if it divides by zero or leaves the range of integers."""
Matches = Callable[[SubAutomaton, Pieces, Values, int], bool]
"""Whether a path leads through the content of a pattern."""


class Action(NamedTuple):
    """An edge of the automaton made executable: a modifier if `modify` is given, else a test."""

    test: Test | None
    """None if it always succeeds, and leads nowhere else."""
    modify: Modify | None
    target: int
    number: int


def _keep(pieces: Pieces, values: Values, vertex: int) -> tuple[Pieces, Values]:
    return pieces, values


ACCEPT = Action(None, _keep, -1, 0)
"""Found by a walk inside a pattern when it comes to the pattern's end."""


class ActionCompiler:
    """Turns the edges of an automaton into actions."""

    def __init__(self, description: Description, matches: Matches):
        self._board = description.board
        self._pieces = {piece: number for number, piece in enumerate(description.pieces)}
        bounds = {**description.players, **description.variables}
        self._bounds = tuple(bounds.values())
        self._variables = {name: number for number, name in enumerate(bounds)}
        self._matches = matches

    def compile(self, automaton: Automaton) -> list[list[Action]]:
        """The actions that leave each node, last one first, as a walk takes them from the end."""
        actions = [[self._action(edge) for edge in reversed(edges)] for edges in automaton.edges]
        starts = [0]
        for edges in automaton.edges:
            for edge in edges:
                if edge.pattern is not None:
                    starts.append(edge.pattern.start)
                    actions[edge.pattern.end].append(ACCEPT)
        return _without_detours(actions, starts)

    def _action(self, edge: Edge) -> Action:
        if edge.pattern is not None:
            return Action(self._pattern(edge.pattern), None, edge.target, 0)
        match edge.action:
            case Shift(label):
                return Action(self._shift(label), None, edge.target, 0)
            case On(pieces):
                return Action(self._on(pieces), None, edge.target, 0)
            case Compare():
                return Action(self._compare(edge.action), None, edge.target, 0)
            case Off(piece):
                return Action(None, self._off(piece), edge.target, edge.number)
            case Assign(variable, value):
                return Action(None, self._assign(variable, value), edge.target, edge.number)
            case Switch() if edge.number > 0:
                return Action(None, _keep, edge.target, edge.number)
            case Switch() | Dot() | Pattern() | None:
                # Inside a pattern a switch does nothing.
                return Action(None, None, edge.target, edge.number)

    def _shift(self, label: str) -> Test:
        targets = [edges.get(label) for edges in self._board.edges]
        return lambda pieces, values, vertex: targets[vertex]

    def _on(self, names: frozenset[str]) -> Test:
        wanted = frozenset(self._pieces[name] for name in names)
        return lambda pieces, values, vertex: vertex if pieces[vertex] in wanted else None

    def _compare(self, comparison: Compare) -> Test:
        left, right = self._value(comparison.left), self._value(comparison.right)
        holds = _COMPARATORS[comparison.comparator]

        def test(pieces: Pieces, values: Values, vertex: int) -> int | None:
            a, b = left(pieces, values), right(pieces, values)
            return vertex if a is not None and b is not None and holds(a, b) else None

        return test

    def _pattern(self, pattern: SubAutomaton) -> Test:
        def test(pieces: Pieces, values: Values, vertex: int) -> int | None:
            found = self._matches(pattern, pieces, values, vertex)
            return vertex if found == pattern.positive else None

        return test

    def _off(self, name: str) -> Modify:
        piece = (self._pieces[name],)
        return lambda pieces, values, vertex: (
            pieces[:vertex] + piece + pieces[vertex + 1 :],
            values,
        )

    def _assign(self, variable: str, expression: Arithmetic) -> Modify:
        evaluate = self._value(expression)
        place = self._variables[variable]
        bound = self._bounds[place]

        def modify(pieces: Pieces, values: Values, vertex: int) -> tuple[Pieces, Values] | None:
            value = evaluate(pieces, values)
            if value is None or not 0 <= value <= bound:
                return None
            return pieces, (*values[:place], value, *values[place + 1 :])

        return modify

    def _value(self, expression: Arithmetic) -> Evaluate:
        match expression:
            case Number(number):
                return lambda pieces, values: number
            case Variable(name):
                place = self._variables[name]
                return lambda pieces, values: values[place]
            case Count(name):
                piece = self._pieces[name]
                return lambda pieces, values: pieces.count(piece)
            case Operation(symbol, left, right):
                return self._operation(_OPERATORS[symbol], self._value(left), self._value(right))

    def _operation(
        self, apply: Callable[[int, int], int | None], left: Evaluate, right: Evaluate
    ) -> Evaluate:
        def evaluate(pieces: Pieces, values: Values) -> int | None:
            a, b = left(pieces, values), right(pieces, values)
            if a is None or b is None:
                return None
            result = apply(a, b)
            return result if result is not None and abs(result) <= MAX_INTEGER else None

        return evaluate


def _without_detours(actions: list[list[Action]], starts: list[int]) -> list[list[Action]]:
    """Return actions that pass over nodes to which only an edge without an action leads."""
    entered = Counter(starts)
    entered.update(action.target for leaving in actions for action in leaving)

    def is_detour(action: Action) -> bool:
        silent = action.test is None and action.modify is None and action.number == 0
        return silent and entered[action.target] == 1

    shortened = []
    for leaving in actions:
        found, pending = [], list(leaving)
        while pending:
            action = pending.pop()
            if is_detour(action):
                pending.extend(actions[action.target])
            else:
                found.append(action)
        shortened.append(found[::-1])
    return shortened


def _divide(a: int, b: int) -> int | None:
    """Division that truncates toward zero and fails for a divisor of zero."""
    if b == 0:
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_COMPARATORS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPERATORS: dict[str, Callable[[int, int], int | None]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
}
