"""Which rules languages there are: those that come with the program, and those of packages."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import Any

from semisplit.core.errors import InputError
from semisplit.language.language import Language
from semisplit.language.rules import Rules

ENTRY_POINTS = "semisplit.languages"
"""The group of entry points under which packages offer languages."""
_BUNDLED = ("semisplit.language.rbg.entry", "semisplit.language.gdl.entry")
"""Modules whose `LANGUAGE` is one. A text that begins like none is in the first."""


@cache
def bundled() -> tuple[Language[Any], ...]:
    """Those that come with the program."""
    return tuple(import_module(module).LANGUAGE for module in _BUNDLED)


@cache
def languages() -> tuple[Language[Any], ...]:
    """All of them."""
    # Looking through packages takes a while, and most games are in a bundled language.
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=ENTRY_POINTS):
        try:
            language = point.load()
        except Exception as error:
            raise InputError(f"the language '{point.name}' cannot be loaded: {error}") from error
        if not isinstance(language, Language):
            raise InputError(
                f"the entry point '{point.name}' of {ENTRY_POINTS} has to be a Language"
            )
        found.append(language)
    return (*bundled(), *found)


def suffixes() -> tuple[str, ...]:
    """How names of descriptions end, in any language."""
    return tuple(suffix for language in languages() for suffix in language.suffixes)


def language_of(text: str, name: str) -> Language[Any]:
    """The language of a description: told by the ending of its name, or else by its beginning."""
    suffix = PurePath(name).suffix.lower()

    def by_name(language: Language[Any]) -> bool:
        return suffix in language.suffixes

    def by_text(language: Language[Any]) -> bool:
        return language.begins(text)

    for told in (by_name, by_text) if suffix else (by_text,):
        for known in (bundled, languages):
            for language in filter(told, known()):
                return language
    return bundled()[0]


def parse_rules(text: str, name: str = "<string>") -> Rules:
    """Read a description.

    Args:
        text: The description.
        name: What to call it in messages, usually its path.

    Raises:
        RuleError: With all errors found.
    """
    rules: Rules = language_of(text, name).parse(text, name)
    return rules


def format_rules(text: str, name: str = "<string>") -> str:
    """Lay out a description evenly; what it says does not change.

    Raises:
        RuleError: If the text cannot be read at all.
    """
    return language_of(text, name).format(text, name)
