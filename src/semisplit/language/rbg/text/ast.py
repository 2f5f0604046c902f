"""The rules as a tree, always in normal form.

`sum_of` and `concat` merge nested sums and concatenations and drop those with one member, so that
every tree built with them is in the normal form on which modifier numbers and split strategies
are defined. Subtrees may be shared: `x^3` is three times the same object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from semisplit.language.rbg.text.tokens import Token

Comparator = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of a variable or the score of a player."""

    name: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many vertices hold a piece."""

    piece: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two values joined by `+`, `-`, `*` or `/`."""

    operator: Literal["+", "-", "*", "/"]
    left: Arithmetic
    right: Arithmetic


Arithmetic = Number | Variable | Count | Operation


@dataclass(frozen=True, slots=True)
class Shift:
    """Go along the edge with this label."""

    label: str


@dataclass(frozen=True, slots=True)
class On:
    """Test that the vertex holds one of these pieces: `{p,q}`."""

    pieces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Compare:
    """Test a comparison: `{$ left op right}`."""

    left: Arithmetic
    comparator: Comparator
    right: Arithmetic


@dataclass(frozen=True, slots=True)
class Pattern:
    """Test that some path, or with `positive` false no path, leads through the body."""

    positive: bool
    body: Rule


@dataclass(frozen=True, slots=True)
class Dot:
    """A split point; otherwise the empty word."""


@dataclass(frozen=True, slots=True)
class Off:
    """Put a piece on the vertex: `[p]`. A modifier."""

    piece: str


@dataclass(frozen=True, slots=True)
class Assign:
    """Set a variable or score; fails out of bounds. A modifier."""

    variable: str
    value: Arithmetic


@dataclass(frozen=True, slots=True)
class Switch:
    """End the move and give control to a player, or to the keeper (None). A modifier."""

    player: str | None
    at: Token | None = field(default=None, compare=False, repr=False)
    """Where it stands in the text, for messages."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Alternatives; without any it never matches. Its members are no sums."""

    members: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Concat:
    """A sequence; without members the empty word. Its members are no concatenations."""

    members: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Star:
    """The body any number of times."""

    body: Rule
    at: Token | None = field(default=None, compare=False, repr=False)
    """Where it stands in the text, for messages."""


Modifier = Off | Assign | Switch
Test = On | Compare | Pattern
Action = Shift | Test | Dot | Modifier
Rule = Action | Sum | Concat | Star


def sum_of(alternatives: Iterable[Rule]) -> Rule:
    """The normal form of a sum."""
    members: list[Rule] = []
    for rule in alternatives:
        members += rule.members if isinstance(rule, Sum) else (rule,)
    return members[0] if len(members) == 1 else Sum(tuple(members))


def concat(sequence: Iterable[Rule]) -> Rule:
    """The normal form of a concatenation."""
    members: list[Rule] = []
    for rule in sequence:
        members += rule.members if isinstance(rule, Concat) else (rule,)
    return members[0] if len(members) == 1 else Concat(tuple(members))


def count_actions(rule: Rule) -> int:
    """How many actions a rule has, those in patterns included."""
    return sum(not isinstance(part, Sum | Concat | Star) for part in parts(rule))


def parts(rule: Rule) -> Iterator[Rule]:
    """A rule and all its parts, the contents of patterns included."""
    yield rule
    match rule:
        case Sum(members) | Concat(members):
            for member in members:
                yield from parts(member)
        case Star(body) | Pattern(_, body):
            yield from parts(body)
