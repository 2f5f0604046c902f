"""Collecting what is wrong with a description, macro calls included."""

from __future__ import annotations

from semisplit.core import report
from semisplit.core.errors import did_you_mean
from semisplit.core.source import Span
from semisplit.rbg.tokens import Token


class Report(report.Report[Token]):
    """Collects the errors and warnings about one source text."""

    def start(self) -> Token:
        """The place of messages about the text as a whole."""
        return Token("end", "", 0, 0)

    def unknown(self, at: Token, what: str, known: list[str]) -> None:
        """Record that a name is not declared, suggesting the one that was probably meant."""
        meant = did_you_mean(at.text, known)
        self.error(at, f"{what} '{at.text}'", f"did you mean '{meant}'?" if meant else None)

    def _calls(self, at: Token) -> tuple[tuple[str, Span], ...]:
        calls, call = [], at.via
        while call is not None:
            calls.append((call.macro, Span(self.source, call.start, call.end)))
            call = call.outer
        return tuple(calls)
