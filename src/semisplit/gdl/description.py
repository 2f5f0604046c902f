"""A whole description, from text to checked data."""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.core.diagnostics import Diagnostic
from semisplit.core.source import Source
from semisplit.gdl.ast import Clause, Rule, Term


@dataclass(frozen=True)
class Description:
    """A checked description."""

    source: Source
    rules: tuple[Rule, ...]
    """As they are written."""
    clauses: tuple[Clause, ...]
    """The same, as they are evaluated."""
    roles: tuple[Term, ...]
    """In the order of their facts, which is that of every joint move."""
    spelling: dict[str, str]
    """How each constant was first written."""
    warnings: tuple[Diagnostic, ...] = ()
    """What is legal but surely not meant."""
