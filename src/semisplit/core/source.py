"""Source texts and positions in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Source:
    """A text and the name it is known by in messages (a path, or something like `<string>`)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_BREAK.finditer(self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1) without its line break."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


@dataclass(frozen=True)
class Span:
    """A stretch of a source text: characters `start` to `end`, the end excluded."""

    source: Source
    start: int
    end: int

    @property
    def position(self) -> tuple[int, int]:
        """Line and column of the first character, both counted from 1."""
        return self.source.position(self.start)

    def __str__(self) -> str:
        line, column = self.position
        return f"{self.source.name}:{line}:{column}"
