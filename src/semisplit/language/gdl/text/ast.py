"""Descriptions as data: terms, atoms, rules as they are written, and clauses as they are used.

Names are folded to lower case; how a constant was first written is known to the description.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from semisplit.core.source import Span


@dataclass(frozen=True, slots=True)
class Variable:
    """Stands for any ground term."""

    name: str
    """Without the question mark."""


class Term(NamedTuple):
    """A constant, or a function of other terms. Terms are ordered among themselves."""

    name: str
    arguments: tuple[TermOrVariable, ...] = ()


TermOrVariable: TypeAlias = Term | Variable


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate and its arguments; keywords like `true` are predicates, too."""

    name: str
    arguments: tuple[TermOrVariable, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    """Negation as failure."""

    literal: Literal


@dataclass(frozen=True, slots=True)
class Distinct:
    """Two ground terms are not the same."""

    left: TermOrVariable
    right: TermOrVariable
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    """One of some literals holds."""

    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class And:
    """All of some literals hold; only inside of others, as a body is one anyway."""

    literals: tuple[Literal, ...]


Literal: TypeAlias = Atom | Not | Distinct | Or | And


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it is written; without a body it is a fact."""

    head: Atom
    body: tuple[Literal, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule in the form in which it is evaluated: a conjunction, without `or` and nested `not`.

    It is safe: each variable occurs in a positive atom.
    """

    head: Atom
    positive: tuple[Atom, ...] = ()
    negative: tuple[Atom, ...] = ()
    distinct: tuple[Distinct, ...] = ()
    rule: Rule | None = field(default=None, compare=False, repr=False)
    """Where it comes from."""
