"""Characters to tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from semisplit.core.limits import MAX_TEXT
from semisplit.core.report import Report
from semisplit.core.source import Source, Span
from semisplit.language.gdl.text.limits import MAX_NAME

Kind = Literal["open", "close", "constant", "variable", "comment", "end"]

_SPACE = r" \t\n\r\f\v\ufeff"
_PATTERN = re.compile(rf"(?P<space>[{_SPACE}]+)|(?P<comment>;[^\n\r]*)|[()]|[^{_SPACE}();]+")
_USUAL = re.compile(r"<=|\??[A-Za-z0-9_+-]+")


class Token(NamedTuple):
    """A token and where it stands in the source text."""

    kind: Kind
    text: str
    """As it is written."""
    span: Span
    name: str
    """What it is called."""

    def __str__(self) -> str:
        return self.text if self.kind == "end" else f"'{self.text}'"


def tokenize(
    source: Source,
    report: Report[Span],
    *,
    comments: bool = False,
    name: Callable[[str], str] = str.lower,
) -> list[Token]:
    """Cut a text into tokens, the last one of kind "end".

    Args:
        source: The text.
        report: Gets errors and warnings.
        comments: Whether comments are kept.
        name: What a spelling is called; letters in upper and lower case are the same usually.
    """
    text = source.text
    if len(text) > MAX_TEXT:
        at = Span(source, MAX_TEXT, MAX_TEXT)
        report.fatal(at, f"the text has {len(text)} characters, more than {MAX_TEXT} allowed")
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text):
        if match["space"]:
            continue
        text_, span = match.group(), Span(source, match.start(), match.end())
        token = Token(_kind(match), text_, span, name(text_))
        if token.kind != "comment" or comments:
            tokens.append(token)
        if token.kind in ("constant", "variable"):
            _check_name(token, report)
    end = "the end of the file"
    tokens.append(Token("end", end, Span(source, len(text), len(text)), end))
    return tokens


def _kind(match: re.Match[str]) -> Kind:
    if match["comment"]:
        return "comment"
    match match.group():
        case "(":
            return "open"
        case ")":
            return "close"
        case name if name.startswith("?"):
            return "variable"
        case _:
            return "constant"


def _check_name(token: Token, report: Report[Span]) -> None:
    if len(token.text) > MAX_NAME:
        message = f"name {token.text[:20]}... is too long"
        report.error(token.span, message, f"names have at most {MAX_NAME} characters")
    elif token.text == "?":
        report.error(token.span, "a variable needs a name", "write one behind the question mark")
    elif not _USUAL.fullmatch(token.text):
        report.warning(
            token.span,
            f"unusual characters in {token}",
            "other programs may not read names of anything but letters, digits, '_' and '-'",
        )
