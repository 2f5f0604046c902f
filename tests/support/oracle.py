"""The meaning of rules a second time, by direct recursion over their tree.

It shares nothing with the interpreter but the tree, the board and the arithmetic's wording: no
automaton, no walk, no visited nodes. It is exponentially slow and good for small rules.
"""

from collections.abc import Iterator
from typing import NamedTuple

from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Compare,
    Concat,
    Count,
    Dot,
    Number,
    Off,
    On,
    Operation,
    Pattern,
    Rule,
    Shift,
    Star,
    Sum,
    Switch,
    Variable,
)


class World(NamedTuple):
    steps: tuple[tuple[int, int], ...]
    pieces: tuple[str, ...]
    values: tuple[tuple[str, int], ...]
    vertex: int
    over: bool = False
    """A switch has ended the move."""


def moves(description: Description, rule: Rule, world: World) -> set[tuple[tuple[int, int], ...]]:
    """The moves through a rule, as (vertex, modifier number) pairs from 0 and 1."""
    numbered = _number(rule, iter(range(1, 10_000)))
    return {after.steps for after in _run(description, numbered, {world}) if after.over}


def _number(rule: Rule, numbers: Iterator[int]) -> Rule:
    """Replace every modifier outside patterns by a pair of its number and itself."""
    match rule:
        case Sum(members):
            return Sum(tuple(_number(member, numbers) for member in members))
        case Concat(members):
            return Concat(tuple(_number(member, numbers) for member in members))
        case Star(body):
            return Star(_number(body, numbers))
        case Off() | Assign() | Switch():
            return (next(numbers), rule)  # type: ignore[return-value]
        case _:
            return rule


def _run(description: Description, rule: Rule, worlds: set[World]) -> set[World]:
    finished = {world for world in worlds if world.over}
    worlds = worlds - finished
    match rule:
        case Sum(members):
            return finished.union(*(_run(description, member, worlds) for member in members))
        case Concat(members):
            for member in members:
                worlds = _run(description, member, worlds)
            return finished | worlds
        case Star(body):
            reached = set(worlds)
            while worlds:
                worlds = _run(description, body, worlds) - reached
                reached |= worlds
            return finished | reached
        case _:
            after = (_act(description, rule, world) for world in worlds)
            return finished | {world for world in after if world is not None}


def _act(description: Description, rule: Rule, world: World) -> World | None:
    number = 0
    if isinstance(rule, tuple):
        number, rule = rule
    steps = (*world.steps, (world.vertex, number)) if number else world.steps
    values = dict(world.values)
    match rule:
        case Shift(label):
            target = description.board.edges[world.vertex].get(label)
            return None if target is None else world._replace(vertex=target)
        case On(pieces):
            return world if world.pieces[world.vertex] in pieces else None
        case Compare(left, comparator, right):
            a, b = _value(left, world), _value(right, world)
            if a is None or b is None:
                return None
            return world if eval(f"{a} {comparator} {b}") else None
        case Pattern(positive, body):
            found = bool(_run(description, body, {world}))
            return world if found == positive else None
        case Off(piece):
            board = list(world.pieces)
            board[world.vertex] = piece
            return world._replace(pieces=tuple(board), steps=steps)
        case Assign(variable, expression):
            value = _value(expression, world)
            bound = {**description.players, **description.variables}[variable]
            if value is None or not 0 <= value <= bound:
                return None
            values[variable] = value
            return world._replace(values=tuple(values.items()), steps=steps)
        case Switch():
            return world._replace(steps=steps, over=bool(number))
        case Dot():
            return world
    raise AssertionError(rule)


def _value(expression: Arithmetic, world: World) -> int | None:
    match expression:
        case Number(value):
            return value
        case Variable(name):
            return dict(world.values)[name]
        case Count(piece):
            return world.pieces.count(piece)
        case Operation(operator, left, right):
            a, b = _value(left, world), _value(right, world)
            if a is None or b is None or (operator == "/" and b == 0):
                return None
            if operator == "/":
                return int(a / b)
            return {"+": a + b, "-": a - b, "*": a * b}[operator]
