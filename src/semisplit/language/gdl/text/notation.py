"""Terms as text, and text as terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from semisplit.core.errors import InputError, RuleError, UnknownName
from semisplit.core.report import Report
from semisplit.core.source import Source, Span
from semisplit.language.gdl.text.ast import Term, TermOrVariable, Variable
from semisplit.language.gdl.text.expressions import read_expressions
from semisplit.language.gdl.text.lexer import tokenize
from semisplit.language.gdl.text.parser import Parser

_WIDTH = 80


def write_term(term: TermOrVariable, spelling: Mapping[str, str] | None = None) -> str:
    """A term as it is written in descriptions, in lower case or with the spelling of one."""
    if isinstance(term, Variable):
        return f"?{term.name}"
    name = (spelling or {}).get(term.name, term.name)
    if not term.arguments:
        return name
    return f"({' '.join([name, *(write_term(inner, spelling) for inner in term.arguments)])})"


def write_terms(terms: Iterable[Term], spelling: Mapping[str, str]) -> str:
    """Terms in order, as many in a line as there is room for those of one name."""
    lines: list[str] = []
    last = None
    for term in sorted(terms):
        text = write_term(term, spelling)
        if term.name == last and len(lines[-1]) + len(text) < _WIDTH:
            lines[-1] += f" {text}"
        else:
            lines.append(text)
        last = term.name
    return "\n".join(lines)


def read_terms(
    text: str, known: Collection[str], name: Callable[[str], str] = str.lower
) -> list[Term]:
    """Ground terms of known names from text, in which spellings are called by a function.

    Raises:
        InputError: If it is something else.
    """
    report: Report[Span] = Report(Source("the text", text))
    try:
        expressions = read_expressions(tokenize(report.source, report, name=name), report)
        report.raise_errors()
        terms = Parser(report).read_terms(expressions)
        report.raise_errors()
    except RuleError as error:
        first = error.diagnostics[0]
        line, column = first.position
        raise InputError(f"{first.message} (line {line}, column {column})") from error
    return [_check(term, known) for term in terms]


def _check(term: TermOrVariable, known: Collection[str]) -> Term:
    if isinstance(term, Variable):
        raise InputError(f"variable ?{term.name} in what has to be certain")
    if term.name not in known:
        raise UnknownName("name", term.name, known)
    for inner in term.arguments:
        _check(inner, known)
    return term
