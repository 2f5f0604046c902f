"""Walking through a list of tokens, shared by the parsers of boards and rules."""

from __future__ import annotations

from typing import NoReturn

from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import RESERVED, Token


class SyntaxFault(Exception):
    """Raised inside a parser after reporting an error, caught where parsing can go on."""


class Reader:
    """A position in a list of tokens; behind the last one it sees an "end" token."""

    def __init__(self, tokens: list[Token], end: Token, report: Report):
        self.report = report
        self._tokens = tokens
        self._end = end
        self._position = 0
        self._late: str | None = None
        """What to say of a macro that is defined too late: it may fail behind its name."""

    @property
    def next(self) -> Token:
        """The token to be read next."""
        if self._position < len(self._tokens):
            return self._tokens[self._position]
        return self._end

    @property
    def at_end(self) -> bool:
        """Whether all tokens have been read."""
        return self.next.kind == "end"

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these."""
        return self.next.text in texts

    def take(self) -> Token:
        """Read one token."""
        token = self.next
        self._late = self.report.defined_later(token) or self._late
        self._position += 1
        return token

    def accept(self, text: str) -> bool:
        """Read the next token if it is this one."""
        if self.sees(text):
            self._position += 1
            return True
        return False

    def expect(self, text: str, where: str) -> Token:
        """Read this token or fail."""
        if not self.sees(text):
            self.fail(f"expected '{text}' {where}, found {self.next}")
        return self.take()

    def expect_name(self, what: str) -> Token:
        """Read a name or fail."""
        if self.next.kind != "name" or self.next.text in RESERVED:
            self.fail(f"expected {what}, found {self.next}")
        return self.take()

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        """Report an error at the next token and leave the current construct."""
        self.report.error(self.next, message, hint or self._late)
        raise SyntaxFault

    def skip_arguments(self, name: Token) -> None:
        """Read on behind the call of a macro that is defined too late, whose name was read."""
        if self.report.defined_later(name) and self.accept("("):
            self.skip_to_close()

    def skip_to_close(self) -> None:
        """Read up to and including the bracket that closes the current one, or to the end."""
        depth = 1
        while depth and not self.at_end:
            text = self.take().text
            depth += text[0] in "([{"
            depth -= text in (")", "]", "}")
