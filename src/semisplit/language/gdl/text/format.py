"""The formatter: the same tokens, evenly laid out.

A fact is one line, and those that stood in one line may stay together. A rule has its head in the
first line and each condition in one of its own; what is too long is broken in the same way.
Comments stay where they are, and so do blank lines between forms.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

from semisplit.core.report import Report
from semisplit.core.source import Source, Span
from semisplit.language.gdl.text.expressions import Expression, Group, read_expressions
from semisplit.language.gdl.text.keywords import IMPLIED
from semisplit.language.gdl.text.lexer import Token, tokenize

_INDENT = 4
_WIDTH = 100


@dataclass
class _Line:
    indent: int
    text: str
    """Empty in front of a comment that has the line for itself."""
    comment: str = ""

    def add_comment(self, token: Token) -> None:
        self.comment = f"{self.comment} {token.text.rstrip()}".strip()

    def __str__(self) -> str:
        return " " * self.indent + f"{self.text} {self.comment}".strip()


def format_text(text: str, name: str = "<string>") -> str:
    """Lay out a description evenly; what it says does not change.

    Raises:
        RuleError: If its parentheses do not match.
    """
    source = Source(name, text)
    report: Report[Span] = Report(source)
    forms = read_expressions(tokenize(source, report, comments=True), report)
    report.raise_errors()
    lines: list[_Line] = []
    before: Expression | None = None
    for form in _hoist(forms):
        gap = _lines_between(before, form) if before is not None else 1
        laid_out = _lay_out(form, 0)
        if _is_comment(form) and gap <= 0:
            lines[-1].add_comment(form)
            continue
        if gap <= 0 and _can_join(lines[-1], laid_out, before):
            lines[-1].text += f" {laid_out[0].text}"
        else:
            lines += [_Line(0, "")] * (gap > 1)
            lines += laid_out
        before = form
    return "".join(f"{line}\n" for line in lines)


def _hoist(forms: Iterable[Expression]) -> list[Expression]:
    """Forms with comments behind the last thing in parentheses moved behind the parentheses."""
    hoisted: list[Expression] = []
    for form in forms:
        if isinstance(form, Token):
            hoisted.append(form)
            continue
        items, comments = _hoist(form.items), []
        last = next((item for item in reversed(items) if not _is_comment(item)), None)
        while _is_behind(items[-1] if items else None, last):
            comments.append(items.pop())
        hoisted += [form._replace(items=tuple(items)), *reversed(comments)]
    return hoisted


def _is_behind(item: Expression | None, last: Expression | None) -> bool:
    """Whether something is a comment in the line of the last thing that is none."""
    if item is None or last is None or not _is_comment(item):
        return False
    return _lines_between(last, item) <= 0


def _lay_out(form: Expression, indent: int) -> list[_Line]:
    """The lines of a form."""
    flat = _flat(form)
    if isinstance(form, Token):
        return [_Line(indent, flat or "", "" if flat else form.text.rstrip())]
    if flat is not None and not _is_rule(form) and indent + len(flat) <= _WIDTH:
        return [_Line(indent, flat)]
    lines = [_Line(indent, "(")]
    # The name of a relation stays with the parenthesis, and so does the head of a rule.
    names = 2 if _is_rule(form) else 1
    last: Expression | None = None
    for place, item in enumerate(form.items):
        short = _flat(item)
        if isinstance(item, Token) and _is_behind(item, last):
            lines[-1].add_comment(item)
        elif place < names and len(lines) == 1 and short is not None and not lines[0].comment:
            lines[0].text += short if place == 0 else f" {short}"
        else:
            lines += _lay_out(item, indent + _INDENT)
        last = last if _is_comment(item) else item
    if lines[-1].text:
        lines[-1].text += ")"
    else:
        lines.append(_Line(indent, ")"))
    return lines


def _flat(form: Expression) -> str | None:
    """A form in one line; None if there is a comment in it."""
    if isinstance(form, Token):
        return None if form.kind == "comment" else form.text
    parts = [_flat(item) for item in form.items]
    return None if None in parts else f"({' '.join(part for part in parts if part is not None)})"


def _can_join(line: _Line, following: list[_Line], before: Expression | None) -> bool:
    """Whether forms that stood in one line can stay together."""
    is_short = len(following) == 1 and len(str(line)) + 1 + len(following[0].text) <= _WIDTH
    return is_short and not line.comment and not (isinstance(before, Group) and _is_rule(before))


def _is_rule(form: Group) -> bool:
    """Whether it is a rule with conditions."""
    first = form.items[0] if form.items else None
    return isinstance(first, Token) and first.text == IMPLIED and len(form.items) > 2


def _is_comment(form: Expression) -> TypeGuard[Token]:
    return isinstance(form, Token) and form.kind == "comment"


def _lines_between(before: Expression, after: Expression) -> int:
    """How many line breaks there are between two forms."""
    source = before.span.source
    return source.position(after.span.start)[0] - source.position(before.span.end)[0]
