"""Tokens to expressions in parentheses, whatever they say."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, TypeAlias

from semisplit.core.report import Report
from semisplit.core.source import Span
from semisplit.language.gdl.text.lexer import Token
from semisplit.language.gdl.text.limits import MAX_NESTING


class Group(NamedTuple):
    """Expressions in parentheses."""

    items: tuple[Expression, ...]
    span: Span


Expression: TypeAlias = Token | Group


def read_expressions(tokens: list[Token], report: Report[Span]) -> list[Expression]:
    """All expressions of a text; parentheses that do not match are reported."""
    # The bottom holds the expressions of the text itself and no opening parenthesis.
    levels: list[tuple[Token | None, list[Expression]]] = [(None, [])]
    for token, after in pairwise(tokens):
        opening, items = levels[-1]
        if token.kind == "open":
            if opening is not None and after.text == "<=":
                _report_unclosed(levels, report, "before the next rule begins")
                del levels[1:]
            if len(levels) > MAX_NESTING:
                hint = f"at most {MAX_NESTING} parentheses can be inside each other"
                report.fatal(token.span, "parentheses are nested too deeply", hint)
            levels.append((token, []))
        elif token.kind != "close":
            items.append(token)
        elif opening is None:
            report.error(token.span, "this parenthesis closes nothing", "remove it")
        else:
            levels.pop()
            span = Span(token.span.source, opening.span.start, token.span.end)
            levels[-1][1].append(Group(tuple(items), span))
    if len(levels) > 1:
        _report_unclosed(levels, report, "before the end of the file")
    return levels[0][1]


def _report_unclosed(
    levels: list[tuple[Token | None, list[Expression]]], report: Report[Span], when: str
) -> None:
    """Report the outermost parenthesis that is still open: the rule that lacks a closing one."""
    opening, _ = levels[1]
    assert opening is not None  # only the bottom has none
    count = len(levels) - 1
    missing = "a ')' is" if count == 1 else f"{count} ')' are"
    report.error(opening.span, f"this parenthesis is not closed {when}", f"{missing} missing")
