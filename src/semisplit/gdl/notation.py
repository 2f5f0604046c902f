"""Terms as text."""

from __future__ import annotations

from collections.abc import Mapping

from semisplit.gdl.ast import TermOrVariable, Variable


def write_term(term: TermOrVariable, spelling: Mapping[str, str] | None = None) -> str:
    """A term as it is written in descriptions, in lower case or with the spelling of one."""
    if isinstance(term, Variable):
        return f"?{term.name}"
    name = (spelling or {}).get(term.name, term.name)
    if not term.arguments:
        return name
    return f"({' '.join([name, *(write_term(inner, spelling) for inner in term.arguments)])})"
