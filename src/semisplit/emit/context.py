"""The context that callers hand to compiled code, as seen from the code that is emitted."""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.code import Code, Value, i64
from semisplit.runtime.abi import Context


class ContextCode:
    """Access to the fields of the context, emitted into a function."""

    def __init__(self, code: Code, base: Value):
        self.base = base
        self._code = code

    def load(self, field: str, kind: ir.Type = i64) -> Value:
        """Read a field."""
        return self._code.load(kind, self.base, 8 * Context.FIELDS.index(field))

    def store(self, field: str, value: Value) -> None:
        """Write a field."""
        self._code.store(value, self.base, 8 * Context.FIELDS.index(field))
