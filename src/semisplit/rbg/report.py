"""Collecting what is wrong with a description."""

from __future__ import annotations

from typing import NoReturn

from semisplit.core.diagnostics import Diagnostic, Severity
from semisplit.core.errors import RuleError, did_you_mean
from semisplit.core.source import Source, Span
from semisplit.rbg.limits import MAX_ERRORS
from semisplit.rbg.tokens import Token


class Report:
    """Collects the errors and warnings about one source text."""

    def __init__(self, source: Source):
        self.source = source
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []

    def start(self) -> Token:
        """The place of messages about the text as a whole."""
        return Token("end", "", 0, 0)

    def error(self, at: Token, message: str, hint: str | None = None) -> None:
        """Record an error; after a certain number of them, give up at once."""
        diagnostic = self._diagnostic(Severity.ERROR, at, message, hint)
        if diagnostic not in self.errors:
            self.errors.append(diagnostic)
        if len(self.errors) >= MAX_ERRORS:
            self.raise_errors()

    def warning(self, at: Token, message: str, hint: str | None = None) -> None:
        """Record a warning."""
        self.warnings.append(self._diagnostic(Severity.WARNING, at, message, hint))

    def unknown(self, at: Token, what: str, known: list[str]) -> None:
        """Record that a name is not declared, suggesting the one that was probably meant."""
        meant = did_you_mean(at.text, known)
        self.error(at, f"{what} '{at.text}'", f"did you mean '{meant}'?" if meant else None)

    def fatal(self, at: Token, message: str, hint: str | None = None) -> NoReturn:
        """Record an error after which it makes no sense to read on."""
        self.errors.append(self._diagnostic(Severity.ERROR, at, message, hint))
        raise self._rule_error()

    def raise_errors(self) -> None:
        """Raise what has been recorded, if anything."""
        if self.errors:
            raise self._rule_error()

    def _rule_error(self) -> RuleError:
        return RuleError(sorted(self.errors, key=lambda error: error.span.start))

    def _diagnostic(
        self, severity: Severity, at: Token, message: str, hint: str | None
    ) -> Diagnostic:
        calls, call = [], at.via
        while call is not None:
            calls.append((call.macro, Span(self.source, call.start, call.end)))
            call = call.outer
        span = Span(self.source, at.start, at.end)
        return Diagnostic(severity, message, span, hint, tuple(calls))
