"""Collecting what is wrong with a description."""

from __future__ import annotations

from typing import Generic, NoReturn, Protocol, TypeVar

from semisplit.core.diagnostics import Diagnostic, Severity
from semisplit.core.errors import RuleError
from semisplit.core.limits import MAX_ERRORS
from semisplit.core.source import Source, Span


class Location(Protocol):
    """Something that stands in a text: a token, a span."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends, excluded."""


At = TypeVar("At", bound=Location, contravariant=True)


class Report(Generic[At]):
    """Collects the errors and warnings about one source text."""

    def __init__(self, source: Source):
        self.source = source
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []

    def error(self, at: At, message: str, hint: str | None = None) -> None:
        """Record an error; after a certain number of them, give up at once."""
        diagnostic = self._diagnostic(Severity.ERROR, at, message, hint)
        if diagnostic not in self.errors:
            self.errors.append(diagnostic)
        if len(self.errors) >= MAX_ERRORS:
            self.raise_errors()

    def warning(self, at: At, message: str, hint: str | None = None) -> None:
        """Record a warning."""
        self.warnings.append(self._diagnostic(Severity.WARNING, at, message, hint))

    def fatal(self, at: At, message: str, hint: str | None = None) -> NoReturn:
        """Record an error after which it makes no sense to read on."""
        self.errors.append(self._diagnostic(Severity.ERROR, at, message, hint))
        raise self._rule_error()

    def raise_errors(self) -> None:
        """Raise what has been recorded, if anything."""
        if self.errors:
            raise self._rule_error()

    def _rule_error(self) -> RuleError:
        return RuleError(sorted(self.errors, key=lambda error: error.span.start))

    def _diagnostic(self, severity: Severity, at: At, message: str, hint: str | None) -> Diagnostic:
        span = Span(self.source, at.start, at.end)
        return Diagnostic(severity, message, span, hint, self._calls(at))

    def _calls(self, at: At) -> tuple[tuple[str, Span], ...]:
        """The macro calls through which the text came where it is wrong."""
        return ()
