"""A whole description, from text to checked data."""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.core.diagnostics import Diagnostic
from semisplit.core.report import Report
from semisplit.core.source import Source, Span
from semisplit.core.work import doing
from semisplit.language.gdl.check.check import check, check_circles
from semisplit.language.gdl.check.lint import lint
from semisplit.language.gdl.names import Names, find_names
from semisplit.language.gdl.percepts import percepts_as_fluents
from semisplit.language.gdl.separate import separate
from semisplit.language.gdl.text.ast import Clause, Rule, Term
from semisplit.language.gdl.text.expressions import read_expressions
from semisplit.language.gdl.text.lexer import tokenize
from semisplit.language.gdl.text.normal import normalize
from semisplit.language.gdl.text.parser import Parser


@dataclass(frozen=True)
class Description:
    """A checked description."""

    source: Source
    rules: tuple[Rule, ...]
    """As they are written."""
    clauses: tuple[Clause, ...]
    """The same, as they are evaluated."""
    roles: tuple[Term, ...]
    """In the order of their facts, which is that of every joint move."""
    spelling: dict[str, str]
    """How each constant was first written."""
    names: Names
    """Which spellings are the same."""
    warnings: tuple[Diagnostic, ...] = ()
    """What is legal but surely not meant."""


def parse(text: str, name: str = "<string>") -> Description:
    """Read a description.

    Args:
        text: The description.
        name: What to call it in messages, usually its path.

    Raises:
        RuleError: With all errors found.
    """
    with doing(f"reading {name}"):
        return _parse(Source(name, text))


def _parse(source: Source) -> Description:
    report: Report[Span] = Report(source)
    expressions = read_expressions(tokenize(source, report), report)
    # What is wrong with parentheses makes nonsense of the rest.
    report.raise_errors()
    names = find_names(source.text, expressions)
    if names != Names():
        report = Report(source)
        expressions = read_expressions(tokenize(source, report, name=names.name), report)
    parser = Parser(report)
    rules = parser.read(expressions)
    report.raise_errors()
    clauses = normalize(rules, report)
    check(rules, clauses, report)
    if not report.errors:
        clauses = (*separate(clauses), *percepts_as_fluents(clauses))
    check_circles(clauses, report)
    report.raise_errors()
    lint(rules, parser, names, report)
    roles = [
        argument for rule in rules if rule.head.name == "role" for argument in rule.head.arguments
    ]
    return Description(
        source,
        rules,
        clauses,
        tuple(dict.fromkeys(role for role in roles if isinstance(role, Term))),
        parser.spelling,
        names,
        tuple(sorted(report.warnings, key=lambda warning: warning.span.start)),
    )
