"""The rules languages there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal

from semisplit.core.diagnostics import Diagnostic
from semisplit.language.rules import Rules

Language = Literal["rbg", "gdl"]

_SUFFIXES: dict[str, Language] = {".rbg": "rbg", ".kif": "gdl", ".gdl": "gdl"}


def language_of(text: str, name: str) -> Language:
    """The language of a description: told by the ending of its name, or else by its beginning."""
    told = _SUFFIXES.get(PurePath(name).suffix.lower())
    if told is not None:
        return told
    return "gdl" if text.lstrip("\ufeff \t\r\n\f\v").startswith(("(", ";")) else "rbg"


def parse_rules(text: str, name: str = "<string>") -> Rules:
    """Read a description.

    Args:
        text: The description.
        name: What to call it in messages, usually its path.

    Raises:
        RuleError: With all errors found.
    """
    if language_of(text, name) == "gdl":
        from semisplit.gdl import description as gdl
        from semisplit.gdl.language import GdlRules

        return GdlRules(gdl.parse(text, name))
    from semisplit.rbg import description as rbg
    from semisplit.rbg.language import RbgRules

    return RbgRules(rbg.parse(text, name))


def find_warnings(rules: Rules) -> Sequence[Diagnostic]:
    """What is suspicious in a description that is not wrong."""
    from semisplit.gdl.language import GdlRules

    if isinstance(rules, GdlRules):
        return rules.description.warnings
    from semisplit.rbg.check import check
    from semisplit.rbg.language import RbgRules

    assert isinstance(rules, RbgRules)  # there are two languages
    return check(rules.description)


def format_rules(text: str, name: str = "<string>") -> str:
    """Lay out a description evenly; what it says does not change.

    Raises:
        RuleError: If the text cannot be read at all.
    """
    if language_of(text, name) == "gdl":
        from semisplit.gdl import format as gdl

        return gdl.format_text(text, name)
    from semisplit.rbg import format as rbg

    return rbg.format_text(text, name)
