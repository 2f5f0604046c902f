"""The context that callers hand to compiled code, as seen from the code that is emitted."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.values import Value, constant, i64
from semisplit.compiler.runtime.abi import Context, Status


class ContextCode:
    """Access to the fields of the context, emitted into a function."""

    def __init__(self, code: Code[Any], base: Value):
        self.base = base
        self._code = code

    def load(self, field: str, type_: ir.Type = i64) -> Value:
        """Read a field."""
        return self._code.load(type_, self.base, 8 * Context.FIELDS.index(field))

    def store(self, field: str, value: Value | int) -> None:
        """Write a field."""
        value = constant(value) if isinstance(value, int) else value
        self._code.store(value, self.base, 8 * Context.FIELDS.index(field))

    def count(self, field: str, more: Value | int = 1) -> Value:
        """Add to a field; returns what it is then."""
        more = constant(more) if isinstance(more, int) else more
        number = self._code.b.add(self.load(field), more)
        self.store(field, number)
        return number

    def has_failed(self) -> Value:
        """Whether a limit has been hit."""
        return self._code.unequal(self.load("status"), Status.OK)

    def is_out_of_work(self) -> Value:
        """Count a failure; whether there have been too many."""
        b = self._code.b
        left = b.sub(self.load("work"), constant(1))
        self.store("work", left)
        return b.icmp_signed("<", left, constant(0))
