"""Collecting what is wrong with a description, macro calls included."""

from __future__ import annotations

from semisplit.core import report
from semisplit.core.errors import did_you_mean
from semisplit.core.source import Source, Span
from semisplit.language.rbg.text.tokens import Token


class Report(report.Report[Token]):
    """Collects the errors and warnings about one source text."""

    def __init__(self, source: Source):
        super().__init__(source)
        self.macros: dict[str, Token] = {}
        """Where macros are defined: the name in the first definition of each."""
        self._explained: set[str] = set()

    def error(self, at: Token, message: str, hint: str | None = None) -> None:
        """Record an error, unless an earlier one explains what is wrong with the name."""
        if at.text not in self._explained:
            super().error(at, message, hint or self.defined_later(at))

    def explained(self, *names: str) -> None:
        """Record no more errors at these names: what has been reported brings them about."""
        self._explained.update(names)

    def defined_later(self, name: Token) -> str | None:
        """A hint if a name is that of a macro which is defined behind it."""
        macro = self.macros.get(name.text)
        if macro is None or macro.start <= name.start:
            return None
        line, _ = self.source.position(macro.start)
        return f"macro '{name.text}' is defined later, in line {line}; move it up"

    def start(self) -> Token:
        """The place of messages about the text as a whole."""
        return Token("end", "", 0, 0)

    def unknown(self, at: Token, what: str, known: list[str]) -> None:
        """Record that a name is not declared, suggesting the one that was probably meant."""
        if at.text in self._explained:
            return
        hint = self.defined_later(at)
        if not hint and at.text in self.macros:
            hint = "names that '~' has joined are not looked up as macros"
            if at.via and at.via.macro == at.text:
                hint = "a macro cannot use itself"
        if not hint and (meant := did_you_mean(at.text, (one for one in known if one != at.text))):
            hint = f"did you mean '{meant}'?"
        self.error(at, f"{what} '{at.text}'", hint)
        self.explained(at.text)

    def _calls(self, at: Token) -> tuple[tuple[str, Span], ...]:
        calls, call = [], at.via
        while call is not None:
            calls.append((call.macro, Span(self.source, call.start, call.end)))
            call = call.outer
        return tuple(calls)
