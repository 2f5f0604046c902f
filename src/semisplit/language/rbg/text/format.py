"""The formatter: the same tokens, evenly laid out.

It keeps the author's line breaks and comments and decides indentation, blank lines, and the
spaces next to brackets and separators. A board is a picture and stays as it was drawn.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from semisplit.core.diagnostics import Severity
from semisplit.core.source import Source
from semisplit.language.rbg.text.lexer import separable, tokenize
from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import Token

_INDENT = 4
_OPENING = frozenset({"(", "[", "{", "{?", "{!", "{$", "[$"})
_CLOSING = frozenset({")", "]", "}"})
_TIGHT_BEFORE = _CLOSING | {",", ";", "*", "^", ":"}
_TIGHT_AFTER = frozenset({"(", "[", "{", "#", "^", "->", ":"})
_LOOSE_AFTER = frozenset({";", "{?", "{!", "{$", "[$"})


def format_text(text: str, name: str = "<string>") -> str:
    """Lay out a description evenly; what it says does not change.

    Raises:
        RuleError: If the text contains something that is not a token at all.
    """
    source = Source(name, text)
    report = Report(source)
    tokens = tokenize(source, report, comments=True)[:-1]
    for warning in report.warnings:
        report.errors.append(replace(warning, severity=Severity.ERROR))
    report.raise_errors()
    lines = _lines(tokens, source)
    result: list[str] = []
    depth = base = last_line = 0
    in_board = False
    for line, about_item in zip(lines, _about_items(lines)):
        first_line = source.position(line[0].start)[0]
        if result and first_line > last_line + 1:
            result.append("")
        last_line = source.position(line[-1].end)[0]
        opened = sum((t.text in _OPENING) - (t.text in _CLOSING) for t in line)
        indent = base + depth - _leading_closers(line)
        depth += opened
        if line[0].text == "#":
            # A bracket left open in the first line indents what follows; else one step does.
            indent, depth, base = 0, opened, 0 if opened > 0 else 1
            in_board = len(line) > 1 and line[1].text == "board"
        elif about_item:
            indent = 0
        elif in_board:
            column = source.position(line[0].start)[1]
            drawn = text[line[0].start - column + 1 : line[-1].end]
            result.append(drawn.rstrip())
            continue
        result.append(" " * (_INDENT * indent) + _join(line))
    return "\n".join([*result, ""])


def _lines(tokens: list[Token], source: Source) -> list[list[Token]]:
    """The tokens line by line; an item always starts a line of its own."""
    lines: list[list[Token]] = []
    last_line = 0
    for token in tokens:
        if not lines or source.position(token.start)[0] > last_line or token.text == "#":
            lines.append([])
        lines[-1].append(token)
        last_line = source.position(token.end)[0]
    return lines


def _about_items(lines: list[list[Token]]) -> list[bool]:
    """For each line, whether it is a comment about the item that follows, or about the whole."""
    about: list[bool] = []
    before_item = True
    for line in reversed(lines):
        is_comment = line[0].kind == "comment"
        about.append(is_comment and before_item)
        if not is_comment:
            before_item = line[0].text == "#"
    return about[::-1]


def _leading_closers(line: list[Token]) -> int:
    return next((i for i, token in enumerate(line) if token.text not in _CLOSING), len(line))


def _join(line: list[Token]) -> str:
    result = line[0].text.rstrip()
    equals = next((t for t in line if t.text == "="), None) if line[0].text == "#" else None
    for before, after in pairwise(line):
        gap = " " if before.end < after.start else ""
        if after.kind == "comment" or equals in (before, after) or before.text in _LOOSE_AFTER:
            gap = " "
        elif (after.text in _TIGHT_BEFORE or before.text in _TIGHT_AFTER) and separable(
            before.text, after.text
        ):
            gap = ""
        result += gap + after.text.rstrip()
    return result
