"""Messages about a source text: what is wrong, where, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from semisplit.core.source import Span

_WIDEST_LINE = 120
_MOST_CALLS = 5


class Severity(StrEnum):
    """Whether a description is refused because of the message or not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Diagnostic:
    """One message about a source text."""

    severity: Severity
    message: str
    span: Span
    """What the message is about."""
    hint: str | None = None
    """What to do, or what was probably meant."""
    calls: tuple[tuple[str, Span], ...] = ()
    """The macro calls, innermost first, through which the text came where it is wrong."""

    @property
    def position(self) -> tuple[int, int]:
        """Line and column of the first character concerned, both counted from 1."""
        return self.span.position

    def render(self) -> str:
        """The message as compilers print it: position, source line, caret, hint, macro calls."""
        line_number, column = self.position
        line = self.span.source.line(line_number)
        width = max(1, min(self.span.end - self.span.start, len(line) - column + 1))
        line, caret = _excerpt(line, column - 1, width)
        lines = [
            f"{self.span}: {self.severity}: {self.message}",
            f"{line_number:>5} | {line}",
            f"{'':>5} | {caret}",
        ]
        if self.hint:
            lines.append(f"{'':>5} = {self.hint}")
        shown = self.calls if len(self.calls) <= _MOST_CALLS else self.calls[: _MOST_CALLS - 1]
        for name, span in shown:
            lines.append(f"{'':>5} = in macro '{name}', called at {span}")
        if len(shown) < len(self.calls):
            name, span = self.calls[-1]
            between = len(self.calls) - len(shown) - 1
            lines.append(f"{'':>5} = in {between} more calls from '{name}', called at {span}")
        return "\n".join(lines)


def _excerpt(line: str, start: int, width: int) -> tuple[str, str]:
    """The part of a line worth showing and the line of carets under it."""
    cut = 0
    if len(line) > _WIDEST_LINE:
        cut = max(0, min(start - _WIDEST_LINE // 2, len(line) - _WIDEST_LINE))
        line = line[cut : cut + _WIDEST_LINE]
        width = min(width, len(line) - (start - cut))
    # Tabs stay tabs under the text, so that the caret lines up however wide they are shown.
    padding = "".join("\t" if char == "\t" else " " for char in line[: start - cut])
    printable = "".join(char if char.isprintable() or char == "\t" else "?" for char in line)
    return printable, padding + "^" * max(1, width)
