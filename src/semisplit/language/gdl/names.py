"""Which spellings are the same name: capital letters make no difference, unless they are meant to.

A comment line says what holds for a description:

    ; case: sensitive
    ; case: ignored

Without one, spellings that differ in nothing else are two names if they are used in such ways that
they hardly were meant to be one. The environment variable `SEMISPLIT_CASE`, which an option sets,
has the same words for descriptions without such a comment.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from semisplit.language.gdl.text.expressions import Expression, Group
from semisplit.language.gdl.text.keywords import ARITIES, CHANCE, IMPLIED, LOGICAL
from semisplit.language.gdl.text.lexer import Token

ENVIRONMENT = "SEMISPLIT_CASE"
SENSITIVE, IGNORED = "sensitive", "ignored"
_COMMENT = re.compile(r"^[ \t]*;+[ \t]*case:[ \t]*(\w*)", re.MULTILINE | re.IGNORECASE)
_Facts: TypeAlias = dict[str, list[tuple[str, ...]]]
_KEYWORDS = LOGICAL | ARITIES.keys() | {CHANCE}


@dataclass(frozen=True)
class Names:
    """What spellings are called; keywords may be in capital letters anyway."""

    is_sensitive: bool = False
    """Whether all spellings are names of their own."""
    apart: frozenset[str] = frozenset()
    """Those that are if not all are."""

    def name(self, text: str) -> str:
        """What a spelling is called; a name is called by itself."""
        folded = text.lower()
        if folded not in _KEYWORDS and (self.is_sensitive or text in self.apart):
            return text
        return folded


def as_asked(text: str) -> str:
    """A description with the comment that the environment asks for, unless it has one."""
    asked = os.environ.get(ENVIRONMENT, "")
    if asked not in (SENSITIVE, IGNORED) or _COMMENT.search(text):
        return text
    # At the end, so that messages have the lines of the file.
    return f"{text.rstrip()}\n; case: {asked}\n"


def find_names(text: str, forms: Sequence[Expression]) -> Names:
    """The names of a description, by its comment or by what it looks like."""
    said = _COMMENT.search(text)
    match said[1].lower() if said else "":
        case word if word == SENSITIVE:
            return Names(is_sensitive=True)
        case word if word == IGNORED:
            return Names()
        case _:
            return Names(apart=frozenset(_apart(forms)))


def _apart(forms: Sequence[Expression]) -> Iterator[str]:
    """The spellings that are names of their own."""
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    for token in _constants(forms):
        spellings[token.text.lower()][token.text] = None
    several = {name: all_ for name, all_ in spellings.items() if len(all_) > 1}
    if not several.keys() - _KEYWORDS:
        return
    uses, facts = _uses(forms), _facts(forms)
    for name in several.keys() - _KEYWORDS:
        if any(_are_two(*pair, uses, facts) for pair in pairwise(several[name])):
            yield from several[name]


def _are_two(first: str, second: str, uses: dict[str, set[str]], facts: _Facts) -> bool:
    """Whether spellings are used as those of two names are.

    Nobody writes a fact twice, or a name of one letter in two ways in a column of facts. And where
    a relation is said and asked for in each spelling, or one spelling is that of a relation and the
    other is not, nothing is missing if they are two.
    """
    if not _kinds(uses[first]) & _kinds(uses[second]):
        return True
    if len(first) == 1 and any(use.startswith("in ") for use in uses[first] & uses[second]):
        return True
    if {"said", "asked"} <= uses[first] & uses[second]:
        return True
    others = {*facts[second]}
    return any(
        tuple(second if word == first else word for word in fact) in others for fact in facts[first]
    )


def _kinds(uses: set[str]) -> set[str]:
    return {"relation" if use in ("said", "asked") else "term" for use in uses}


def _uses(forms: Iterable[Expression]) -> dict[str, set[str]]:
    """How each spelling is used: a relation is said or asked for, and all else is in terms.

    In facts, and in `init`, it also counts in which argument of which relations and functions.
    """
    uses: dict[str, set[str]] = defaultdict(set)

    def use(expression: Expression, as_what: str) -> None:
        inner = expression.items if isinstance(expression, Group) else (expression,)
        if as_what == "asked" and _relation(expression) in LOGICAL - {"distinct"}:
            for part in inner[1:]:
                use(part, "asked")
            return
        for place, part in enumerate(inner):
            if isinstance(part, Group):
                use(part, "term")
            else:
                uses[part.text].add("term" if place else as_what)

    def column(form: Expression, where: str) -> None:
        if isinstance(form, Token):
            if form.kind == "constant":
                uses[form.text].add(where)
            return
        for place, part in enumerate(form.items[1:]):
            column(part, f"{where} {_relation(form)} {place}")

    for form in forms:
        if isinstance(form, Group) and _relation(form) == IMPLIED:
            if len(form.items) > 1 and _relation(form.items[1]) == "init":
                column(form.items[1], "in")
            for place, part in enumerate(form.items[1:]):
                use(part, "asked" if place else "said")
        else:
            use(form, "said")
            if isinstance(form, Group):
                column(form, "in")
    return uses


def _facts(forms: Iterable[Expression]) -> _Facts:
    """The facts in which each spelling occurs, word by word."""
    facts: _Facts = defaultdict(list)
    for form in forms:
        if isinstance(form, Group) and _relation(form) != IMPLIED:
            fact = tuple(_words(form))
            for word in {*fact}:
                facts[word].append(fact)
    return facts


def _words(form: Expression) -> Iterator[str]:
    if isinstance(form, Token):
        yield form.text
    else:
        yield "("
        for part in form.items:
            yield from _words(part)
        yield ")"


def _constants(forms: Iterable[Expression]) -> Iterator[Token]:
    for form in forms:
        if isinstance(form, Group):
            yield from _constants(form.items)
        elif form.kind == "constant":
            yield form


def _relation(form: Expression) -> str:
    first = form.items[0] if isinstance(form, Group) and form.items else form
    return first.name if isinstance(first, Token) else ""
