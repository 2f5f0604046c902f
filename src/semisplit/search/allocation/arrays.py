"""Arrays that records point to."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from semisplit.core.errors import InputError
from semisplit.runtime.scratch import apart
from semisplit.search.engine.toolkit.record import Record, dtype_in


class Arrays:
    """Owns the arrays of a record, and tells it where they are."""

    def __init__(self, record: Record):
        self._record = record
        self._arrays: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array of a field."""
        return self._arrays[name]

    def put(self, name: str, array: NDArray[Any]) -> None:
        """Let a field point to an array."""
        self._arrays[name] = array
        setattr(self._record, name, array.ctypes.data)

    def allocate(self, name: str, count: int) -> NDArray[Any]:
        """Let a field point to an array of zeros; what is never used of it takes no memory."""
        try:
            kind = dtype_in(type(self._record), name)
            self.put(name, apart(count * kind.itemsize).view(kind))
        except MemoryError:
            raise InputError(f"there is no room to search: {name} would take too much") from None
        return self._arrays[name]

    def enlarge(self, name: str, count: int) -> None:
        """Let a field point to a larger array, with the same elements and zeros behind them."""
        old = self._arrays[name]
        self.allocate(name, count)[: len(old)] = old
