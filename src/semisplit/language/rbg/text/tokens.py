"""Tokens, the words they may be, and how they came to where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

TokenKind = Literal["name", "number", "symbol", "comment", "end"]

SECTIONS = ("players", "pieces", "variables", "board", "rules")
GENERATORS = ("rectangle", "hexagon", "cuboid")
RESERVED = frozenset(SECTIONS + GENERATORS)


@dataclass(frozen=True)
class Call:
    """A macro call on the way of a token: the macro, where it was called, and from within what."""

    macro: str
    start: int
    end: int
    outer: Call | None


class Token(NamedTuple):
    """A token, where it stands in the source text, and the macro call that brought it."""

    kind: TokenKind
    text: str
    start: int
    end: int
    via: Call | None = None

    @property
    def value(self) -> int:
        """The number a token stands for; literals that are too large were reported before."""
        return int(self.text.lstrip("0")[:10] or "0")

    def brought_by(self, call: Call | None) -> Token:
        """Return this token as a macro call brings it."""
        return Token(self.kind, self.text, self.start, self.end, call)

    def __str__(self) -> str:
        return self.text if self.kind == "end" else f"'{self.text}'"


def end_of_section(tokens: list[Token]) -> Token:
    """A token that stands behind the last one of a section."""
    last = tokens[-1]
    return Token("end", "the end of the section", last.end, last.end, last.via)
