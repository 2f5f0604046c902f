"""Characters to tokens."""

from __future__ import annotations

import re

from semisplit.core.limits import MAX_TEXT
from semisplit.core.source import Source
from semisplit.language.rbg.text.limits import MAX_NAME, MAX_NUMBER
from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import Token, TokenKind

_PATTERN = re.compile(
    r"""
      (?P<space>  [ \t\n\r\f\v]+ )
    | (?P<comment> //[^\n]* | /\*.*?\*/ )
    | (?P<unclosed> /\*.* )
    | (?P<name>   [A-Za-z][A-Za-z0-9]* )
    | (?P<number> [0-9]+ )
    | (?P<symbol> ->> | -> | \+> | \{\? | \{! | \{\$ | \[\$ | != | == | <= | >=
                | [()\[\]{}~\#\-+^/*.,;:$=!?<>] )
    | (?P<string> "[^"\n]*"? )
    | (?P<stray>  . )
    """,
    re.VERBOSE | re.DOTALL,
)

_KINDS: dict[str, TokenKind] = {
    "comment": "comment",
    "unclosed": "comment",
    "name": "name",
    "number": "number",
}
"""What is not a symbol."""


def tokenize(source: Source, report: Report, *, comments: bool = False) -> list[Token]:
    """Cut a text into tokens, the last one of kind "end"; comments are kept only on request."""
    text = source.text
    if len(text) > MAX_TEXT:
        at = Token("end", "", MAX_TEXT, MAX_TEXT)
        report.fatal(at, f"the text has {len(text)} characters, more than {MAX_TEXT} allowed")
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text):
        found = match.lastgroup
        if found == "space":
            continue
        kind = _KINDS.get(found or "", "symbol")
        token = Token(kind, match.group(), match.start(), match.end())
        if kind == "comment":
            if found == "unclosed":
                opening = token._replace(end=token.start + 2)
                report.warning(opening, "comment without an end", "close it with '*/'")
            if comments:
                tokens.append(token)
        elif found == "stray":
            report.warning(token, f"stray character {token.text!r}", _stray_hint(token))
        elif found == "string":
            report.error(token, "quoted text has no meaning in a game description")
        else:
            tokens.append(token)
            if kind == "name":
                check_name(token, report)
            elif kind == "number":
                check_number(token, report)
    tokens.append(Token("end", "the end of the file", len(text), len(text)))
    return tokens


def check_name(token: Token, report: Report) -> None:
    """Report a name that is too long."""
    if len(token.text) > MAX_NAME:
        message = f"name {token.text[:20]}... is too long"
        report.error(token, message, f"names have at most {MAX_NAME} characters")


def check_number(token: Token, report: Report) -> None:
    """Report a number that is too large."""
    digits = token.text.lstrip("0")
    if len(digits) > len(str(MAX_NUMBER)) or token.value > MAX_NUMBER:
        shown = token.text if len(token.text) <= 20 else token.text[:20] + "..."
        report.error(token, f"number {shown} is too large", f"the largest is {MAX_NUMBER}")


def _stray_hint(token: Token) -> str | None:
    return "names consist of letters and digits" if token.text == "_" else None


def separable(before: str, after: str) -> bool:
    """Whether two tokens are still two tokens when written without a space between them."""
    match = _PATTERN.match(before + after)
    return match is not None and match.end() == len(before)
